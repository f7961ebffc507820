//! The engine that executes the program in every order of its steps that makes a difference.

use crate::facts;
use crate::monitor::Monitor;
use crate::report::{Basis, Counters, Failure, Reason, Report, Status};
use crate::task::Task;
use tp_explore::{Exploration, Incomplete, Outcome, Visitor};
use tp_machine::{End, Within};
use tp_report::count;

pub fn ask(task: &Task, monitor: &mut Monitor<'_>) -> Report {
    let stop = monitor.stop().clone();
    let limits = task.limits.of_exploration(&stop);
    let mut classes = tp_inputs::Classes::new(stop.clone());
    let sees_addresses = facts::sees_addresses(&task.program);
    let mut told = Told { task, sees_addresses, monitor, report };
    let known = (&limits, &task.known[..]);
    let explored = tp_explore::explore_past(&task.program, task.checks, known, Some(&mut classes), &mut told);
    report(task, sees_addresses, explored)
}

/// What holds, holds for executions with at most so many context switches, unless none has more.
fn bounded(status: Status, explored: &Exploration) -> Status {
    let is_bounded = match status {
        Status::Holds => !explored.is_exhausted(),
        Status::Unknown(_) => explored.is_stopped(),
        _ => false,
    };
    match explored.complete_bound.filter(|_| is_bounded) {
        Some(contexts) => Status::HoldsWithin { within: Within::contexts(contexts), loops: Vec::new() },
        None => status,
    }
}

/// Tells the monitor how far the exploration is.
pub(crate) struct Told<'a, 'm> {
    pub task: &'a Task,
    pub sees_addresses: bool,
    pub monitor: &'a mut Monitor<'m>,
    /// What would be answered if the exploration ended now.
    pub report: fn(&Task, bool, Exploration) -> Report,
}

impl Visitor for Told<'_, '_> {
    fn progress(&mut self, so_far: &Exploration) {
        self.monitor.tell((self.report)(self.task, self.sees_addresses, so_far.clone().into_answer()));
    }

    fn wants_executions(&self) -> bool {
        false
    }
}

pub(crate) fn report(task: &Task, sees_addresses: bool, explored: Exploration) -> Report {
    let counters = counters(&explored);
    let holds = explored.outcome == Outcome::Holds;
    let basis = Basis {
        no_threads: holds && explored.threads <= 1 && task.program.starts_threads(),
        sees_addresses,
        layout: Some("each object lies where a run puts it"),
        executions: (explored.passes == 0).then_some(explored.traces),
        next_contexts: explored.bound,
        ..Basis::default()
    };
    let checks = task.checks;
    let status = match (&explored.outcome, &explored.undefined) {
        (Outcome::Violation(trace, finding), _) => {
            let failure = Failure { finding: finding.clone(), trace: Box::new(trace.clone()) };
            return Report { counters, basis, ..Report::violated(checks, failure) };
        }
        (Outcome::Holds, _) => Status::Holds,
        (Outcome::Unknown(_), Some(finding)) => Status::Unknown(Reason::MetUndefined(finding.clone())),
        (Outcome::Unknown(why), None) => Status::Unknown(reason(task, why.clone())),
    };
    let status = bounded(status, &explored);
    Report { status: vec![(checks, status)], counters, basis, ..Report::nothing_yet(checks) }
}

fn reason(task: &Task, why: Incomplete) -> Reason {
    let because = |sentence: &str| Reason::Other(sentence.to_owned());
    match why {
        Incomplete::NotFinished | Incomplete::Stopped | Incomplete::Undefined => Reason::Stopped,
        Incomplete::MoreExecutions(count) => {
            Reason::Other(format!("{count} executions were explored and there are more"))
        }
        Incomplete::MoreStates(count) => {
            Reason::Other(format!("{count} states were visited and there are more"))
        }
        Incomplete::Ended(end) => in_the_way(&end).unwrap_or_else(|| {
            Reason::Other(tp_report::end_reason(&task.program, &end, task.limits.run.max_steps))
        }),
        Incomplete::NotConfirmed(property) => {
            Reason::Other(format!("not confirmed by replay: {}", property.title()))
        }
        Incomplete::UnwrittenBits => because("bits of a value that was never written are used"),
        Incomplete::OrderOfObjects => {
            because("addresses of different objects are compared, and other orders were not tried")
        }
        Incomplete::EarlierExit => {
            because("undecided: memory that is not freed if the program exits while other threads run")
        }
        Incomplete::NotRepeated => because("an execution could not be repeated"),
        Incomplete::InputValues(name) => {
            Reason::Other(format!("not all values of the input `{name}` were tried"))
        }
        Incomplete::Addresses => {
            because("the program computes with addresses, so that its states cannot be compared")
        }
        Incomplete::WeakAtomics => because("undecided: races that depend on how weak atomics order accesses"),
        Incomplete::Solver(fault) => Reason::Other(format!("the solver cannot go on: {fault}")),
    }
}

/// What the program does that no engine can follow.
fn in_the_way(end: &End) -> Option<Reason> {
    match end {
        End::Unmodelled { function, at } => {
            Some(Reason::Unmodelled { function: function.clone(), place: at.place()? })
        }
        End::Unsupported { what, at } => {
            Some(Reason::Gap { what: what.clone(), place: at.place()?, can_run: false })
        }
        _ => None,
    }
}

fn counters(explored: &Exploration) -> Counters {
    let Exploration { traces, blocked, redundant, classes, steps, states, passes, .. } = explored;
    if *passes > 0 {
        return Counters(vec![("states", *states), ("passes", *passes)]);
    }
    Counters(vec![
        ("traces", *traces),
        ("blocked", *blocked),
        ("redundant", *redundant),
        ("classes", *classes),
        ("steps", *steps),
    ])
}

pub fn progress(so_far: &Report) -> String {
    let get = |name: &str| so_far.counters.get(name).unwrap_or(0);
    format!("{}, {}", count(get("traces"), "trace"), count(get("steps"), "step"))
}
