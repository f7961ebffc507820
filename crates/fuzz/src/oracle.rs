//! Whether anything can fail, found out by the explorer, which executes the program in every way on the concrete machine. Nothing
//! of what the other engines are made of is used.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tp_explore::{Limits, Outcome, Visitor};
use tp_ir::{Checks, Program};
use tp_machine::{Config, Replay, ReplayInputs, Trace, What};

/// What executing in every way has shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Truth {
    /// One way to fail.
    Fails(String),
    /// No way fails.
    Holds,
    /// Why it is not known.
    Unknown(String),
}

#[derive(Clone, Debug)]
pub struct Answer {
    pub truth: Truth,
    pub traces: u64,
}

/// Steps of one execution; more means that the program does not end.
const MAX_STEPS: u64 = 3_000;
const MAX_MEMORY: u64 = 1 << 24;
const MAX_DEPTH: usize = 100;
/// The generator masks its inputs.
const INPUTS_BELOW: u128 = 4;

/// Explores the program.
pub fn explore(program: &Program, checks: Checks, max_traces: u64) -> Answer {
    visit(program, checks, max_traces, &mut ())
}

/// What is written to the variable `outcome`, and in how many executions.
pub fn outcomes(program: &Program, checks: Checks, max_traces: u64) -> BTreeMap<i64, u64> {
    let mut outcomes = Outcomes { program, checks, found: BTreeMap::new() };
    visit(program, checks, max_traces, &mut outcomes);
    outcomes.found
}

fn visit(program: &Program, checks: Checks, max_traces: u64, visitor: &mut dyn Visitor) -> Answer {
    let stop = AtomicBool::new(false);
    let limits = Limits {
        max_steps: MAX_STEPS,
        max_executions: max_traces,
        max_memory: MAX_MEMORY,
        max_depth: MAX_DEPTH,
        inputs_below: Some(INPUTS_BELOW),
        stop: &stop,
    };
    let explored = tp_explore::explore(program, checks, &limits, visitor);
    let truth = match explored.outcome {
        Outcome::Holds => Truth::Holds,
        Outcome::Violation(_, finding) => {
            Truth::Fails(format!("{}: {}", finding.property.word(), finding.message))
        }
        Outcome::Unknown(why) => Truth::Unknown(why),
    };
    Answer { truth, traces: explored.traces }
}

struct Outcomes<'p> {
    program: &'p Program,
    checks: Checks,
    found: BTreeMap<i64, u64>,
}

impl Visitor for Outcomes<'_> {
    fn execution(&mut self, trace: &Trace) {
        let stop = AtomicBool::new(false);
        let config = Config {
            checks: self.checks,
            max_steps: MAX_STEPS,
            max_memory: MAX_MEMORY,
            max_depth: MAX_DEPTH,
            stop: &stop,
            record_events: true,
        };
        let trace = Arc::new(trace.clone());
        let (mut schedule, mut inputs) = (Replay::new(trace.clone()), ReplayInputs::new(trace));
        let run = tp_machine::run(self.program, &config, &mut schedule, &mut inputs, &mut |_, _| {});
        for event in &run.events {
            if let What::Write { object, value } = &event.what
                && object == "outcome"
                && let Ok(value) = value.parse()
            {
                *self.found.entry(value).or_default() += 1;
            }
        }
    }
}
