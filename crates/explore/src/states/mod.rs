//! Explores the *states* of a program instead of its executions: two executions that lead to the same state have the
//! same future, which is explored once.
//!
//! | module | what is in it |
//! |---|---|
//! | `search` | depth-first search over states that were not visited |
//! | `transaction` | one transition: steps of one thread that no other thread needs to interrupt |
//! | `upcoming` | what the next step of a thread is |
//! | `conflicts` | the accesses of each thread's last transaction, and what conflicts with them |
//! | `visible` | the instructions before which threads are interrupted |
//! | `merged` | what counts as one for interchangeable threads |
//! | `components` | strongly connected components: where executions stay for ever |
//! | `main_waits` | those in which main waits for ever |
//! | `tree` | what a search has gone through, for a picture |
//! | `contexts`, `lazy` | bounds on context switches; the search in their order |
//!
//! The number of executions grows with every step that two threads take; a program with a queue, three workers and four
//! tasks has more than can be explored. The number of its states is small, since it does not matter which way led to a
//! state. Loops need no bound: an execution that returns to a state that was visited is not followed again. So programs
//! that never end can be proved, as long as their states are finitely many. `tp_machine::Session::digest` says which
//! states are the same.
//!
//! # Transactions
//!
//! A transition is a *transaction* of one thread: a step, and all steps after it up to one that is *visible*. All threads
//! are tried between transactions. That is right if no other thread can do anything, while the thread stands before one
//! of the steps inside the transaction, that depends on that step: then whatever the others do there, they can as well
//! do after the step (a persistent set of one thread; Godefroid 1996). Which steps are visible is not known at the
//! beginning, and none is. The accesses that a thread has made in its last transaction, up to now, are kept as part of
//! the state. If another thread accesses the same bytes, and one of both writes, the assumption was wrong: both
//! instructions become visible, and the search begins again. A state without such a conflict needs no more switches.
//! A conflict with the first step of a transaction makes only the other instruction visible: before the first step
//! there is a switch anyway.
//!
//! The conflict is found, whichever steps are invisible. Let `a` be an invisible step of thread `p` inside a transaction,
//! and consider the shortest execution in which another thread `q` takes a step `b` that depends on `a` while `p` stands
//! before `a`. Nothing between the beginning of the transaction and `b` depends on a step of the rest of the
//! transaction, otherwise there would be a shorter one. So the transaction can be completed first, and `b` is taken
//! after it, with `a` among the accesses of the last transaction of `p`. Steps that wait count too: `a` may be what they
//! wait for.
//!
//! Two accesses by threads that hold a common mutex do not conflict: neither can be made while the other thread stands before
//! its own. If a thread releases a mutex that it does not hold, locks count for nothing.
//!
//! What a thread did before it started another one happens before everything that the other does, and does not conflict
//! with it (`Tracked::known`).
//!
//! # Symmetry
//!
//! The caller may know that threads are interchangeable (`tp_analysis::symmetry`). In every execution they can exchange
//! what they do; so only those executions are explored in which they take their first step after the start in the order
//! of their starts. A thread that is held back is tried all the same where no other thread can step.
//!
//! After that, two states count as one if such threads have exchanged all that they have: stacks, objects, locks, places in
//! queues (`tp_machine::digest::roles`). Whatever can happen after one of them can happen after the other, with the threads
//! exchanged. What is noted during the search, as to which releases are visible, is then noted for all threads of the set
//! at once (`merged`). States are not merged if several threads start others, or if some code gets to see the number of
//! its thread: then the search begins again without.
//!
//! # Unlocking
//!
//! Releasing a mutex is invisible although others wait for it (Lipton 1975: it is a left mover): while the mutex is
//! held, nobody else can lock or release it. A step that can look at a mutex that another thread holds (a try, its
//! destruction) is a *probe*; a mutex that is probed while another thread of the program that uses it is alive is
//! released visibly from then on. After the release the accesses before it are dropped, for who locks the mutex later
//! comes after them. Whoever does not, and conflicts with them, could do so before the transaction as well, if that began
//! by locking a mutex, since nothing in between enables another thread. Otherwise, and if the accesses since the last
//! release are not empty, the thread is interrupted before the release.
//!
//! # Races
//!
//! A conflict of two accesses, one of them plain, may be a data race: the execution is repeated on a machine with clocks. If
//! the caller knows that the program has no data race, plain accesses need not be kept, except those to locals and
//! thread-local variables, which end without an access.
//!
//! # Waiting for ever
//!
//! The program does not end in a state in which no thread can step (a deadlock, or all spin), or in a strongly connected
//! component of states that nothing leaves. If no thread in such a component does anything but read, lock and release
//! mutexes, and change locals that no other thread touches, all threads wait for ever in loops. If main never steps in such
//! a component, nor the thread that it is to join, main waits for ever, whatever the others do.

mod components;
mod conflicts;
mod contexts;
mod lazy;
mod main_waits;
mod merged;
mod search;
mod transaction;
mod tree;
mod upcoming;
mod visible;

use crate::explorer::Over;
use crate::tape::{Reader, Tape};
use crate::{Exploration, ExploreLimits, Given, Incomplete, Search, Visitor, ends};
pub use lazy::{LazyOptions, explore_lazy};
use search::StateSearch;
use std::cell::RefCell;
use std::collections::HashMap;
use tp_ir::{BlockId, Checks, FuncId, Program, Property};
use tp_machine::{Identity, Session, Symbols, Trace};
pub use tree::{Tree, TreeNode, TreeNodeKind};
use visible::Visible;

/// Searches for a state with another set of visible instructions at most this often.
const MOST_PASSES: u64 = 400;

/// What the caller knows about the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StateFacts {
    /// No execution has a data race before its first undefined behaviour.
    pub is_race_free: bool,
    /// It computes with addresses as numbers.
    pub sees_addresses: bool,
    /// Calls of the user's code that start threads: those of calls with the same number are interchangeable.
    pub interchangeable: HashMap<(FuncId, BlockId, usize), u32>,
}

/// What all passes over the states have in common.
#[derive(Copy, Clone, Default)]
struct PassOptions<'a> {
    /// The most context switches of an execution; `None`: they are not counted.
    bound: Option<u32>,
    /// The most steps of an execution; `None`: as many as `RunLimits` allows.
    max_depth: Option<usize>,
    /// Values of large inputs, and what depends on them; otherwise such inputs are not followed.
    inputs: Option<(&'a Given, &'a RefCell<Symbols>)>,
}

/// How a pass over the states ended.
enum Pass {
    /// All states were visited.
    Complete,
    /// Further instructions are visible.
    Again,
}

/// Explores all states.
pub fn explore_states(
    program: &Program,
    checks: Checks,
    (limits, known): (&ExploreLimits<'_>, &[Identity]),
    facts: &StateFacts,
    visitor: &mut dyn Visitor,
) -> Exploration {
    let search = Search { program, checks, limits, known };
    let mut result = Exploration::default();
    if let Some(reason) = refusal(search, facts) {
        result.give_up(reason);
        return result;
    }
    let mut visible = Visible::new(program, facts);
    if explore_passes(search, PassOptions::default(), &mut visible, &mut result, visitor).is_ok() {
        result.finish();
    }
    result.into_answer()
}

/// Why the states of a program cannot be explored.
fn refusal(search: Search<'_>, facts: &StateFacts) -> Option<Incomplete> {
    let Search { program, checks, .. } = search;
    if facts.sees_addresses {
        return Some(Incomplete::Addresses);
    }
    let is_weak = program.has_weak_atomics() && checks.has(Property::Race) && !facts.is_race_free;
    is_weak.then_some(Incomplete::WeakAtomics)
}

/// One pass after the other, until no further instruction is visible.
fn explore_passes(
    search: Search<'_>,
    options: PassOptions<'_>,
    visible: &mut Visible,
    result: &mut Exploration,
    visitor: &mut dyn Visitor,
) -> Result<(), Over> {
    for _ in 0..MOST_PASSES {
        result.passes += 1;
        result.interleavings = 0;
        result.tree = result.tree.take().map(|_| Tree::default());
        if let Pass::Complete = explore_pass(search, options, visible, result, visitor)? {
            return Ok(());
        }
    }
    result.give_up(Incomplete::NotFinished);
    Err(Over)
}

/// Visits the states with these visible instructions.
fn explore_pass(
    search: Search<'_>,
    options: PassOptions<'_>,
    visible: &mut Visible,
    result: &mut Exploration,
    visitor: &mut dyn Visitor,
) -> Result<Pass, Over> {
    // Inputs that are asked for before the first step: each choice begins a search of its own.
    let mut beginnings = vec![Vec::new()];
    while let Some(given) = beginnings.pop() {
        let Search { program, checks, limits, known } = search;
        let tape = RefCell::new(Tape::new(limits.inputs_below));
        tape.borrow_mut().followed = options.inputs.map(|(given, _)| given.clone());
        let config = limits.run.config(
            checks.without(Property::Race).with(Property::Uninitialised),
            limits.stop,
            false,
        );
        let mut reader = Reader(&tape);
        tape.borrow_mut().begin(&given);
        let session =
            Session::past(program, &config, known, &mut reader, options.inputs.map(|(_, symbols)| symbols));
        beginnings.extend(tape.borrow().alternatives(given.len()));
        match session {
            Ok(session) => {
                let pass =
                    StateSearch::new((search, options), session, &tape, visible, result, visitor).run()?;
                if let Pass::Again = pass {
                    return Ok(pass);
                }
            }
            Err(end) => {
                let trace = Trace::new(Vec::new(), tape.borrow().inputs());
                ends::ended(search, &trace, *end, result)?;
            }
        }
        if let Some(name) = tape.borrow_mut().sampled.take() {
            result.give_up(Incomplete::InputValues(name));
            return Err(Over);
        }
    }
    Ok(Pass::Complete)
}
