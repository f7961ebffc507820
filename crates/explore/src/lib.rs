//! Explores a program by executing it on the machine: every execution, up to the order of independent steps, exactly once.
//!
//! | module | what is in it |
//! |---|---|
//! | `explorer` | the search: forward to the end of an execution, back to where another one parts from it |
//! | `forward`, `stand` | one step more; where threads stand after their steps, and steps that need not be taken by the machine again |
//! | `path` | the execution: its events, what happens before what, loops that only wait |
//! | `races` | which other executions follow from one: what is to be explored from each of its moments |
//! | `wakeup_tree` | what is still to be explored from a moment (wake-up trees), and what need not be |
//! | `touches` | what a step touched, and whether two steps are independent |
//! | `ask`, `memo` | what a thread could do at some other moment; what threads did when they read certain values |
//! | `tape` | inputs as decisions |
//! | `ends`, `confirm` | how executions end; a violation once more, on an ordinary machine |
//!
//! The crate shares nothing with the solver and the engines that use it, so that their agreement means something.
//!
//! # Dependence
//!
//! Steps are those of the machine: one access, or a whole atomic section. Two steps of different threads are dependent if both
//! touch a byte and one of them writes it (`tp_machine::Touch`). The end of an object is a write of all of it; local code that runs
//! with a step belongs to the step. A start of a thread happens before all that the thread does, and starts are dependent on
//! each other, because numbers of threads go by their order. Allocations are not: addresses of a thread come from its own
//! arena. Output is not: its order is nothing that can fail. The step that ends the program is taken last, when nobody
//! else can step: it changes nothing for the others, who could have done all that before it. A step whose own local code ends
//! the program (an assertion that is not checked) is kept back in the same way.
//!
//! Executions that differ in the order of independent steps only are the same Mazurkiewicz *trace*. `traces` counts them.
//!
//! # The algorithm
//!
//! Optimal dynamic partial-order reduction (Abdulla, Aronis, Jonsson and Sagonas, POPL 2014, JACM 2017). At each moment of
//! the execution there are *sleeping* steps, after which everything has been explored, and a tree of sequences that are still to be
//! explored. When an execution has come to its end, each pair of conflicting events with nothing between them gives
//! rise to a sequence in which the second comes first; it goes into the tree of the moment before the first event unless a
//! sleeping step could come first in it, or a branch of the tree covers it.
//!
//! What is different from the paper:
//!
//! - A step can be impossible (`await`), or touch something else, depending on what it reads. So a reversed step is not taken
//!   for granted: what the thread could do without the event `r` is asked for, at the moment before `r` and after each set of later events
//!   that it would read from and that do not happen after `r` (`races`). Threads that wait at the end are asked as well.
//! - A step can ask for inputs (below), and touch something else with each, or wait. Steps of one thread with different inputs
//!   exclude each other, as if they conflicted. All that are possible at a moment are explored from there when one is; what the
//!   thread could do with others, later, is asked for in the same way as for a reversed step.
//! - The machine is not started anew for each execution: it goes back (`tp_machine::Session`). Steps that were seen before with
//!   the same reads are taken without it (`stand`).
//!
//! Why nothing is missed. Let `E` be a moment from which everything that begins with one of the steps `P` was explored, and `w` a continuation
//! to the end that can begin with none of them. Each step of `P` conflicts with something in `w`; take one, `r`, whose first conflict, with
//! a step `x` of thread `q`, comes last: `w = u x …`, `r` independent of `u`. If several do, take one that changes least of what `x` reads,
//! in the order in which it reads. `E r u` is an execution, so one that goes on from there was explored, and from it the following is planned. If `x` reads
//! nothing that `r` writes (or always does the same), then `x` is possible after `E r u` and an execution with it there was explored;
//! its reversal is planned, after all that does not happen after `r`. Otherwise `q`, asked after `E` and those events of `u` from which
//! `x` reads, gives `x`: that is one of the sets asked for, whether or not `q` could ever step with `r` before it. The same if `r` is a
//! step of `q` itself, with other inputs; such an `r` is only taken if there is no other. In both cases
//! what is planned is `u x` together with events that neither change what `x` reads nor come after `r`. One of `P` can come
//! first in it. It cannot be a step of `u x`, for then `w` could begin with it; and if it is none of those, its first
//! conflict with `w` comes later than that of `r`, or changes less of what `x` reads, against the choice of `r`.
//!
//! One execution that goes on from `E r u` is enough. So nothing is planned from `r` and a step that the execution before had as
//! well, if everything that is new in this one happens after `r`: then it is in that one, too, that `E r u` was followed.
//!
//! Why nothing is explored twice: a planned sequence wakes everything that sleeps, because what its steps touch is known and not
//! guessed. `redundant` counts executions of which this turned out to be wrong.
//!
//! # Loops
//!
//! A step that leaves memory and its own thread as they were has not happened: the thread waits, like at an `await`, until
//! something that it has read is written. So a loop that reads one variable until it changes has one trace for each value that lets it
//! go on. A round of several steps that changes nothing is taken once, and again when something was written that it has read.
//! Other loops that need not end make endless executions: those end at `max_steps`, and the outcome is unknown.
//!
//! # Races
//!
//! Where all atomics synchronise, a data race exists if and only if two conflicting accesses, one of them an ordinary one, come
//! right after one another in some execution: such a pair is shown to the machine with its clocks. In programs with weaker
//! atomics the machine keeps clocks all the way.
//!
//! # Inputs
//!
//! Each value of an input of up to eight bits is an execution of its own. Of a larger one some values are tried, and if
//! nothing fails the outcome is unknown.
//!
//! With somebody who solves (`explore_with`), only inputs of one or two bits are decisions of that kind. The others have
//! one value each while all executions are explored, and the machine notes whatever is decided by something that
//! was computed from them. Other inputs for which all that is decided in the same way have the same executions: they are a
//! *class*, and one of it is enough. The solver is asked for inputs of a class that was not explored, until there is none.
//!
//! Values that were never written are no inputs here: it is unknown what follows when one of
//! them decides something (and a violation, if that is to be checked), or becomes a number by an operation on its bits or as a
//! part of a number that was written otherwise.

mod ask;
mod confirm;
mod ends;
mod explorer;
mod forward;
mod memo;
mod path;
mod races;
mod stand;
mod tape;
mod touches;
mod wakeup_tree;

pub use explorer::asks_for_inputs;
use explorer::{Explorer, Over};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use tape::{Reader, Tape};
use tp_ir::{Checks, Program, Property};
pub use tp_machine::RunLimits;
use tp_machine::{Finding, Identity, InputKey, PathConstraint, Session, Symbols, Trace};

/// What an exploration may use.
pub struct ExploreLimits<'a> {
    /// One execution.
    pub run: RunLimits,
    pub max_executions: u64,
    /// All inputs are numbers below this, as the caller knows of the program; `None`: what their types allow.
    pub inputs_below: Option<u128>,
    /// Set from outside to end it early.
    pub stop: &'a AtomicBool,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// Every execution was explored, and none violates anything.
    Holds,
    /// One that does.
    Violation(Trace, Box<Finding>),
    /// Not everything was explored, and why.
    Unknown(String),
}

/// It was ended from outside.
const STOPPED: &str = "stopped";

/// That of an exploration that is not finished.
impl Default for Outcome {
    fn default() -> Outcome {
        Outcome::Unknown("not finished".to_owned())
    }
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Exploration {
    pub outcome: Outcome,
    /// Executions to their end, no two of which differ only in the order of independent steps.
    pub traces: u64,
    /// Those of them in which a thread waits at the end, or has stopped at an assumption.
    pub blocked: u64,
    /// Executions that were given up because they were found to be like others.
    pub redundant: u64,
    /// Classes of inputs that were explored, each with traces of its own.
    pub classes: u64,
    /// Steps executed for the first time; those that lead to where an execution parts from the one before do not count.
    pub steps: u64,
    /// Threads of an execution, at most.
    pub threads: u32,
    /// The outcome is unknown because of this: something undefined that was not to be checked.
    pub undefined: Option<Box<Finding>>,
    /// Memory that was not freed, which is reported if nothing else is found.
    late: Option<Box<Late>>,
}

/// A finding that the execution it is in does not end by.
#[derive(Clone, PartialEq, Debug)]
struct Late {
    trace: Trace,
    finding: Box<Finding>,
    /// Traces to explore for something else.
    max_traces: u64,
}

/// Traces that are explored for something else once a late finding is known, and as many as were needed to find it.
const AFTER_LATE: u64 = 10_000;

impl Exploration {
    pub fn executions(&self) -> u64 {
        self.traces + self.redundant
    }

    fn give_up(&mut self, reason: &str) {
        if self.outcome == Outcome::default() {
            self.outcome = Outcome::Unknown(reason.to_owned());
        }
    }

    /// There is no answer, and that is not only for lack of time.
    pub fn knows_why(&self) -> bool {
        match &self.outcome {
            Outcome::Unknown(why) => why != STOPPED && self.outcome != Outcome::default(),
            Outcome::Holds | Outcome::Violation(..) => false,
        }
    }

    /// What an execution does after this cannot be known.
    fn undefined(&mut self, program: &Program, finding: Box<Finding>) {
        if self.outcome == Outcome::default() {
            let place = finding.place().and_then(|place| program.line_text(place));
            let place = place.map_or(String::new(), |place| format!(": {place}"));
            self.give_up(&format!("undefined behaviour comes first{place}"));
            self.undefined = Some(finding);
        }
    }

    /// This happens. Nothing more is to be found after it, unless it may hide something worse.
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
    pub fn as_it_is(mut self) -> Exploration {
        if let Some(late) = self.late.take().filter(|_| !matches!(self.outcome, Outcome::Violation(..))) {
            self.outcome = Outcome::Violation(late.trace, late.finding);
            self.undefined = None;
        }
        self
    }

    /// There is nothing more to explore.
    fn finish(&mut self) {
        if self.outcome == Outcome::default() {
            self.outcome = Outcome::Holds;
        }
    }
}

/// Values of inputs; zero for those that are not there.
pub type Given = HashMap<InputKey, u128>;

/// What is still to be explored.
pub enum Other {
    /// These inputs are of no class that was explored.
    Inputs(Given),
    /// There are no others.
    None,
    /// There may be some, and why they are not known.
    Unknown(String),
}

/// Whoever finds inputs of other classes.
pub trait Solver {
    /// The class of inputs for which all these constraints hold has been explored.
    fn other(&mut self, symbols: &mut Symbols, constraints: &[PathConstraint]) -> Other;
}

/// Whoever wants to know what an exploration does.
pub trait Visitor {
    /// This was explored so far; called now and then.
    fn progress(&mut self, _so_far: &Exploration) {}

    /// Whether it wants to see each execution, which takes time.
    fn wants_executions(&self) -> bool {
        true
    }

    /// An execution came to its end.
    fn execution(&mut self, _trace: &Trace) {}
}

/// Wants to know nothing.
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

/// Explores all executions, for all inputs with the help of a solver.
pub fn explore_with(
    program: &Program,
    checks: Checks,
    limits: &ExploreLimits<'_>,
    solver: Option<&mut dyn Solver>,
    visitor: &mut dyn Visitor,
) -> Exploration {
    explore_past(program, checks, (limits, &[]), solver, visitor)
}

/// The same, for findings that are not known already.
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
    while !is_over {
        result.classes += 1;
        let inputs = (&tape, &symbols);
        is_over = explore_class(search, inputs, &mut result, visitor).is_err();
        let Some(solver) = solver.as_deref_mut().filter(|_| !is_over) else { break };
        let constraints = symbols.borrow_mut().take_constraints();
        match solver.other(&mut symbols.borrow_mut(), &constraints) {
            Other::Inputs(given) => tape.borrow_mut().followed = Some(given),
            Other::None => break,
            Other::Unknown(reason) => {
                result.give_up(&reason);
                break;
            }
        }
    }
    if let Some(name) = tape.into_inner().sampled {
        result.give_up(&format!("not all values of the input `{name}` were tried"));
    }
    if !is_over {
        result.finish();
    }
    result.as_it_is()
}

/// What is explored: what is looked for in which program, how long, and what was found before.
#[derive(Copy, Clone)]
pub(crate) struct Search<'a> {
    program: &'a Program,
    checks: Checks,
    limits: &'a ExploreLimits<'a>,
    known: &'a [Identity],
}

/// Explores all executions, with those inputs that are followed.
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

/// Explores all executions that begin with these inputs; with which others they could have begun.
fn explore_from(
    search: Search<'_>,
    (tape, symbols): (&RefCell<Tape>, &RefCell<Symbols>),
    given: &[u128],
    result: &mut Exploration,
    visitor: &mut dyn Visitor,
) -> Result<Vec<Vec<u128>>, Over> {
    let Search { program, checks, limits, known } = search;
    // Where all atomics synchronise, a race is there when two accesses come right after one another: no clocks needed.
    let on_the_way = if program.has_weak_atomics() { checks } else { checks.without(Property::Race) };
    let config = limits.run.config(on_the_way.with(Property::Uninitialised), limits.stop, false);
    let mut reader = Reader(tape);
    tape.borrow_mut().begin(given);
    let session = Session::past(program, &config, known, &mut reader, Some(symbols));
    let others = tape.borrow().alternatives(given.len()).into_iter().collect();
    match session {
        Ok(session) => {
            let mut explorer = Explorer::new(search, session, tape, result, visitor);
            // Clocks are of the whole execution, not of what one thread has read.
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
