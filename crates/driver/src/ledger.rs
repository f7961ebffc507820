//! What the verdict of a report rests on.

use crate::assumption::Assumptions;
use crate::facts;
use crate::report::{Reason, Report, Status};
use crate::stop::{Stop, StopReason};
use crate::task::Task;
use tp_ir::{FuncId, PlaceId};
use tp_machine::{ContextBound, Within};
use tp_report::{Already, Bounds, Ledger, Verdict};

/// `stopped`: why the work was stopped from outside, if it was.
pub fn of(
    task: &Task,
    assumptions: &Assumptions,
    report: &Report,
    stop: &Stop,
    stopped: Option<StopReason>,
) -> Ledger {
    let mut ledger = facts::ledger(&task.program, task.checks, assumptions);
    ledger.bounds = bounds(task, report, stop, stopped);
    ledger.already = already(report);
    ledger.leave_open(report.open());
    let basis = &report.basis;
    ledger.until_undefined = basis.until_undefined;
    ledger.no_threads = basis.no_threads;
    ledger.sees_addresses = basis.sees_addresses;
    if let Some(layout) = basis.layout {
        ledger.layout = layout;
    }
    let is_open = stopped.is_some() && matches!(report.overall(), Status::Unknown(_));
    ledger.explored = explored(task, report).filter(|_| is_open);
    ledger
}

/// How many executions are known not to fail.
fn explored(task: &Task, report: &Report) -> Option<u64> {
    report.basis.executions.filter(|count| *count > 0 && task.known.is_empty())
}

/// Adds what an engine whose answer was not chosen knows of the whole question, or of parts.
pub fn add_beside(ledger: &mut Ledger, task: &Task, beside: &Report) {
    match beside.overall() {
        Status::HoldsWithin { within, .. } => {
            ledger.already.push(Already::new(task.checks, &Verdict::WithinBounds(*within)));
        }
        _ => ledger.already.extend(already(beside)),
    }
    if let Some(explored) = explored(task, beside) {
        ledger.explored = Some(explored);
    }
}

/// The parts of the question of which more is known than the verdict says.
fn already(report: &Report) -> Vec<Already> {
    let verdict = |within: Option<Within>| within.map_or(Verdict::Safe, Verdict::WithinBounds);
    let part = |(checks, within)| Already::new(checks, &verdict(within));
    report.better_than_overall().into_iter().map(part).collect()
}

/// How far loops and context switches were followed, where that limits the verdict.
fn bounds(task: &Task, report: &Report, stop: &Stop, stopped: Option<StopReason>) -> Option<Bounds> {
    let at = Within { unwind: report.basis.next_bound, contexts: report.basis.next_contexts };
    if at == Within::default() {
        return None;
    }
    let cut = match stopped {
        Some(StopReason::Interrupted) => format!("Ctrl-C, at {at}"),
        Some(StopReason::Timeout) => format!("--timeout {}, at {at}", stop.timeout.unwrap_or_default()),
        Some(StopReason::OutOfMemory) => format!("the limit of --memory, at {at}"),
        None => format!("the size of the program, at {at}"),
    };
    match report.overall() {
        Status::Violated | Status::Holds | Status::Open => None,
        Status::HoldsWithin { within, loops } => {
            let spot = |place: &PlaceId| tp_report::spot(&task.program, *place);
            let mut spots: Vec<_> = loops.iter().filter_map(spot).collect();
            spots.sort();
            spots.dedup();
            let name = |f: &FuncId| task.program.functions[*f].name.to_string();
            let not_reached = report.basis.not_entered.iter().map(name).collect();
            let Within { unwind, contexts } = *within;
            Some(Bounds {
                unwind,
                contexts,
                loops: spots,
                not_reached,
                ended_by: Some(ended_by(task, within, cut)),
            })
        }
        Status::Unknown(reason) => {
            let is_cut = matches!(reason, Reason::Stopped | Reason::TooLarge);
            let ended_by = is_cut.then_some(cut);
            Some(Bounds { unwind: report.basis.bound, ended_by, ..Bounds::default() })
        }
    }
}

/// The options that set the bounds; `cut` is what ended the work where a bound was not set.
fn ended_by(task: &Task, within: &Within, cut: String) -> String {
    let unwind = within.unwind.filter(|unwind| task.limits.max_unwind == Some(*unwind));
    let contexts = within.contexts.filter(|contexts| task.limits.contexts == ContextBound::AtMost(*contexts));
    let is_cut = unwind != within.unwind || contexts != within.contexts;
    let asked = [unwind.map(|n| format!("--unwind {n}")), contexts.map(|n| format!("--contexts {n}"))];
    let all: Vec<String> = is_cut.then_some(cut).into_iter().chain(asked.into_iter().flatten()).collect();
    all.join(", ")
}
