//! What the verdict of a report rests on.

use crate::assumption::Assumptions;
use crate::facts;
use crate::report::{Reason, Report, Status};
use crate::stop::{Stop, StopReason};
use crate::task::Task;
use tp_ir::{FuncId, PlaceId};
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
        Status::HoldsWithin { bound, .. } => {
            ledger.already.push(Already::new(task.checks, &Verdict::WithinBounds(*bound)));
        }
        _ => ledger.already.extend(already(beside)),
    }
    if let Some(explored) = explored(task, beside) {
        ledger.explored = Some(explored);
    }
}

/// The parts of the question of which more is known than the verdict says.
fn already(report: &Report) -> Vec<Already> {
    let verdict = |bound: Option<u32>| bound.map_or(Verdict::Safe, Verdict::WithinBounds);
    let part = |(checks, bound)| Already::new(checks, &verdict(bound));
    report.better_than_overall().into_iter().map(part).collect()
}

/// How far loops were followed, where that limits the verdict.
fn bounds(task: &Task, report: &Report, stop: &Stop, stopped: Option<StopReason>) -> Option<Bounds> {
    let at = report.basis.next_bound?;
    let cut = match stopped {
        Some(StopReason::Interrupted) => format!("Ctrl-C, at unwind {at}"),
        Some(StopReason::Timeout) => {
            format!("--timeout {}, at unwind {at}", stop.timeout.unwrap_or_default())
        }
        Some(StopReason::OutOfMemory) => format!("the limit of --memory, at unwind {at}"),
        None => format!("the size of the program, at unwind {at}"),
    };
    match report.overall() {
        Status::Violated | Status::Holds | Status::Open => None,
        Status::HoldsWithin { bound, loops } => {
            let spot = |place: &PlaceId| tp_report::spot(&task.program, *place);
            let mut spots: Vec<_> = loops.iter().filter_map(spot).collect();
            spots.sort();
            spots.dedup();
            let asked = task.limits.max_unwind.filter(|unwind| unwind == bound);
            let asked = asked.map(|unwind| format!("--unwind {unwind}"));
            let name = |f: &FuncId| task.program.functions[*f].name.to_string();
            let not_reached = report.basis.not_entered.iter().map(name).collect();
            Some(Bounds { unwind: Some(*bound), loops: spots, not_reached, ended_by: asked.or(Some(cut)) })
        }
        Status::Unknown(reason) => {
            let is_cut = matches!(reason, Reason::Stopped | Reason::TooLarge);
            let ended_by = is_cut.then_some(cut);
            Some(Bounds { unwind: report.basis.bound, ended_by, ..Bounds::default() })
        }
    }
}
