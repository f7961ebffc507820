//! `check --engine explore`: the program is executed in every order of its steps that makes a difference.

use crate::exit::Failure;
use crate::stop;
use crate::verdict::count;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tp_explore::{Exploration, Limits, Outcome, Visitor};
use tp_ir::{Checks, Program, Property};
use tp_machine::{Config, End, Identity, Replay, ReplayInputs, Run, Trace};
use tp_report::Verdict;

/// What one execution may use.
const MAX_STEPS: u64 = 100_000_000;
const MAX_MEMORY: u64 = 1 << 30;
const MAX_DEPTH: usize = 10_000;

/// Tells how far the exploration is.
struct Report<'a>(&'a mut dyn FnMut(&Exploration));

impl Visitor for Report<'_> {
    fn progress(&mut self, so_far: &Exploration) {
        (self.0)(so_far);
    }

    fn wants_executions(&self) -> bool {
        false
    }
}

pub fn explore(
    program: &Program,
    checks: Checks,
    known: &[Identity],
    stop: &Arc<AtomicBool>,
    progress: &mut dyn FnMut(&Exploration),
) -> Exploration {
    let limits = Limits {
        max_steps: MAX_STEPS,
        max_executions: u64::MAX,
        max_memory: MAX_MEMORY,
        max_depth: MAX_DEPTH,
        inputs_below: None,
        stop,
    };
    let mut classes = tp_inputs::Classes::new(stop.clone());
    tp_explore::explore_past(program, checks, (&limits, known), Some(&mut classes), &mut Report(progress))
}

/// Nothing is known yet.
pub fn nothing() -> Exploration {
    Exploration::default()
}

/// The failing execution, on a machine of its own, past races that are known.
pub fn failing(program: &Program, checks: Checks, known: &[Identity], trace: &Trace) -> Result<Run, Failure> {
    let stop = AtomicBool::new(false);
    let config = Config {
        checks,
        max_steps: MAX_STEPS,
        max_memory: MAX_MEMORY,
        max_depth: MAX_DEPTH,
        stop: &stop,
        record_events: false,
    };
    let trace = Arc::new(trace.clone());
    let (mut schedule, mut inputs) = (Replay::new(trace.clone()), ReplayInputs::new(trace));
    let races: Vec<Identity> = known.iter().filter(|k| k.property == Property::Race).cloned().collect();
    let run = tp_machine::run_past(program, &config, &races, &mut schedule, &mut inputs, &mut |_, _| {});
    match run.end {
        End::Violation(_) => Ok(run),
        end => {
            Err(Failure::Internal(format!("a failure that was explored does not happen again, but {end:?}")))
        }
    }
}

/// The verdict; of one that fails, without what.
pub fn verdict(explored: &Exploration, stopped: Option<stop::Reason>) -> Verdict {
    match (&explored.outcome, stopped) {
        (Outcome::Unknown(_), Some(reason)) if !explored.knows_why() => {
            Verdict::Unknown(reason.words().to_owned())
        }
        (Outcome::Unknown(reason), _) => Verdict::Unknown(reason.clone()),
        (Outcome::Holds, _) => Verdict::Safe,
        (Outcome::Violation(..), _) => Verdict::Violated(Vec::new()),
    }
}

/// The progress line.
pub fn in_words(explored: &Exploration) -> String {
    format!("{}, {}", count(explored.traces, "trace"), count(explored.steps, "step"))
}

/// For `--stats`. There is no time in it: the same program gives the same lines.
pub fn lines(explored: &Exploration) -> Vec<String> {
    let Exploration { traces, blocked, redundant, classes, steps, .. } = explored;
    let mut line = format!(
        "explored: {}, {blocked} blocked, {redundant} redundant; {}",
        count(*traces, "trace"),
        count(*steps, "step")
    );
    if *classes > 1 {
        line += &format!("; {classes} classes of inputs");
    }
    vec![line]
}

/// For programs.
pub fn json(explored: &Exploration) -> Value {
    let Exploration { traces, blocked, redundant, classes, steps, .. } = explored;
    json!({
        "traces": traces,
        "blocked": blocked,
        "redundant": redundant,
        "classes": classes,
        "steps": steps,
    })
}
