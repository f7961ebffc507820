//! A violation that was met on the way, once more on an ordinary machine with the checks that were asked for.
//!
//! While a program is explored, a value that was never written is no input but a mark: it only counts when it decides
//! something. The ordinary machine asks for a value as soon as one is read; it is given 0, which decides nothing.

use crate::Limits;
use std::sync::Arc;
use tp_ir::{Checks, Program};
use tp_machine::{
    Config, End, Finding, Input, InputRequest, Inputs, PrefixThen, Replay, RoundRobin, Schedule, Source,
    Trace,
};

/// The inputs of an exploration, and 0 for what it has not asked for.
struct Given<'t> {
    inputs: std::iter::Peekable<std::slice::Iter<'t, Input>>,
}

impl Inputs for Given<'_> {
    fn value(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        let unwritten = match request.source {
            Source::Register { .. } | Source::Memory { .. } | Source::ThreadLocal { .. } => true,
            Source::Output => {
                let fits = |i: &&Input| i.name == request.name && i.width == request.width.bits();
                !self.inputs.peek().is_some_and(fits)
            }
            Source::Call { .. } | Source::Global { .. } => false,
        };
        if unwritten && request.width.bits() <= 64 {
            return Some(0);
        }
        self.inputs.next().map(|i| i.bits)
    }
}

/// The whole trace and the finding, if the decisions lead to one.
pub fn confirm(
    program: &Program,
    checks: Checks,
    limits: &Limits<'_>,
    trace: &Trace,
) -> Option<(Trace, Box<Finding>)> {
    confirm_with(program, checks, limits, trace, &mut Replay::new(Arc::new(trace.clone())))
}

/// The same, if all go round in loops once the decisions have been made.
pub fn confirm_stuck(
    program: &Program,
    checks: Checks,
    limits: &Limits<'_>,
    trace: &Trace,
) -> Option<(Trace, Box<Finding>)> {
    let mut schedule = PrefixThen::new(Arc::new(trace.clone()), RoundRobin);
    confirm_with(program, checks, limits, trace, &mut schedule)
}

fn confirm_with(
    program: &Program,
    checks: Checks,
    limits: &Limits<'_>,
    trace: &Trace,
    schedule: &mut dyn Schedule,
) -> Option<(Trace, Box<Finding>)> {
    let config = Config {
        checks,
        max_steps: limits.max_steps,
        max_memory: limits.max_memory,
        max_depth: limits.max_depth,
        stop: limits.stop,
        record_events: false,
    };
    let mut inputs = Given { inputs: trace.inputs.iter().peekable() };
    let run = tp_machine::run(program, &config, schedule, &mut inputs, &mut |_, _| {});
    match run.end {
        End::Violation(finding) => Some((run.trace, finding)),
        _ => None,
    }
}
