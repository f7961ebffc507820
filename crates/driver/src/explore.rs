//! The engine that executes the program in every order of its steps that makes a difference.

use crate::facts;
use crate::monitor::Monitor;
use crate::report::{Basis, Counters, Failure, Reason, Report, Status};
use crate::task::Task;
use tp_explore::{Exploration, ExploreLimits, Outcome, Visitor};
use tp_report::count;

pub fn ask(task: &Task, monitor: &mut Monitor<'_>) -> Report {
    let stop = monitor.stop().clone();
    let limits = ExploreLimits {
        run: task.limits.run,
        max_executions: task.limits.max_executions,
        inputs_below: None,
        stop: &stop,
    };
    let mut classes = tp_inputs::Classes::new(stop.clone());
    let sees_addresses = facts::sees_addresses(&task.program);
    let mut told = Told { task, sees_addresses, monitor };
    let known = (&limits, &task.known[..]);
    let explored = tp_explore::explore_past(&task.program, task.checks, known, Some(&mut classes), &mut told);
    report(task, sees_addresses, explored)
}

/// Tells the monitor how far the exploration is.
struct Told<'a, 'm> {
    task: &'a Task,
    sees_addresses: bool,
    monitor: &'a mut Monitor<'m>,
}

impl Visitor for Told<'_, '_> {
    fn progress(&mut self, so_far: &Exploration) {
        self.monitor.tell(report(self.task, self.sees_addresses, so_far.clone().into_answer()));
    }

    fn wants_executions(&self) -> bool {
        false
    }
}

fn report(task: &Task, sees_addresses: bool, explored: Exploration) -> Report {
    let counters = counters(&explored);
    let holds = explored.outcome == Outcome::Holds;
    let knows_why = explored.knows_why();
    let basis = Basis {
        no_threads: holds && explored.threads <= 1 && task.program.starts_threads(),
        sees_addresses,
        layout: Some("each object lies where a run puts it"),
        executions: Some(explored.traces),
        ..Basis::default()
    };
    let checks = task.checks;
    let status = match (explored.outcome, explored.undefined) {
        (Outcome::Violation(trace, finding), _) => {
            let failure = Failure { finding, trace: Box::new(trace) };
            return Report { counters, basis, ..Report::violated(checks, failure) };
        }
        (Outcome::Holds, _) => Status::Holds,
        (Outcome::Unknown(_), Some(finding)) => Status::Unknown(Reason::MetUndefined(finding)),
        (Outcome::Unknown(why), None) if knows_why => Status::Unknown(Reason::Other(why)),
        (Outcome::Unknown(_), None) => Status::Unknown(Reason::Stopped),
    };
    Report { status: vec![(checks, status)], counters, basis, ..Report::nothing_yet(checks) }
}

fn counters(explored: &Exploration) -> Counters {
    let Exploration { traces, blocked, redundant, classes, steps, .. } = explored;
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
