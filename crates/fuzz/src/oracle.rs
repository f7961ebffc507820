//! Every execution of a program, by the explorer, which shares nothing with the other engines: whether anything fails, and
//! what comes out.

use crate::ask::replayed;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use tp_explore::{Exploration, Limits, Outcome, Visitor};
use tp_ir::{Checks, Program, Property};
use tp_machine::{Config, Input, RunLimits, Trace, What};

/// What one execution may use; more means that the program does not end.
pub const LIMITS: RunLimits = RunLimits { max_steps: 3_000, max_memory: 1 << 24, max_depth: 100 };
/// The generator masks its inputs. Which of those that wait a signal wakes is an input of a bit for each thread; there are
/// at most four.
pub const INPUTS_BELOW: u128 = 16;

/// A machine that may do as much as an execution here.
pub fn config(checks: Checks, stop: &AtomicBool) -> Config<'_> {
    LIMITS.config(checks, stop, false)
}

/// Explores the program.
pub fn explore(
    program: &Program,
    checks: Checks,
    max_traces: u64,
    stop: &AtomicBool,
    visitor: &mut dyn Visitor,
) -> Exploration {
    tp_explore::explore(program, checks, &limits(max_traces, Some(INPUTS_BELOW), stop), visitor)
}

fn limits(max_executions: u64, inputs_below: Option<u128>, stop: &AtomicBool) -> Limits<'_> {
    Limits {
        max_steps: LIMITS.max_steps,
        max_executions,
        max_memory: LIMITS.max_memory,
        max_depth: LIMITS.max_depth,
        inputs_below,
        stop,
    }
}

/// What is written to the variable `outcome`, and in how many executions.
pub fn outcomes(program: &Program, checks: Checks, max_traces: u64, stop: &AtomicBool) -> BTreeMap<i64, u64> {
    let mut outcomes = Outcomes { program, checks, found: BTreeMap::new() };
    explore(program, checks, max_traces, stop, &mut outcomes);
    outcomes.found
}

struct Outcomes<'p> {
    program: &'p Program,
    checks: Checks,
    found: BTreeMap<i64, u64>,
}

impl Visitor for Outcomes<'_> {
    fn execution(&mut self, trace: &Trace) {
        let stop = AtomicBool::new(false);
        let config = Config { record_events: true, ..config(self.checks, &stop) };
        for event in replayed(self.program, &config, trace, &mut |_, _| {}).events {
            if let What::Write { object, value } = &event.what
                && object == "outcome"
                && let Ok(value) = value.parse()
            {
                *self.found.entry(value).or_default() += 1;
            }
        }
    }
}

/// What a program that is always well defined can print, and after which inputs.
#[derive(Default, Debug)]
pub struct States {
    found: BTreeMap<String, Vec<Inputs>>,
    /// Some thread may wait for ever.
    pub may_wait: bool,
}

/// Names and values, sorted: in which order threads ask is nothing that a compiled program would tell.
pub type Inputs = Vec<(String, u64)>;

impl States {
    /// Whether an execution that has asked for these inputs, and perhaps for more by now, can have printed this.
    pub fn has(&self, printed: &str, inputs: &Inputs) -> bool {
        self.found.get(printed).is_some_and(|all| all.iter().any(|i| is_part(inputs, i)))
    }

    pub fn len(&self) -> usize {
        self.found.len()
    }

    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }
}

/// A state ends with a full stop: a thread may end the program while main is printing.
pub fn is_whole(state: &str) -> bool {
    state.ends_with('.')
}

/// Both are sorted.
fn is_part(part: &Inputs, of: &Inputs) -> bool {
    let mut rest = of.iter();
    part.iter().all(|p| rest.any(|i| i == p))
}

/// What can be printed; or why that is not known, or why anything can.
pub fn states(program: &Program, max_traces: u64, stop: &AtomicBool) -> Result<States, String> {
    // What is left out is defined.
    let defined = [Property::Assert, Property::ReachError, Property::Leak, Property::Deadlock];
    let checks = defined.into_iter().fold(Checks::ALL, Checks::without);
    let mut visitor = Printed { program, states: States::default() };
    let explored = explore(program, checks, max_traces, stop, &mut visitor);
    let mut states = visitor.states;
    states.may_wait = explored.blocked > 0;
    match explored.outcome {
        Outcome::Holds => Ok(states),
        Outcome::Violation(_, finding) => Err(finding.property.word().to_owned()),
        Outcome::Unknown(why) => Err(why),
    }
}

struct Printed<'p> {
    program: &'p Program,
    states: States,
}

impl Visitor for Printed<'_> {
    fn execution(&mut self, trace: &Trace) {
        let stop = AtomicBool::new(false);
        let mut text = Vec::new();
        // Where it is checked, what was never written is no input; whatever else is wrong, the exploration finds.
        let config = config(Checks::NONE.with(Property::Uninitialised), &stop);
        let run = replayed(self.program, &config, trace, &mut |_, bytes| text.extend(bytes));
        let text = String::from_utf8_lossy(&text).into_owned();
        if !is_whole(&text) {
            return;
        }
        let mut inputs: Inputs = run.trace.inputs.iter().map(named).collect();
        inputs.sort();
        let all = self.states.found.entry(text).or_default();
        if !all.contains(&inputs) {
            all.push(inputs);
        }
    }
}

fn named(input: &Input) -> (String, u64) {
    (input.name.clone(), input.bits as u64)
}
