//! The engines that visit the states of the program instead of its executions: all of them, or in the order of context
//! switches.

use crate::explore::{Told, report};
use crate::facts;
use crate::monitor::Monitor;
use crate::report::{Basis, Counters, Report};
use crate::task::Task;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use tp_apart::Instruction;
use tp_explore::{Exploration, LazyOptions, Solver, StateFacts};
use tp_ir::{BlockId, FuncId};
use tp_report::count;

pub fn ask(task: &Task, monitor: &mut Monitor<'_>) -> Report {
    let stop = monitor.stop().clone();
    let limits = task.limits.of_exploration(&stop);
    let facts = state_facts(task, &stop);
    let sees_addresses = facts.sees_addresses;
    let mut told = Told { task, sees_addresses, monitor, report };
    let explored =
        tp_explore::explore_states(&task.program, task.checks, (&limits, &task.known), &facts, &mut told);
    report(task, sees_addresses, explored)
}

fn state_facts(task: &Task, stop: &AtomicBool) -> StateFacts {
    let open = tp_apart::may_race(&task.program, stop).ok();
    let is_race_free = open.as_ref().is_some_and(|open| open.pairs.is_empty());
    let sees_addresses = facts::sees_addresses(&task.program);
    let sets = open.map(|open| open.interchangeable).unwrap_or_default();
    StateFacts { is_race_free, sees_addresses, interchangeable: interchangeable(&sets) }
}

/// The same in the order of context switches.
pub fn ask_lazy(task: &Task, monitor: &mut Monitor<'_>) -> Report {
    let stop = monitor.stop().clone();
    let limits = task.limits.of_exploration(&stop);
    let facts = state_facts(task, &stop);
    let sees_addresses = facts.sees_addresses;
    let mut told = Told { task, sees_addresses, monitor, report: report_lazy };
    let options = LazyOptions { reduces: task.limits.reduces, draws: task.limits.draws };
    let mut solver = || Box::new(tp_inputs::Classes::new(stop.clone())) as Box<dyn Solver>;
    let explored = tp_explore::explore_lazy(
        &task.program,
        task.checks,
        (&limits, &task.known),
        (&facts, &options),
        &mut solver,
        &mut told,
    );
    report_lazy(task, sees_addresses, explored)
}

/// The counters are the columns of the paper's tables.
fn report_lazy(task: &Task, sees_addresses: bool, explored: Exploration) -> Report {
    let Exploration { interleavings, states, classes, bound, .. } = explored;
    let tree = explored.tree.clone();
    let mut report = report(task, sees_addresses, explored);
    let mut counters = vec![("interleavings", interleavings), ("states", states), ("classes", classes)];
    counters.extend(bound.map(|bound| ("contexts", bound.into())));
    let failed = report.failure.as_ref();
    counters.push(("failed", failed.is_some().into()));
    counters.extend(failed.map(|failure| ("switches", failure.trace.context_switches() as u64)));
    report.counters = Counters(counters);
    report.tree = tree;
    report.basis = Basis { executions: None, ..report.basis };
    report
}

pub fn progress_lazy(so_far: &Report) -> String {
    let get = |name: &str| so_far.counters.get(name);
    let bound = get("contexts").map_or(String::new(), |bound| format!("contexts {bound}, "));
    format!("{bound}{}", count(get("states").unwrap_or(0), "state"))
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
