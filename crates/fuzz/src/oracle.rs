//! Every execution of a program, by the explorer, which shares nothing with the other engines: whether anything fails,
//! and which outcomes there are.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use tp_driver::{Execution, RunConfig};
use tp_explore::{Exploration, ExploreLimits, Outcome, Visitor};
use tp_ir::{Checks, Program, Property};
use tp_machine::{ContextBound, Input, RunLimits, Trace, What};

/// What one execution may use; more means that the program does not end.
pub const LIMITS: RunLimits = RunLimits { max_steps: 3_000, max_memory: 1 << 24, max_depth: 100 };
/// The generator masks its inputs. Which waiting thread a signal wakes is an input with one bit for each thread; there
/// are at most four.
pub const INPUTS_BELOW: u128 = 16;

/// Replays a recorded run.
pub fn replay(program: &Program, checks: Checks, trace: &Trace, record_events: bool) -> Execution {
    Execution::of(program, RunConfig { checks, limits: LIMITS, past: &[] }, trace, record_events)
}

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
    ExploreLimits { run: LIMITS, max_executions, inputs_below, contexts: ContextBound::None, stop }
}

/// The values that are written to the variable `outcome`, and how often in all executions.
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

/// What a program without undefined behaviour can print, and after which inputs.
#[derive(Default, Debug)]
pub struct States {
    found: BTreeMap<String, Vec<OracleInputs>>,
    /// Some thread may wait for ever.
    pub may_wait: bool,
}

/// Names and values, sorted: a compiled program need not ask in the same order.
pub type OracleInputs = Vec<(String, u64)>;

impl States {
    /// Whether an execution with these inputs, and perhaps further ones, can print this.
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

/// What can be printed. `Err`: the exploration is incomplete, or behaviour is undefined and anything can be printed.
pub fn states(program: &Program, max_traces: u64, stop: &AtomicBool) -> Result<States, String> {
    // Violations of these are defined behaviour.
    let defined = [Property::Assert, Property::ReachError, Property::Leak, Property::Deadlock];
    let checks = defined.into_iter().fold(Checks::ALL, Checks::without);
    let mut visitor = Printed { program, states: States::default() };
    let explored = explore(program, checks, max_traces, stop, &mut visitor);
    let mut states = visitor.states;
    states.may_wait = explored.blocked > 0;
    match explored.outcome {
        Outcome::Holds => Ok(states),
        Outcome::Violation(_, finding) => Err(finding.property.word().to_owned()),
        Outcome::Unknown(why) => Err(format!("{why:?}")),
    }
}

struct Printed<'p> {
    program: &'p Program,
    states: States,
}

impl Visitor for Printed<'_> {
    fn execution(&mut self, trace: &Trace) {
        // With this check, unwritten memory is no input. The exploration itself reports everything else.
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
