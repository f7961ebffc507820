//! The *lazy* search (Cordeiro and Fischer, ICSE 2011, §3.1 and §3.2): depth first over the reachability tree, one
//! interleaving at a time, up to a bound on context switches. It ends at the first violation.
//!
//! A node of the tree is a state with its active thread and the number of context switches so far. Its children continue with
//! the active thread, which comes first, or switch to another one, as long as the bound allows that. Only the path to the
//! present node is kept. What differs from the paper:
//!
//! - The machine executes each interleaving. So everything that is constant along it is folded, no guard is ever false, and
//!   a program without inputs needs no solver. Threads are interrupted between single accesses, not between statements.
//! - Inputs of more than two bits have a value each while the whole tree is explored, and the machine notes which branches
//!   depend on them. The solver is asked for inputs that take another branch, until there are none (as in `explore_with`).
//! - A context switch is counted when the other thread steps. A thread that waits, or has ended, is no switch.
//! - The tree is explored for 0 switches, then for 1, and so on, as long as some execution has more. If a bound is given, only
//!   the first few are tried before it.
//! - A program may go on for ever, or for long, without a switch. So where switches are bounded, the steps of an execution are
//!   bounded as well, and that bound is doubled each time. Nothing is claimed of a bound on switches before all executions
//!   within it are followed to their ends.
//!
//! # Reduction
//!
//! The reductions are those of the search over states (`states`), each together with the bound. Let `E` be an execution with
//! at most C switches.
//!
//! - *Transactions.* Invisible steps are taken at once after the visible one before them. In `E` they may come later, after
//!   steps of other threads, which do not depend on them. They can be moved to the end of the earlier context of the same
//!   thread, or be added to it where `E` ends before they are taken. Contexts only become empty by that, so no more switches
//!   are needed. That an instruction is visible after all is found as the header of `states` says: a transaction is completed
//!   first, and then comes the step that conflicts with it, with no more switches than in the shortest execution in which it
//!   comes inside. For that, accesses are not dropped when a mutex is released: a step of another thread that conflicts with
//!   them would fit in before the transaction, but that may take a switch more. Instead, accesses are known to who has locked
//!   the mutex since, or has joined the thread (`Tracked::known`).
//! - *Visited states.* A state is not followed again if it was visited after fewer switches, or after as many with the same
//!   active thread: whatever follows needs no more switches than it did then, since one switch leads to the active thread of
//!   now. A state that is met again with fewer switches is followed again. Values that depend on inputs are compared with
//!   their terms, so that the branches that they decide later were noted as well.
//! - *Interchangeable threads* are exchanged in the whole execution, with the joins put off, which takes no more switches. But
//!   an execution that ends in a deadlock may need one more then, for a join: where deadlocks are looked for, threads are not
//!   exchanged.
//!
//! A plain partial-order reduction would not do: it explores one execution of each class, perhaps one with more than C
//! switches although another of the class has fewer. Without the reductions (`LazyOptions::reduces`) every step is a node,
//! and only a state that is on the path itself is not followed again.
//!
//! # Waiting for ever
//!
//! A deadlock counts in the context in which it arises: the failing attempts of the other threads are no switches
//! (`look_at_cut_off`). Where the bound cuts threads off, a cycle of states that nothing else leaves is only a candidate
//! for a livelock. The machine, which lets all threads go on, confirms it or not.

use super::visible::Visible;
use super::{PassOptions, StateFacts, Tree, explore_passes, refusal};
use crate::explorer::Over;
use crate::{Exploration, ExploreLimits, Given, Incomplete, NextClass, Outcome, Search, Solver, Visitor};
use std::cell::RefCell;
use tp_ir::{Checks, Program, Property};
use tp_machine::{ContextBound, Identity, Symbols};

/// Bounds up to this are tried before a larger one that is given: most failures need no more switches.
const FEW: u32 = 3;

/// The most steps of an execution at first.
const FIRST_DEPTH: usize = 128;

pub struct LazyOptions {
    /// Interleavings are left out that cannot fail if those that are explored do not.
    pub reduces: bool,
    /// The tree is kept for a picture.
    pub draws: bool,
}

/// Explores interleavings in the order of their context switches, up to the bound if there is one.
pub fn explore_lazy(
    program: &Program,
    checks: Checks,
    (limits, known): (&ExploreLimits<'_>, &[Identity]),
    (facts, options): (&StateFacts, &LazyOptions),
    solver: &mut dyn FnMut() -> Box<dyn Solver>,
    visitor: &mut dyn Visitor,
) -> Exploration {
    let search = Search { program, checks, limits, known };
    let tree = options.draws.then(Tree::default);
    let mut result = Exploration { tree, ..Exploration::default() };
    if let Some(reason) = refusal(search, facts) {
        result.give_up(reason);
        return result;
    }
    let waits = checks.has(Property::Deadlock) || checks.has(Property::Stuck);
    let none = StateFacts { is_race_free: facts.is_race_free, ..StateFacts::default() };
    let mut visible = Visible::new(program, if options.reduces && !waits { facts } else { &none });
    visible.is_everything = !options.reduces;
    let most = match limits.contexts {
        ContextBound::AtMost(bound) => bound,
        ContextBound::None | ContextBound::Auto => u32::MAX,
    };
    let deepens = most == u32::MAX;
    let mut bound = 0;
    let mut max_depth = FIRST_DEPTH;
    loop {
        (result.is_cut, result.is_deep, result.doubted) = (false, false, None);
        result.bound = Some(bound);
        let bounds = (bound, max_depth);
        if explore_classes(search, bounds, (&mut visible, &mut *solver()), &mut result, visitor).is_err() {
            break;
        }
        if !result.is_deep {
            if let Some(property) = result.doubted.filter(|_| !result.is_cut) {
                result.give_up(Incomplete::NotConfirmed(property));
            }
            if result.outcome == Outcome::default() {
                result.complete_bound = Some(bound);
            }
            if !result.is_cut || bound == most {
                result.finish();
                break;
            }
        }
        max_depth = max_depth.saturating_mul(2);
        bound = match result.is_cut {
            true if deepens || bound < FEW => bound.saturating_add(1).min(most),
            true => most,
            false => bound,
        };
        visitor.progress(&result);
    }
    result.into_answer()
}

/// Explores the interleavings of one class of inputs after the other.
fn explore_classes(
    search: Search<'_>,
    (bound, max_depth): (u32, usize),
    (visible, solver): (&mut Visible, &mut dyn Solver),
    result: &mut Exploration,
    visitor: &mut dyn Visitor,
) -> Result<(), Over> {
    let symbols = RefCell::new(Symbols::default());
    let mut given = Given::new();
    let mut interleavings = 0;
    loop {
        result.classes += 1;
        let options =
            PassOptions { bound: Some(bound), max_depth: Some(max_depth), inputs: Some((&given, &symbols)) };
        let explored = explore_passes(search, options, visible, result, visitor);
        result.interleavings += interleavings;
        explored?;
        interleavings = result.interleavings;
        let constraints = symbols.borrow_mut().take_constraints();
        match solver.other(&mut symbols.borrow_mut(), &constraints) {
            NextClass::Inputs(inputs) => given = inputs,
            NextClass::None => return Ok(()),
            NextClass::Unknown(reason) => {
                result.give_up(reason);
                return Err(Over);
            }
        }
    }
}
