//! The engine that visits the states of the program instead of its executions.

use crate::explore::{Told, report};
use crate::facts;
use crate::monitor::Monitor;
use crate::report::Report;
use crate::task::Task;
use std::collections::HashMap;
use tp_apart::Instruction;
use tp_explore::StateFacts;
use tp_ir::{BlockId, FuncId};
use tp_report::count;

pub fn ask(task: &Task, monitor: &mut Monitor<'_>) -> Report {
    let stop = monitor.stop().clone();
    let limits = task.limits.of_exploration(&stop);
    let open = tp_apart::may_race(&task.program, &stop).ok();
    let is_race_free = open.as_ref().is_some_and(|open| open.pairs.is_empty());
    let sees_addresses = facts::sees_addresses(&task.program);
    let sets = open.map(|open| open.interchangeable).unwrap_or_default();
    let facts = StateFacts { is_race_free, sees_addresses, interchangeable: interchangeable(&sets) };
    let mut told = Told { task, sees_addresses, monitor };
    let explored =
        tp_explore::explore_states(&task.program, task.checks, (&limits, &task.known), &facts, &mut told);
    report(task, sees_addresses, explored)
}

/// The set that the threads of a call belong to.
fn interchangeable(sets: &[Vec<Instruction>]) -> HashMap<(FuncId, BlockId, usize), u32> {
    let number = |i: &Instruction| (i.function, i.block, i.index);
    let calls =
        |(set, calls): (u32, &Vec<Instruction>)| calls.iter().map(|c| (number(c), set)).collect::<Vec<_>>();
    (0..).zip(sets).flat_map(calls).collect()
}

pub fn progress(so_far: &Report) -> String {
    count(so_far.counters.get("states").unwrap_or(0), "state")
}
