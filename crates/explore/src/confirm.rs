//! Repeats a violation that the search has met, on an ordinary machine with the checks that were asked for.
//!
//! During the search, a value that was never written is not an input but a mark, which counts only when it decides
//! something. The ordinary machine asks for a value as soon as one is read; it is given 0, which decides nothing.

use crate::{ExploreLimits, Search};
use std::borrow::Cow;
use std::sync::Arc;
use tp_ir::{Checks, Program, Property};
use tp_machine::{
    Config, End, Environment, Finding, Identity, Input, InputRequest, InputSource, Inputs, PrefixThen,
    Replay, RoundRobin, Run, Schedule, Trace, Wakers,
};

/// The inputs of an exploration, and 0 for what it has not asked for.
struct Given<'t> {
    inputs: std::iter::Peekable<std::slice::Iter<'t, Input>>,
}

impl Inputs for Given<'_> {
    fn value(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        let unwritten = match request.source {
            InputSource::Register { .. } | InputSource::Memory { .. } | InputSource::ThreadLocal { .. } => {
                true
            }
            InputSource::Output => {
                let fits = |i: &&Input| i.name == request.name && i.width == request.width.bits();
                !self.inputs.peek().is_some_and(fits)
            }
            InputSource::Call { .. } | InputSource::Global { .. } => false,
        };
        if unwritten && request.width.bits() <= 64 {
            return Some(0);
        }
        self.inputs.next().map(|i| i.bits)
    }
}

/// Steps, jumps and calls for each step that leads to the state from which main waits: the machine looks at main when the
/// number of steps is a power of two.
const STEPS_TO_SEE_MAIN: u64 = 256;

/// What the decisions lead to.
pub enum Confirmation {
    /// The whole trace, and the finding.
    Fails(Trace, Box<Finding>),
    /// Only findings that are known.
    Known,
    Nothing,
}

/// Lets an ordinary machine take the decisions. Known races are passed over. Any other known finding ends the run, and
/// nothing after it counts. But no other thread may depend on the step that fails, so the run is repeated without that
/// step.
pub fn confirm(Search { program, checks, limits, known }: Search<'_>, trace: &Trace) -> Confirmation {
    let config = config(checks, limits);
    let races = races(known);
    let mut trace = Cow::Borrowed(trace);
    let mut is_known = false;
    loop {
        let mut schedule = Replay::new(Arc::new(trace.clone().into_owned()));
        let run = run(program, &config, &races, &trace, &mut schedule);
        let End::Violation(finding) = run.end else {
            return if is_known { Confirmation::Known } else { Confirmation::Nothing };
        };
        let found = Identity::of(program, &finding);
        if !known.iter().any(|k| k.covers(&found)) {
            return Confirmation::Fails(run.trace, finding);
        }
        let Some(shorter) = without_step(&trace, run.trace.steps()) else { return Confirmation::Known };
        trace = Cow::Owned(shorter);
        is_known = true;
    }
}

/// The same for threads that are left in loops after the last decision.
pub fn confirm_stuck(search: Search<'_>, trace: &Trace) -> Confirmation {
    let Search { program, checks, limits, known } = search;
    let mut schedule = PrefixThen::new(Arc::new(trace.clone()), RoundRobin);
    judge(search, run(program, &config(checks, limits), &races(known), trace, &mut schedule))
}

/// The same for main, which waits for ever after the last decision while other threads go on. The machine looks for that
/// now and then.
pub fn confirm_main_waits(search: Search<'_>, trace: &Trace) -> Confirmation {
    let Search { program, checks, limits, known } = search;
    let mut schedule = PrefixThen::new(Arc::new(trace.clone()), RoundRobin);
    let wakers = Wakers::default();
    let steps: u64 = trace.schedule().iter().map(|(_, steps)| steps).sum();
    let max_steps = limits.run.max_steps.min(STEPS_TO_SEE_MAIN * (steps + Wakers::FIRST));
    let config = Config { wakers: Some(&wakers), max_steps, ..config(checks, limits) };
    judge(search, run(program, &config, &races(known), trace, &mut schedule))
}

fn judge(Search { program, known, .. }: Search<'_>, run: Run) -> Confirmation {
    let End::Violation(finding) = run.end else { return Confirmation::Nothing };
    let found = Identity::of(program, &finding);
    match known.iter().any(|k| k.covers(&found)) {
        true => Confirmation::Known,
        false => Confirmation::Fails(run.trace, finding),
    }
}

fn races(known: &[Identity]) -> Vec<Identity> {
    known.iter().filter(|k| k.property == Property::Race).cloned().collect()
}

fn config<'l>(checks: Checks, limits: &ExploreLimits<'l>) -> Config<'l> {
    limits.run.config(checks, limits.stop, false)
}

fn run(
    program: &Program,
    config: &Config<'_>,
    known: &[Identity],
    trace: &Trace,
    schedule: &mut dyn Schedule,
) -> Run {
    let mut inputs = Given { inputs: trace.inputs.iter().peekable() };
    let environment = Environment { schedule, inputs: &mut inputs, output: &mut |_, _| {} };
    tp_machine::run_past(program, config, known, environment)
}

/// The decisions without this step; steps count from 1.
fn without_step(trace: &Trace, step: u64) -> Option<Trace> {
    let mut schedule = trace.schedule().to_vec();
    let mut before = 0;
    let at = schedule.iter().position(|(_, steps)| {
        before += steps;
        before >= step
    })?;
    schedule[at].1 = schedule[at].1.checked_sub(1)?;
    Some(Trace::new(schedule, trace.inputs.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_less() {
        let trace = Trace::new(vec![(0, 2), (1, 1), (0, 1)], Vec::new());
        let check = |step, expect: Option<&[(u32, u64)]>| {
            let shorter = without_step(&trace, step);
            assert_eq!(shorter.as_ref().map(Trace::schedule), expect, "{step}");
        };
        check(1, Some(&[(0, 1), (1, 1), (0, 1)]));
        check(2, Some(&[(0, 1), (1, 1), (0, 1)]));
        check(3, Some(&[(0, 3)]));
        check(4, Some(&[(0, 2), (1, 1)]));
        check(5, None);
    }
}
