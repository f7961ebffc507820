//! Runs a program concretely, all its threads on one thread of ours, every decision recorded.
//!
//! | module | what is in it |
//! |---|---|
//! | `value`, `memory` | values that know their object; objects of bytes; undoing a step |
//! | `thread` | the stack of a thread, what it holds and waits for |
//! | `state` | the state of a run, which can be copied |
//! | `observe` | observers of a run |
//! | `machine`, `beginning` | the machine that steps it, and how a run begins |
//! | `step`, `stopped`, `stuck`, `wakers` | choosing, taking and undoing steps; threads that stop for ever; livelocks; who can wake whom |
//! | `exec` | one instruction of one thread |
//! | `race` | happens-before, and accesses that it does not order |
//! | `symbols` | how values depend on inputs, and what they have decided |
//! | `session`, `touch` | a run decided from outside that can go back; what a step touched |
//! | `digest` | a fingerprint of the whole state |
//! | `decide`, `guided`, `layout`, `trace` | schedules, inputs and addresses, and the record of what they decided |
//! | `contexts` | bounds on context switches |
//! | `finding`, `cause`, `named` | what was wrong, as data; objects as the user knows them |
//! | `facts`, `hindsight` | how that data is collected; what only a second look at a run shows |
//! | `known` | findings that a run goes past to look for further ones |
//! | `leak`, `float_text` | memory that nothing points to; numbers as text |
//!
//! A *step* is what no other thread can separate: one access to memory that others can reach, or one atomic section.
//! Everything in between is local to its thread and is executed together with the step before it.
//!
//! The crate reads no files, prints nothing, and does not panic: whatever the program does ends in an `End`.

mod beginning;
mod cause;
mod clock;
mod contexts;
mod decide;
mod digest;
mod exec;
mod facts;
mod finding;
mod float_text;
mod guided;
mod hindsight;
mod known;
mod layout;
mod leak;
mod machine;
mod memory;
mod named;
mod observe;
mod race;
mod session;
mod state;
mod step;
mod stopped;
mod stuck;
mod symbols;
mod thread;
mod touch;
mod trace;
mod value;
mod wakers;

pub use cause::{
    AccessFault, BadAccess, BadFree, Began, BlockedOn, DataRace, Deadlock, DeadlockForm, EndedBy,
    FirstAccess, FreeFault, LockHolder, Lost, MissedSignal, Mistake, Misuse, NotedBy, ObjectBeginning,
    ObjectEnd, ObjectHistory, Owner, RacedObject, RacingAccess, Stuck, Unordered, WaitingThread,
};
pub use clock::{Clock, RestEnd};
pub use contexts::{ContextBound, Within};
pub use decide::{
    Choice, InputRequest, InputSource, Inputs, Pct, PrefixThen, Random, RandomInputs, RandomSchedule, Replay,
    ReplayInputs, RoundRobin, Schedule, UNNAMED_VALUE, mixed_schedule,
};
pub use digest::{Beside, LockKey, TrackedAccess, TrackedBytes};
pub use finding::{Cause, End, Event, Finding, HeldLock, Moment, Run, StackEntry, What};
pub use guided::{Guided, GuidedInputs, UnwrittenBytes};
pub use hindsight::Guarding;
pub use known::{Identity, Line, line_of};
pub use layout::{Layout, ObjectName};
pub use named::NamedObject;
pub use observe::{ObservedAccess, Observer};
pub use race::AccessKind;
pub use session::{Attempt, NextStepKind, Session};
pub use state::RunState;
pub use symbols::{InputKey, PathConstraint, SymbolOrigin, Symbols};
pub use touch::{Touch, maker};
pub use tp_ir::Checks;
pub use trace::{Input, ThreadNumber, Trace};
pub use wakers::Wakers;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tp_ir::Program;

/// What a run may use and what it looks for.
pub struct Config<'a> {
    pub checks: Checks,
    /// Steps, and jumps and calls in between, before the run is given up.
    pub max_steps: u64,
    /// Bytes of the program's memory.
    pub max_memory: u64,
    /// Nested calls of one thread.
    pub max_depth: usize,
    /// Set from outside to end the run early.
    pub stop: &'a AtomicBool,
    /// Fill `Run::events`.
    pub record_events: bool,
    /// Look for threads that wait for ever while others go on, with these facts about the program.
    pub wakers: Option<&'a Wakers>,
}

/// What one run may use: the same for every engine, unless the user says otherwise.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct RunLimits {
    /// Steps, and jumps and calls in between, before the run is given up.
    pub max_steps: u64,
    /// Bytes of the program's memory.
    pub max_memory: u64,
    /// Nested calls of one thread. The unfolding stops earlier, where its `MAX_DEPTH` says why.
    pub max_depth: usize,
}

impl Default for RunLimits {
    fn default() -> RunLimits {
        RunLimits { max_steps: 100_000_000, max_memory: 1 << 30, max_depth: 100_000 }
    }
}

impl RunLimits {
    /// The configuration of a run with these checks.
    pub fn config(self, checks: Checks, stop: &AtomicBool, record_events: bool) -> Config<'_> {
        let RunLimits { max_steps, max_memory, max_depth } = self;
        Config { checks, max_steps, max_memory, max_depth, stop, record_events, wakers: None }
    }
}

/// Where the program writes to: 1 is its standard output, 2 its standard error.
pub type Output<'a> = dyn FnMut(u32, &[u8]) + 'a;

/// What decides a run, and what takes its output.
pub struct Environment<'a> {
    pub schedule: &'a mut dyn Schedule,
    pub inputs: &'a mut dyn Inputs,
    pub output: &'a mut Output<'a>,
}

impl<'a> Environment<'a> {
    /// The same for a shorter time: the compiler shortens each reference, but not the whole.
    fn shorter<'b>(self) -> Environment<'b>
    where
        'a: 'b,
    {
        let Environment { schedule, inputs, output } = self;
        Environment { schedule, inputs, output }
    }
}

/// Runs the program once.
pub fn run(
    program: &Program,
    config: &Config<'_>,
    schedule: &mut dyn Schedule,
    inputs: &mut dyn Inputs,
    output: &mut Output<'_>,
) -> Run {
    run_past(program, config, &[], Environment { schedule, inputs, output })
}

/// Runs the program once, past known findings.
pub fn run_past(
    program: &Program,
    config: &Config<'_>,
    known: &[Identity],
    environment: Environment<'_>,
) -> Run {
    let run = machine::Machine::new(program, config, (known, None), environment.shorter()).run();
    explain(program, config, known, run)
}

/// Runs the program once, past known findings, with an observer.
pub fn run_observed(
    program: &Program,
    config: &Config<'_>,
    known: &[Identity],
    environment: Environment<'_>,
    observer: &mut dyn Observer,
) -> Run {
    let mut machine = machine::Machine::new(program, config, (known, None), environment.shorter());
    machine.watch.observer = Some(observer);
    explain(program, config, known, machine.run())
}

/// Goes on from a state that a run of the program had. The trace is that of the whole run.
pub fn run_from<'p>(
    program: &'p Program,
    config: &Config<'_>,
    state: RunState<'p>,
    environment: Environment<'_>,
) -> Run {
    let machine = machine::Machine::new(program, config, (&[], None), environment.shorter());
    explain(program, config, &[], machine.run_from(state))
}

/// Repeats the run with the same decisions, if that explains its end.
fn explain(
    program: &Program,
    config: &Config<'_>,
    known: &[Identity],
    mut run: machine::UnexplainedRun,
) -> Run {
    if let Some(question) = run.question.take() {
        let trace = Arc::new(std::mem::take(&mut run.run.trace));
        let environment = Environment {
            schedule: &mut Replay::new(trace.clone()),
            inputs: &mut ReplayInputs::new(trace.clone()),
            output: &mut |_, _| {},
        };
        let again = machine::Machine::new(program, config, (known, Some(question)), environment).run();
        if matches!(again.run.end, End::Violation(_) | End::Undefined(_)) {
            run.run.end = again.run.end;
        }
        run.run.trace = Arc::unwrap_or_clone(trace);
    }
    run.run
}
