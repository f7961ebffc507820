//! Every execution of a program, by the explorer, which shares nothing with the other engines: whether anything fails, and
//! what comes out.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use tp_driver::{Execution, RunConfig};
use tp_explore::{Exploration, ExploreLimits, Outcome, Visitor};
use tp_ir::{Checks, Program, Property};
use tp_machine::{Input, RunLimits, Trace, What};

/// What one execution may use; more means that the program does not end.
pub const LIMITS: RunLimits = RunLimits { max_steps: 3_000, max_memory: 1 << 24, max_depth: 100 };
/// The generator masks its inputs. Which of those that wait a signal wakes is an input of a bit for each thread; there are
/// at most four.
pub const INPUTS_BELOW: u128 = 16;

/// A run that was recorded, once more.
pub fn replay(program: &Program, checks: Checks, trace: &Trace, record_events: bool) -> Execution {
    Execution::of(program, RunConfig { checks, limits: LIMITS, past: &[] }, trace, record_events)
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

fn limits(max_executions: u64, inputs_below: Option<u128>, stop: &AtomicBool) -> ExploreLimits<'_> {
    ExploreLimits { run: LIMITS, max_executions, inputs_below, stop }
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
        for event in replay(self.program, self.checks, trace, true).run.events {
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
    found: BTreeMap<String, Vec<OracleInputs>>,
    /// Some thread may wait for ever.
    pub may_wait: bool,
}

/// Names and values, sorted: in which order threads ask is nothing that a compiled program would tell.
pub type OracleInputs = Vec<(String, u64)>;

impl States {
    /// Whether an execution that has asked for these inputs, and perhaps for more by now, can have printed this.
    pub fn has(&self, printed: &str, inputs: &OracleInputs) -> bool {
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
fn is_part(part: &OracleInputs, of: &OracleInputs) -> bool {
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
        // Where it is checked, what was never written is no input; whatever else is wrong, the exploration finds.
        let checks = Checks::NONE.with(Property::Uninitialised);
        let Execution { run, written } = replay(self.program, checks, trace, false);
        let text = written.stdout();
        if !is_whole(&text) {
            return;
        }
        let mut inputs: OracleInputs = run.trace.inputs.iter().map(named).collect();
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
