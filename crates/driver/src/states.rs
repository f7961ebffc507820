//! The engine that visits the states of the program instead of its executions.

use crate::explore::{Told, report};
use crate::facts;
use crate::monitor::Monitor;
use crate::report::Report;
use crate::task::Task;
use tp_explore::{ExploreLimits, StateFacts};
use tp_report::count;

pub fn ask(task: &Task, monitor: &mut Monitor<'_>) -> Report {
    let stop = monitor.stop().clone();
    let limits = ExploreLimits {
        run: task.limits.run,
        max_executions: task.limits.max_executions,
        inputs_below: None,
        stop: &stop,
    };
    let is_race_free = tp_apart::may_race(&task.program, &stop).is_ok_and(|open| open.pairs.is_empty());
    let sees_addresses = facts::sees_addresses(&task.program);
    let facts = StateFacts { is_race_free, sees_addresses };
    let mut told = Told { task, sees_addresses, monitor };
    let explored =
        tp_explore::explore_states(&task.program, task.checks, (&limits, &task.known), facts, &mut told);
    report(task, sees_addresses, explored)
}

pub fn progress(so_far: &Report) -> String {
    count(so_far.counters.get("states").unwrap_or(0), "state")
}
