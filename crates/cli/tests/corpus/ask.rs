//! One program of the corpus, and what an engine says of it: the verdict, replayed if it is a violation, and the counts
//! that say what the search took. No clock decides anything in it but to give up: the same program gives the same answer.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use tp_bench::Expected;
use tp_engines::Method;
use tp_ir::{Checks, Program};
use tp_machine::{Config, End, Replay, ReplayInputs, Trace};

/// Rounds of loops. Most programs of the corpus need fewer, and those that need more have no end of them.
const MAX_BOUND: u32 = 6;
/// Instructions of an unfolding, steps and memory of an execution: no program of the corpus needs as much.
const MAX_INSTRUCTIONS: u64 = 10_000_000;
const MAX_STEPS: u64 = 1_000_000;
const MAX_MEMORY: u64 = 1 << 30;
const MAX_DEPTH: usize = 1_000;

/// What an answer may take so that it is asked for in every run of the tests: about two seconds, in counts.
const MOST_CONFLICTS: u64 = 5_000;
const MOST_REFINEMENTS: u64 = 65;
const MOST_EXECUTIONS: u64 = 2_000;

/// Whoever is not done by then hangs, or takes far more than what is pinned.
const PATIENCE: Duration = Duration::from_secs(120);

/// What the command has, too.
const STACK: usize = 8 << 20;

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Engine {
    Order,
    Refine,
    Clocks,
    Explore,
}

impl Engine {
    pub const ALL: [Engine; 4] = [Engine::Order, Engine::Refine, Engine::Clocks, Engine::Explore];

    pub fn word(self) -> &'static str {
        match self {
            Engine::Order => "order",
            Engine::Refine => "refine",
            Engine::Clocks => "clocks",
            Engine::Explore => "explore",
        }
    }
}

/// What is said of a program. Everything but the first two stays as it is pinned until somebody looks at it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Safe,
    Violated,
    /// Safe while no loop goes round more often than this.
    WithinBounds(u32),
    Unknown(String),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Safe => f.write_str("safe"),
            Verdict::Violated => f.write_str("violated"),
            Verdict::WithinBounds(bound) => write!(f, "safe within unwind {bound}"),
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

pub struct Answer {
    pub verdict: Verdict,
    pub effort: Effort,
    /// It ran out of patience.
    pub is_overdue: bool,
}

impl Answer {
    fn new(verdict: Verdict, counts: &[(&str, u64)]) -> Answer {
        let effort = counts.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect();
        Answer { verdict, effort, is_overdue: false }
    }

    /// More than a test that runs all the time should take.
    pub fn is_too_much(&self) -> bool {
        let takes = |name: &str, most: u64| self.effort.get(name).is_some_and(|&count| count > most);
        self.is_overdue
            || takes("conflicts", MOST_CONFLICTS)
            || takes("refinements", MOST_REFINEMENTS)
            || takes("traces", MOST_EXECUTIONS)
    }
}

/// Asks with a watch beside it. An error is a defect of ours, whatever the program does.
pub fn watched(program: &Program, engine: Engine, checks: Checks) -> Result<Answer, String> {
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
        Ok(Answer { is_overdue, ..answer })
    })
}

/// What comes of a proof that is asked for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    Accepted,
    /// The checker does not know the facts that an analysis has used.
    None,
}

/// Asks for a proof that nothing of this happens, and lets it be checked. An error is a defect of ours.
pub fn proof(program: &Program, checks: Checks) -> Result<Proof, String> {
    let stop = Arc::new(AtomicBool::new(false));
    let options = tp_engines::Options { certify: true, ..options(Method::Order, checks, &stop) };
    let outcome = tp_engines::check(program, &options, &mut |_| {});
    match (outcome.verdict, outcome.certificate) {
        (tp_engines::Verdict::Safe, Some(Ok(certificate))) => {
            let mut text = Vec::new();
            certificate.write(&mut text).map_err(|error| error.to_string())?;
            tp_certify::check(&text[..]).map(|_| Proof::Accepted).map_err(|error| error.to_string())
        }
        (tp_engines::Verdict::Safe, Some(Err(tp_engines::Uncertified::NotSimple))) => Ok(Proof::None),
        (tp_engines::Verdict::Safe, certificate) => {
            Err(format!("no proof: {:?}", certificate.map(|c| c.err())))
        }
        _ => Err("with a proof it is not safe".to_owned()),
    }
}

fn options(method: Method, checks: Checks, stop: &Arc<AtomicBool>) -> tp_engines::Options {
    tp_engines::Options {
        method,
        checks,
        max_bound: Some(MAX_BOUND),
        max_instructions: MAX_INSTRUCTIONS,
        certify: false,
        may_stay_open: Checks::NONE,
        known: Vec::new(),
        stop: stop.clone(),
    }
}

fn ask(program: &Program, engine: Engine, checks: Checks, stop: &Arc<AtomicBool>) -> Result<Answer, String> {
    match engine {
        Engine::Order => solve(program, Method::Order, checks, stop),
        Engine::Refine => solve(program, Method::Refine, checks, stop),
        Engine::Clocks => solve(program, Method::Clocks, checks, stop),
        Engine::Explore => explore(program, checks, stop),
    }
}

fn solve(
    program: &Program,
    method: Method,
    checks: Checks,
    stop: &Arc<AtomicBool>,
) -> Result<Answer, String> {
    let outcome = tp_engines::check(program, &options(method, checks, stop), &mut |_| {});
    let verdict = match outcome.verdict {
        tp_engines::Verdict::Safe => Verdict::Safe,
        tp_engines::Verdict::WithinBounds { bound, .. } => Verdict::WithinBounds(bound),
        tp_engines::Verdict::Violated { trace, .. } => replayed(program, checks, &trace)?,
        tp_engines::Verdict::Unknown(reason) => Verdict::Unknown(in_words(reason)?),
    };
    let numbers = outcome.statistics;
    let mut counts = vec![("conflicts", numbers.conflicts)];
    counts.extend(outcome.bound.map(|bound| ("unwind", bound.into())));
    match method {
        Method::Order => counts.push(("lemmas", numbers.lemmas)),
        Method::Refine => counts.extend(numbers.refined.map(|r| ("refinements", r.refinements))),
        Method::Clocks => {}
    }
    Ok(Answer::new(verdict, &counts))
}

fn in_words(reason: tp_engines::Reason) -> Result<String, String> {
    use tp_engines::Reason;
    match reason {
        Reason::Stopped => Ok("stopped".to_owned()),
        Reason::TooLarge => Ok("too large".to_owned()),
        Reason::Gap { what, .. } => Ok(what),
        Reason::NothingReached { .. } => Ok("nothing was reached".into()),
        Reason::Unmodelled { function, .. } => Ok(format!("no model for {function}")),
        Reason::Undefined { message, .. } => Ok(message),
        Reason::NotReplayed { expected, happened } => {
            Err(format!("a counterexample does not replay: expected {expected}, happened {happened}"))
        }
        Reason::Fault(fault) => Err(fault),
    }
}

fn explore(program: &Program, checks: Checks, stop: &Arc<AtomicBool>) -> Result<Answer, String> {
    let limits = tp_explore::Limits {
        max_steps: MAX_STEPS,
        max_executions: MOST_EXECUTIONS + 1,
        max_memory: MAX_MEMORY,
        max_depth: MAX_DEPTH,
        inputs_below: None,
        stop,
    };
    let mut classes = tp_inputs::Classes::new(stop.clone());
    let explored = tp_explore::explore_with(program, checks, &limits, Some(&mut classes), &mut ());
    let verdict = match explored.outcome {
        tp_explore::Outcome::Holds => Verdict::Safe,
        tp_explore::Outcome::Violation(trace, _) => replayed(program, checks, &trace)?,
        // The rest is where it happens, which depends on where the corpus is.
        tp_explore::Outcome::Unknown(why) => {
            Verdict::Unknown(why.split(": ").next().unwrap_or("").to_owned())
        }
    };
    let mut counts = vec![("traces", explored.traces)];
    counts.extend(Some(("redundant", explored.redundant)).filter(|(_, count)| *count > 0));
    Ok(Answer::new(verdict, &counts))
}

/// An alarm is replayed or it is not an alarm.
fn replayed(program: &Program, checks: Checks, trace: &Trace) -> Result<Verdict, String> {
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
    let run = tp_machine::run(program, &config, &mut schedule, &mut inputs, &mut |_, _| {});
    match run.end {
        End::Violation(finding) if checks.has(finding.property) => Ok(Verdict::Violated),
        end => Err(format!("a violation that does not happen again, but {end:?}")),
    }
}
