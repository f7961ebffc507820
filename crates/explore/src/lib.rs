//! Explores a program by executing it on the machine: every execution, up to the order of independent steps, exactly once.
//!
//! | module | what is in it |
//! |---|---|
//! | `explorer` | the search: forward to the end of an execution, back to where the next one branches off |
//! | `forward`, `stand` | one step more; where threads stand, and known steps taken without the machine |
//! | `bounded` | every interleaving up to a bound on context switches, without reduction |
//! | `path` | the execution: its events, happens-before, loops that only wait |
//! | `races` | race reversal: which sequences an execution adds to the wakeup trees of its prefixes |
//! | `wakeup_tree` | the sequences that are still to be explored from a prefix |
//! | `touches` | what a step touched, and whether two steps are independent |
//! | `ask`, `memo` | what a thread could do after other events; answers remembered by the values that were read |
//! | `tape` | inputs as decisions |
//! | `ends`, `confirm` | how executions end; violations repeated on an ordinary machine |
//! | `states` | another search: the states of the program instead of its executions |
//!
//! The crate shares nothing with the solver and the engines that use it, so that their agreement means something.
//!
//! # Dependence
//!
//! Steps are those of the machine: one access, or a whole atomic section. Two steps of different threads are dependent
//! if both touch a byte and one of them writes it (`tp_machine::Touch`). The end of an object is a write of all of it;
//! local code that runs with a step belongs to the step. A start of a thread happens before all that the thread does,
//! and starts are dependent on each other, because threads are numbered in the order of their starts. Allocations are
//! independent: each thread has its own arena. Output is independent: no property depends on its order. The step that
//! ends the program is taken last, when no other thread can step: whatever the others can do, they can do before it. A
//! step whose own local code ends the program (an assertion that is not checked) is postponed in the same way.
//!
//! Executions that differ in the order of independent steps only are the same Mazurkiewicz *trace*. `traces` counts them.
//!
//! # The algorithm
//!
//! Optimal dynamic partial-order reduction (Abdulla, Aronis, Jonsson and Sagonas, POPL 2014, JACM 2017). Each prefix of
//! the execution (`SearchNode`) has a *sleep set*, steps whose continuations have all been explored, and a *wakeup
//! tree*, sequences that are still to be explored. When an execution ends, each race (two conflicting events with no
//! event between them in happens-before) gives a sequence in which the second event comes first. It goes into the
//! wakeup tree of the prefix before the first event, unless a sleeping step is a weak initial of it, or a branch of the
//! tree covers it.
//!
//! What is different from the paper:
//!
//! - Whether a step is enabled (`await`), and what it touches, depends on what it reads. So a reversed step is not
//!   taken for granted: the machine is asked what the thread could do without the event `r`, at the prefix before `r`,
//!   and after each set of later events that it would read from and that do not happen after `r` (`races`). The same is
//!   asked for threads that wait at the end.
//! - A step can ask for inputs (below); their values decide what it touches and whether it is enabled. Steps of one
//!   thread with different inputs exclude each other, as if they conflicted. When one of them is explored from a
//!   prefix, so are all that are enabled there; what the thread could do later with other inputs is asked as for a
//!   reversed step.
//! - The machine is not restarted for each execution: it backtracks (`tp_machine::Session`). A step that was executed
//!   before with the same reads is taken without it (`stand`).
//!
//! Why nothing is missed. Let `E` be a prefix from which everything that begins with one of the steps `P` was explored,
//! and `w` a continuation to the end that has no step of `P` as a weak initial. Each step of `P` conflicts with a step
//! of `w`; take the one, `r`, whose first conflict, with a step `x` of thread `q`, comes last: `w = u x …`, `r`
//! independent of `u`. On a tie, take one that changes least of what `x` reads, in the order in which it reads. `E r u`
//! is an execution, so a continuation of it was explored, and the following is planned from that one. If `x` reads
//! nothing that `r` writes (or always does the same), then `x` is enabled after `E r u` and an execution with it there
//! was explored; its reversal is planned, after all events that do not happen after `r`. Otherwise `q`, asked after `E`
//! and those events of `u` from which `x` reads, gives `x`: that is one of the sets asked for, whether or not `q` could
//! ever step with `r` before it. The same if `r` is a step of `q` itself, with other inputs; such an `r` is only taken
//! if there is no other. In both cases the planned sequence is `u x` together with events that neither change what `x`
//! reads nor happen after `r`. It was explored, so a step of `P` is a weak initial of it. If that is a step of `u x`,
//! it is a weak initial of `w`, too, against the choice of `w`. Otherwise its first conflict with `w` comes later than
//! that of `r`, or it changes less of what `x` reads, against the choice of `r`.
//!
//! One continuation of `E r u` is enough. So the race of `r` with a step that the previous execution had as well is
//! skipped if everything new in this execution happens after `r`: then the previous one was already a continuation of
//! `E r u`.
//!
//! Why nothing is explored twice: a planned sequence wakes every sleeping step, because what its steps touch is known
//! and not guessed. `redundant` counts the executions for which this was wrong.
//!
//! # Loops
//!
//! A step that leaves memory and its own thread unchanged is no event: the thread waits, as at an `await`, until
//! something that it has read is written. So a loop that reads one variable until it changes has one trace for each
//! value that ends it. An iteration of several steps that changes nothing is executed once, and again after something
//! that it read was written. Other loops that need not end make endless executions: those end at `max_steps`, and the
//! outcome is unknown.
//!
//! # Races
//!
//! Where all atomics synchronise, a data race exists if and only if two conflicting accesses, one of them not atomic,
//! are adjacent in some execution: such an execution is repeated on a machine with vector clocks. In programs with
//! weaker atomics the machine keeps clocks throughout the search.
//!
//! # Inputs
//!
//! Each value of an input of up to eight bits is an execution of its own. For a larger one some values are tried, and
//! if nothing fails the outcome is unknown.
//!
//! With a solver (`explore_with`), only inputs of one or two bits are enumerated. Each of the others has one value
//! while all executions are explored, and the machine notes each decision that depends on them as a path constraint.
//! Inputs that satisfy the same constraints have the same executions: they are a *class*, and exploring one of them is
//! enough. The solver is asked for inputs of a class that was not explored, until there is none.
//!
//! Values that were never written are not inputs. If one decides something, the outcome is unknown (or a violation, if
//! uninitialised reads are checked). It is also unknown if one becomes a number by an operation on its bits, or as a
//! part of a word of which other bytes were written.

mod ask;
mod bounded;
mod confirm;
mod ends;
mod explorer;
mod forward;
mod memo;
mod path;
mod races;
mod stand;
mod states;
mod tape;
mod touches;
mod wakeup_tree;

use bounded::BoundedSearch;
pub use explorer::asks_for_inputs;
use explorer::{Explorer, Over};
pub use states::{LazyOptions, StateFacts, Tree, TreeNode, TreeNodeKind, explore_lazy, explore_states};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use tape::{Reader, Tape};
use tp_ir::{Checks, Program, Property};
pub use tp_machine::{ContextBound, RunLimits};
use tp_machine::{End, Finding, Identity, InputKey, PathConstraint, Session, Symbols, Trace};

/// What an exploration may use.
pub struct ExploreLimits<'a> {
    /// For each execution.
    pub run: RunLimits,
    /// Executions, or states, that are explored at most.
    pub max_executions: u64,
    /// The caller knows that all inputs are below this; `None`: any value of their type.
    pub inputs_below: Option<u128>,
    /// The context switches of executions that are followed, where the search can count them.
    pub contexts: ContextBound,
    /// Raised by the caller to end the exploration early.
    pub stop: &'a AtomicBool,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// Every execution was explored, and none violates anything.
    Holds,
    /// An execution that violates a property.
    Violation(Trace, Box<Finding>),
    /// Not everything was explored.
    Unknown(Incomplete),
}

/// Why not everything was explored.
#[derive(Clone, PartialEq, Debug)]
pub enum Incomplete {
    NotFinished,
    /// `ExploreLimits::stop` was raised.
    Stopped,
    /// `ExploreLimits::max_executions` were explored, and there are more.
    MoreExecutions(u64),
    /// The same for states.
    MoreStates(u64),
    /// An execution ended in a way that says nothing about the program.
    Ended(Box<End>),
    /// Undefined behaviour that is not checked: `Exploration::undefined`.
    Undefined,
    /// A violation that was met does not happen on an ordinary machine.
    NotConfirmed(Property),
    /// Bits of a value that was never written are used.
    UnwrittenBits,
    /// Addresses of different objects are compared, and only one order of them was tried.
    OrderOfObjects,
    /// The program exits while other threads run: an earlier exit may leave other memory allocated.
    EarlierExit,
    /// A step could not be repeated.
    NotRepeated,
    /// Not all values of this input were tried.
    InputValues(String),
    /// The program computes with addresses as numbers, so that states cannot be compared.
    Addresses,
    /// Whether accesses race depends on how weak atomics order them.
    WeakAtomics,
    /// The solver finds no inputs of another class, for this reason.
    Solver(String),
}

/// The outcome of an unfinished exploration.
impl Default for Outcome {
    fn default() -> Outcome {
        Outcome::Unknown(Incomplete::NotFinished)
    }
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Exploration {
    pub outcome: Outcome,
    /// Executions to their end, no two of which differ only in the order of independent steps.
    pub traces: u64,
    /// Traces in which the program does not exit, or exits while a thread waits.
    pub blocked: u64,
    /// Executions abandoned because only sleeping steps were left, or because a planned step was not enabled.
    pub redundant: u64,
    /// Classes of inputs that were explored, each with traces of its own.
    pub classes: u64,
    /// `explore_states`: states that were visited, and how often the search began, each time with further visible
    /// instructions.
    pub states: u64,
    pub passes: u64,
    /// `explore_lazy`: interleavings that were followed until their end, the bound on context switches, or a state that was
    /// visited before; the last bound that was explored completely, and the one that was worked at last.
    pub interleavings: u64,
    pub complete_bound: Option<u32>,
    pub bound: Option<u32>,
    /// What the last search went through, if it was asked for.
    pub tree: Option<Tree>,
    /// Executions were not followed further because of that bound, or because they were long.
    is_cut: bool,
    is_deep: bool,
    /// Steps of all executions; a prefix shared with the previous execution counts once.
    pub steps: u64,
    /// The most threads of one execution.
    pub threads: u32,
    /// Why the outcome is unknown: undefined behaviour that is not checked.
    pub undefined: Option<Box<Finding>>,
    /// Memory that was not freed, which is reported if nothing else is found.
    late: Option<Box<Late>>,
}

/// Memory that is not freed at the end of an execution: the search goes on for a worse finding.
#[derive(Clone, PartialEq, Debug)]
struct Late {
    trace: Trace,
    finding: Box<Finding>,
    /// The search for a worse finding ends after this many traces.
    max_traces: u64,
}

/// Traces explored for a worse finding once a late one is known, in addition to as many as it took to find it.
const AFTER_LATE: u64 = 10_000;

impl Exploration {
    pub fn executions(&self) -> u64 {
        self.traces + self.redundant
    }

    fn give_up(&mut self, reason: Incomplete) {
        if self.outcome == Outcome::default() {
            self.outcome = Outcome::Unknown(reason);
        }
    }

    /// An execution met undefined behaviour that is not checked: what would follow is unknown.
    fn undefined(&mut self, finding: Box<Finding>) {
        if self.outcome == Outcome::default() {
            self.give_up(Incomplete::Undefined);
            self.undefined = Some(finding);
        }
    }

    /// Some execution fails.
    pub fn has_failed(&self) -> bool {
        matches!(self.outcome, Outcome::Violation(..))
    }

    /// It was ended from outside, or is not finished.
    pub fn is_stopped(&self) -> bool {
        matches!(self.outcome, Outcome::Unknown(Incomplete::Stopped | Incomplete::NotFinished))
    }

    /// Whether no execution has more context switches than the last complete bound.
    pub fn is_exhausted(&self) -> bool {
        !self.is_cut
    }

    /// Records a confirmed finding. It ends the search, unless it is a late one.
    fn found(&mut self, trace: Trace, finding: Box<Finding>) -> Result<(), Over> {
        if !finding.property.is_late() {
            self.outcome = Outcome::Violation(trace, finding);
            return Err(Over);
        }
        let max_traces = self.traces.saturating_mul(2).saturating_add(AFTER_LATE);
        self.late.get_or_insert_with(|| Box::new(Late { trace, finding, max_traces }));
        Ok(())
    }

    /// The answer if nothing more is explored: a late finding if there is no other one.
    pub fn into_answer(mut self) -> Exploration {
        if let Some(late) = self.late.take().filter(|_| !matches!(self.outcome, Outcome::Violation(..))) {
            self.outcome = Outcome::Violation(late.trace, late.finding);
            self.undefined = None;
        }
        self
    }

    /// Everything was explored.
    fn finish(&mut self) {
        if self.outcome == Outcome::default() {
            self.outcome = Outcome::Holds;
        }
    }
}

/// Values of inputs; zero for inputs without an entry.
pub type Given = HashMap<InputKey, u128>;

/// Whether there are inputs of another class.
pub enum NextClass {
    /// Inputs of a class that was not explored.
    Inputs(Given),
    /// Every class was explored.
    None,
    /// Not known, and why.
    Unknown(Incomplete),
}

/// Finds inputs of classes that were not explored.
pub trait Solver {
    /// Inputs of another class, now that the class in which all these constraints hold has been explored.
    fn other(&mut self, symbols: &mut Symbols, constraints: &[PathConstraint]) -> NextClass;
}

/// Watches an exploration.
pub trait Visitor {
    /// Called now and then with what was explored so far.
    fn progress(&mut self, _so_far: &Exploration) {}

    /// Whether `execution` is to be called, which takes time.
    fn wants_executions(&self) -> bool {
        true
    }

    /// An execution came to its end.
    fn execution(&mut self, _trace: &Trace) {}
}

/// Watches nothing.
impl Visitor for () {
    fn wants_executions(&self) -> bool {
        false
    }
}

/// Explores all executions, up to the order of independent steps.
pub fn explore(
    program: &Program,
    checks: Checks,
    limits: &ExploreLimits<'_>,
    visitor: &mut dyn Visitor,
) -> Exploration {
    explore_with(program, checks, limits, None, visitor)
}

/// Explores all executions; with a solver, for all inputs.
pub fn explore_with(
    program: &Program,
    checks: Checks,
    limits: &ExploreLimits<'_>,
    solver: Option<&mut dyn Solver>,
    visitor: &mut dyn Visitor,
) -> Exploration {
    explore_past(program, checks, (limits, &[]), solver, visitor)
}

/// The same, past findings that are already known.
pub fn explore_past(
    program: &Program,
    checks: Checks,
    (limits, known): (&ExploreLimits<'_>, &[Identity]),
    mut solver: Option<&mut dyn Solver>,
    visitor: &mut dyn Visitor,
) -> Exploration {
    let search = Search { program, checks, limits, known };
    let mut result = Exploration::default();
    let tape = RefCell::new(Tape::new(limits.inputs_below));
    let symbols = RefCell::new(Symbols::default());
    tape.borrow_mut().followed = solver.is_some().then(Given::new);
    let mut is_over = false;
    // Without a reduction there is no order in which fewer switches come first, so `auto` has no bound.
    result.bound = match limits.contexts {
        ContextBound::AtMost(bound) => Some(bound),
        _ => None,
    };
    while !is_over {
        result.classes += 1;
        let inputs = (&tape, &symbols);
        is_over = explore_class(search, inputs, &mut result, visitor).is_err();
        let Some(solver) = solver.as_deref_mut().filter(|_| !is_over) else { break };
        let constraints = symbols.borrow_mut().take_constraints();
        match solver.other(&mut symbols.borrow_mut(), &constraints) {
            NextClass::Inputs(given) => tape.borrow_mut().followed = Some(given),
            NextClass::None => break,
            NextClass::Unknown(reason) => {
                result.give_up(reason);
                break;
            }
        }
    }
    if let Some(name) = tape.into_inner().sampled {
        result.give_up(Incomplete::InputValues(name));
    }
    if !is_over {
        if result.outcome == Outcome::default() {
            result.complete_bound = result.bound;
        }
        result.finish();
    }
    result.into_answer()
}

/// The question: the program, the properties, the limits, and the findings to pass over.
#[derive(Copy, Clone)]
pub(crate) struct Search<'a> {
    program: &'a Program,
    checks: Checks,
    limits: &'a ExploreLimits<'a>,
    known: &'a [Identity],
}

/// Explores all executions of one class: the followed inputs keep their values.
fn explore_class(
    search: Search<'_>,
    inputs: (&RefCell<Tape>, &RefCell<Symbols>),
    result: &mut Exploration,
    visitor: &mut dyn Visitor,
) -> Result<(), Over> {
    // Inputs that are asked for before the first step: each choice begins an exploration of its own.
    let mut beginnings = vec![Vec::new()];
    while let Some(given) = beginnings.pop() {
        beginnings.extend(explore_from(search, inputs, &given, result, visitor)?);
    }
    Ok(())
}

/// Explores all executions that begin with these inputs. Returns the other inputs they could begin with.
fn explore_from(
    search: Search<'_>,
    (tape, symbols): (&RefCell<Tape>, &RefCell<Symbols>),
    given: &[u128],
    result: &mut Exploration,
    visitor: &mut dyn Visitor,
) -> Result<Vec<Vec<u128>>, Over> {
    let Search { program, checks, limits, known } = search;
    // Where all atomics synchronise, a race is two adjacent accesses: the search needs no clocks.
    let needs_clocks = program.has_weak_atomics() || result.bound.is_some();
    let on_the_way = if needs_clocks { checks } else { checks.without(Property::Race) };
    let config = limits.run.config(on_the_way.with(Property::Uninitialised), limits.stop, false);
    let mut reader = Reader(tape);
    tape.borrow_mut().begin(given);
    let session = Session::past(program, &config, known, &mut reader, Some(symbols));
    let others = tape.borrow().alternatives(given.len()).into_iter().collect();
    match session {
        Ok(session) if let Some(bound) = result.bound => {
            BoundedSearch::new((search, bound), session, tape, result, visitor).run()?;
        }
        Ok(session) => {
            let mut explorer = Explorer::new(search, session, tape, result, visitor);
            // Clocks depend on the whole execution, not only on what one thread has read.
            explorer.steps_are_known &= !on_the_way.has(Property::Race);
            explorer.run()?;
        }
        Err(end) => {
            // Before the first step.
            result.traces += 1;
            let trace = Trace::new(Vec::new(), tape.borrow().inputs());
            ends::ended(search, &trace, *end, result)?;
        }
    }
    Ok(others)
}
