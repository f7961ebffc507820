//! One program of the corpus, and what an engine says of it: the verdict, replayed if it is a violation, and the counts
//! that say what the search took. Time decides only when to give up: the same program gives the same answer.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use tp_bench::Expected;
use tp_driver::{Engine, Execution, Limits, Monitor, Reason, RunConfig, Status, Task};
use tp_ir::{Checks, Program};
use tp_machine::{End, RunLimits, Trace, Within};

/// The unwinding bound. Most programs of the corpus need less, and for those that need more no bound is enough.
const MAX_BOUND: u32 = 6;
/// The most instructions of an unfolding, and the limits of an execution: no program of the corpus needs as much.
const MAX_INSTRUCTIONS: u64 = 10_000_000;
const RUN: RunLimits = RunLimits { max_steps: 1_000_000, max_memory: 1 << 30, max_depth: 1_000 };

/// The most an answer may take to be checked in every run of the tests: about two seconds, in counts.
const MOST_CONFLICTS: u64 = 5_000;
const MOST_REFINEMENTS: u64 = 65;
const MOST_EXECUTIONS: u64 = 2_000;
/// Runs under random schedules, of engines that only test.
const RUNS: u64 = 20;

/// An engine that takes longer hangs, or takes far more than is pinned.
const PATIENCE: Duration = Duration::from_secs(120);

/// As large as that of the command.
const STACK: usize = 8 << 20;

/// What an engine says of a program. Only the first two can be wrong; the others are only compared with the pins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Safe,
    Violated,
    /// Safe within this unwinding bound.
    WithinBounds(Within),
    Unknown(String),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Safe => f.write_str("safe"),
            Verdict::Violated => f.write_str("violated"),
            Verdict::WithinBounds(within) => write!(f, "safe within {within}"),
            Verdict::Unknown(why) => write!(f, "unknown: {why}"),
        }
    }
}

impl Verdict {
    pub fn contradicts(&self, expected: &Expected) -> bool {
        match self {
            Verdict::Safe => !expected.is_true(),
            Verdict::Violated => expected.is_true(),
            Verdict::WithinBounds(_) | Verdict::Unknown(_) => false,
        }
    }
}

/// Counts by their names, such as `lemmas`.
pub type Effort = BTreeMap<String, u64>;

pub struct Asked {
    pub verdict: Verdict,
    pub effort: Effort,
    /// It was stopped after `PATIENCE`.
    pub is_overdue: bool,
}

impl Asked {
    /// More than a test that runs all the time should take.
    pub fn is_too_much(&self) -> bool {
        let takes = |name: &str, most: u64| self.effort.get(name).is_some_and(|&count| count > most);
        self.is_overdue
            || takes("states", MOST_EXECUTIONS)
            || takes("conflicts", MOST_CONFLICTS)
            || takes("refinements", MOST_REFINEMENTS)
            || takes("traces", MOST_EXECUTIONS)
    }
}

/// Asks an engine, for no longer than `PATIENCE`. An error is a defect of ours, whatever the program does.
pub fn watched(program: &Arc<Program>, engine: &Engine, checks: Checks) -> Result<Asked, String> {
    let stop = Arc::new(AtomicBool::new(false));
    let (done, is_done) = channel::<()>();
    std::thread::scope(|scope| {
        let work = || {
            let answer = ask(program, engine, checks, &stop);
            drop(done);
            answer
        };
        let asked = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let asked = asked.map_err(|error| error.to_string())?;
        let is_overdue = is_done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout);
        stop.store(is_overdue, Ordering::Relaxed);
        let answer = asked.join().map_err(|_| "a panic".to_owned())??;
        Ok(Asked { is_overdue, ..answer })
    })
}

/// The result of asking for a proof.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    Accepted,
    /// The checker does not know the facts that an analysis has used.
    None,
}

/// Asks for a proof that none of this happens, and checks it. An error is a defect of ours.
pub fn proof(program: &Arc<Program>, engine: &Engine, checks: Checks) -> Result<Proof, String> {
    let task = Task { certify: true, ..task(program, checks) };
    let report = (engine.ask)(&task, &mut Monitor::new(Arc::default(), &mut |_| {}));
    match (report.overall(), &report.certificate) {
        (Status::Holds, Some(Ok(certificate))) => {
            let mut text = Vec::new();
            certificate.write(&mut text).map_err(|error| error.to_string())?;
            tp_certify::check(&text[..]).map(|_| Proof::Accepted).map_err(|error| error.to_string())
        }
        (Status::Holds, Some(Err(tp_engines::Uncertified::NotSimple))) => Ok(Proof::None),
        (Status::Holds, certificate) => {
            Err(format!("no proof: {:?}", certificate.as_ref().map(|c| c.as_ref().err())))
        }
        _ => Err("not safe when a proof is asked for".to_owned()),
    }
}

fn task(program: &Arc<Program>, checks: Checks) -> Task {
    let limits = Limits {
        max_unwind: Some(MAX_BOUND),
        max_instructions: MAX_INSTRUCTIONS,
        max_executions: MOST_EXECUTIONS + 1,
        max_runs: RUNS,
        run: RUN,
        ..Limits::default()
    };
    Task { limits, ..Task::new(program.clone(), checks) }
}

fn ask(
    program: &Arc<Program>,
    engine: &Engine,
    checks: Checks,
    stop: &Arc<AtomicBool>,
) -> Result<Asked, String> {
    let report = (engine.ask)(&task(program, checks), &mut Monitor::new(stop.clone(), &mut |_| {}));
    let verdict = match (report.overall(), &report.failure) {
        (Status::Holds | Status::Open, _) => Verdict::Safe,
        (Status::HoldsWithin { within, .. }, _) => Verdict::WithinBounds(*within),
        (Status::Violated, Some(failure)) => replayed(program, checks, &failure.trace)?,
        (Status::Violated, None) => return Err("a violation without a run".to_owned()),
        (Status::Unknown(reason), _) => Verdict::Unknown(in_words(program, reason)?),
    };
    if report.counters.get("redundant").is_some_and(|count| count > 0) {
        return Err(format!("redundant executions: {}", report.counters));
    }
    let last = |name: &'static str| name.rsplit('.').next().unwrap_or(name).to_owned();
    let counted = |name: &&'static str| Some((last(name), report.counters.get(name)?));
    Ok(Asked { verdict, effort: engine.effort.iter().filter_map(counted).collect(), is_overdue: false })
}

/// Without the place, which depends on where the corpus is.
fn in_words(program: &Program, reason: &Reason) -> Result<String, String> {
    match reason {
        Reason::Gap { what, .. } => Ok(what.clone()),
        Reason::Undefined { message, .. } => Ok(message.clone()),
        Reason::Defect(defect) => Err(defect.clone()),
        other => Ok(other.words(program).split(": ").next().unwrap_or_default().to_owned()),
    }
}

/// An alarm is replayed or it is not an alarm.
fn replayed(program: &Program, checks: Checks, trace: &Trace) -> Result<Verdict, String> {
    let config = RunConfig { checks, limits: RUN, past: &[] };
    match Execution::of(program, config, trace, false).run.end {
        End::Violation(finding) if checks.has(finding.property) => Ok(Verdict::Violated),
        end => Err(format!("a violation that does not happen again, but {end:?}")),
    }
}
