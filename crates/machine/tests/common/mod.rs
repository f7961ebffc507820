//! Programs in the textual IR, run under many schedules. Each file of tests uses a part of it.
#![allow(dead_code)]

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use threadproof_machine::{
    Checks, Config, End, Inputs, RandomInputs, RandomSchedule, Replay, ReplayInputs, Run, Schedule, run,
};
use tp_ir::Program;

pub fn program(text: &str) -> Program {
    let text = format!("program LP64 entry &main\n{text}");
    tp_ir::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

pub fn run_checking(
    program: &Program,
    checks: Checks,
    schedule: &mut dyn Schedule,
    inputs: &mut dyn Inputs,
) -> Run {
    let stop = AtomicBool::new(false);
    let config = Config {
        checks,
        max_steps: 100_000,
        max_memory: 1 << 20,
        max_depth: 1000,
        stop: &stop,
        record_events: false,
        wakers: None,
    };
    run(program, &config, schedule, inputs, &mut |_, _| {})
}

pub fn run_with(program: &Program, schedule: &mut dyn Schedule, seed: u64) -> Run {
    run_checking(program, Checks::ALL, schedule, &mut RandomInputs::new(seed))
}

pub fn ends(text: &str) -> Vec<String> {
    ends_with(text, Checks::ALL)
}

/// Runs under 200 random schedules, replays each to the same end, and returns the words for the different ends.
pub fn ends_with(text: &str, checks: Checks) -> Vec<String> {
    let program = program(text);
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..200 {
        let (mut schedule, mut inputs) = (RandomSchedule::new(seed), RandomInputs::new(seed));
        let first = run_checking(&program, checks, &mut schedule, &mut inputs);
        let trace = Arc::new(first.trace.clone());
        let (mut schedule, mut inputs) = (Replay::new(trace.clone()), ReplayInputs::new(trace.clone()));
        let again = run_checking(&program, checks, &mut schedule, &mut inputs);
        assert_eq!(again.end, first.end, "seed {seed}");
        assert_eq!(again.trace, first.trace, "seed {seed}");
        seen.insert(word(&first.end));
    }
    seen.into_iter().collect()
}

pub fn word(end: &End) -> String {
    match end {
        End::Exited { status } => format!("exit {status}"),
        End::Violation(finding) => finding.property.word().to_owned(),
        End::Assumption => "assumption".to_owned(),
        End::Undefined(finding) => format!("undefined: {}", finding.property.word()),
        other => format!("{other:?}"),
    }
}

#[track_caller]
pub fn check(text: &str, expect: &[&str]) {
    assert_eq!(ends(text), expect);
}
