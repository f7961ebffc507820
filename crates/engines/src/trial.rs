//! A few runs of a program that the analysis calls race-free.
//!
//! The result of the analysis holds up to the first undefined behaviour. An access outside its object may touch
//! anything, also memory of another thread: where a run makes one, nothing is known of what follows. That these runs
//! make none does not prove that no run can; the ledger says so. Undefined arithmetic does not matter: the analysis
//! tracks no values. And a run that races would show that the analysis is wrong.

use crate::check::{CheckOptions, CheckVerdict, UnknownReason};
use tp_events::UndefinedBehaviour;
use tp_ir::{Program, Property};
use tp_machine::{End, RandomInputs, RandomSchedule, RunLimits};

/// Runs, and steps of each: some milliseconds in all.
const RUNS: u64 = 16;
const MAX_STEPS: u64 = 10_000;

/// `Some`: a run with a race, or with an invalid access that leaves open whether anything races.
pub(crate) fn objection(program: &Program, options: &CheckOptions) -> Option<CheckVerdict> {
    let limits = RunLimits { max_steps: MAX_STEPS, ..RunLimits::default() };
    let config = limits.config(options.checks, &options.stop, false);
    (0..RUNS).find_map(|seed| {
        let (mut schedule, mut inputs) = (RandomSchedule::new(seed), RandomInputs::new(seed));
        let run = tp_machine::run(program, &config, &mut schedule, &mut inputs, &mut |_, _| {});
        match &run.end {
            End::Violation(_) => {
                let trace = Box::new(run.trace.clone());
                Some(CheckVerdict::Violated { run: Box::new(run), trace })
            }
            End::Undefined(finding) if leaves_memory(finding.property) => {
                let (what, place) = (UndefinedBehaviour::Property(finding.property), finding.place()?);
                Some(CheckVerdict::Unknown(UnknownReason::Undefined { what, place }))
            }
            _ => None,
        }
    })
}

fn leaves_memory(property: Property) -> bool {
    use Property::*;
    matches!(property, InvalidDeref | OutOfBounds | UseAfterFree | DoubleFree | InvalidFree)
}
