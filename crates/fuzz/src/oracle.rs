//! Whether anything can fail, found out by running the program in every way on the concrete machine.
//!
//! Executions are enumerated depth first: a run follows the decisions on a stack and goes on as it likes, noting what it
//! could have done instead; then the last decision that has an alternative is changed and the program runs again. Nothing
//! of what `check` is made of is used.
//!
//! Runs that differ only in the order of steps that do not touch the same memory are left out by sleep sets (Godefroid,
//! 1996): a thread that was tried sleeps until a step is taken that its step depends on. What a step touches is read off
//! the events of the run, and so known only after it: a run that took a sleeping thread's step is cut back there.
//! Where the events do not say what was touched, it is taken to be everything.

mod explore;
mod footprint;

use explore::{Explorer, Way};
use std::collections::BTreeMap;
use tp_ir::{Checks, Program, Property};
use tp_machine::{Config, End, Event, What};

/// What running in every way has shown.
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
    pub runs: u64,
    /// What was written to the variable `outcome`, and how often.
    pub outcomes: BTreeMap<i64, u64>,
}

/// Steps of one run; more means that the program does not end.
const MAX_STEPS: u64 = 3_000;

/// Runs the program in every way. Lines of the source that hold `/* spin */` are loops that only wait.
pub fn explore(program: &Program, source: &str, checks: Checks, max_runs: u64, reduce: bool) -> Answer {
    let stop = std::sync::atomic::AtomicBool::new(false);
    let config = Config {
        checks,
        max_steps: MAX_STEPS,
        max_memory: 1 << 24,
        max_depth: 100,
        stop: &stop,
        record_events: true,
    };
    let mut explorer = Explorer::new(program, source, reduce);
    let mut runs = 0;
    let mut outcomes = BTreeMap::new();
    let truth = loop {
        if runs == max_runs {
            break Truth::Unknown("too many runs".into());
        }
        runs += 1;
        let mut way = Way::new(&mut explorer);
        let (mut schedule, mut inputs) = way.parts();
        let run = tp_machine::run(program, &config, &mut schedule, &mut inputs, &mut |_, _| {});
        let abandoned = way.abandoned();
        if !abandoned {
            note_outcomes(&run.events, &mut outcomes);
            if let Some(truth) = failure(&run.end) {
                break truth;
            }
        }
        let is_cut = explorer.learn(&run.events);
        if !abandoned && !is_cut && run.end == End::TooManySteps {
            break Truth::Unknown("does not end".into());
        }
        if !explorer.next() {
            break Truth::Holds;
        }
    };
    Answer { truth, runs, outcomes }
}

fn note_outcomes(events: &[Event], outcomes: &mut BTreeMap<i64, u64>) {
    for event in events {
        if let What::Write { object, value } = &event.what
            && object == "outcome"
            && let Ok(value) = value.parse()
        {
            *outcomes.entry(value).or_default() += 1;
        }
    }
}

/// What the end of a run decides.
fn failure(end: &End) -> Option<Truth> {
    match end {
        End::Exited { .. } | End::Assumption | End::TooManySteps => None,
        End::Violation(finding) => {
            Some(Truth::Fails(format!("{}: {}", finding.property.word(), finding.message)))
        }
        // Waiting for ever is no failure here.
        End::Undefined(finding) if finding.property == Property::Deadlock => None,
        End::Undefined(finding) => Some(Truth::Unknown(format!("undefined behaviour: {}", finding.message))),
        End::Unmodelled { .. } => Some(Truth::Unknown("no model".into())),
        End::Unsupported { .. } => Some(Truth::Unknown("unsupported".into())),
        End::OutOfMemory { .. } | End::TooDeep { .. } | End::TooManyThreads { .. } => {
            Some(Truth::Unknown("too large".into()))
        }
        End::Diverged { .. } => Some(Truth::Unknown("runs are not repeatable".into())),
        End::Stopped => Some(Truth::Unknown("stopped".into())),
    }
}
