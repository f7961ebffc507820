//! How engines are asked: each in a thread of its own, which is left alone if it hangs; what they say is not believed but
//! replayed, or its proof checked.

use crate::oracle;
use crate::question::Question;
use crate::stopwatch::{Ended, limited};
use crate::table::Engine;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tp_certify::Certificate;
use tp_engines::{Method, Options, Outcome, Reason, Uncertified, Verdict};
use tp_ir::{Checks, Program};
use tp_machine::{
    Config, End, Pct, RandomInputs, RandomSchedule, Replay, ReplayInputs, Run, Schedule, Trace,
};

/// How much is tried.
#[derive(Copy, Clone, Debug)]
pub struct Limits {
    /// Executions of the program.
    pub traces: u64,
    /// Each question is explored by itself, also if all but the first could be answered at once.
    pub one_by_one: bool,
    /// Runs under a random schedule, for each question.
    pub runs: u64,
    /// Rounds of loops that `check` follows.
    pub bound: u32,
    /// What each stage may take on a processor of its own.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { traces: 1_000, one_by_one: true, runs: 16, bound: 5, time: Duration::from_secs(30) }
    }
}

/// A program that is asked about.
#[derive(Clone)]
pub struct Subject {
    pub program: Arc<Program>,
    pub limits: Limits,
    /// How many executions have been explored, for all questions.
    pub executions: Arc<AtomicU64>,
    /// What the explorer says to all questions but the first at once, by inputs.
    others: Arc<[OnceLock<Said>; 2]>,
}

impl Subject {
    pub fn new(program: Program, limits: Limits) -> Subject {
        Subject { program: Arc::new(program), limits, executions: Arc::default(), others: Arc::default() }
    }
}

/// What an engine says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    Violated(Trace),
    Safe,
    /// Neither, and not a defect by itself.
    Undecided(String),
    /// It has ended when it was told to, and was not to take as long.
    Slow,
    /// A panic, a hang, a counterexample that does not replay, a proof that is none.
    Broken(String),
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Said::Violated(_) => write!(f, "violated"),
            Said::Safe => write!(f, "safe"),
            Said::Undecided(why) => write!(f, "undecided: {why}"),
            Said::Slow => write!(f, "slow"),
            Said::Broken(how) => write!(f, "broken: {how}"),
        }
    }
}

impl Said {
    /// What it has in common with answers like it.
    pub fn sort(&self) -> String {
        match self {
            Said::Broken(how) => how.chars().take_while(|c| c.is_alphabetic() || *c == ' ').collect(),
            other => other.to_string(),
        }
    }

    /// The same sort of answer.
    pub fn is_like(&self, other: &Said) -> bool {
        self.sort() == other.sort()
    }

    pub fn decides(&self) -> bool {
        matches!(self, Said::Violated(_) | Said::Safe)
    }
}

/// What the engine says, and how long it took. A violation has been executed again.
pub fn ask(engine: &Engine, subject: &Subject, question: Question) -> (Said, Duration) {
    let begin = Instant::now();
    // For who may give up there is no more to be had by waiting.
    let time = if engine.follows { subject.limits.time } else { subject.limits.time / 3 };
    let (its_subject, its_ask) = (subject.clone(), engine.ask);
    let said = match limited(time, move |stop| its_ask(&its_subject, question, stop)) {
        Ended::InTime(said) => said,
        Ended::Late(Said::Broken(how)) => Said::Broken(how),
        Ended::Late(_) if engine.follows => Said::Slow,
        Ended::Late(_) => Said::Undecided("slow".into()),
        Ended::Never => Said::Broken("hang: it does not stop when it is told to".into()),
        Ended::Panicked(words) => Said::Broken(format!("panic: {words}")),
    };
    let said = match said {
        Said::Violated(trace) => match replay(&subject.program, question.checks(), &trace) {
            End::Violation(finding) if question.checks().has(finding.property) => Said::Violated(trace),
            end => Said::Broken(format!("not replayed: {end:?}")),
        },
        other => other,
    };
    (said, begin.elapsed())
}

/// Every execution.
pub fn explore(subject: &Subject, question: Question, stop: Arc<AtomicBool>) -> Said {
    subject.explored(question, Inputs::Small, &stop)
}

/// Every execution, for one input of each class.
pub fn classes(subject: &Subject, question: Question, stop: Arc<AtomicBool>) -> Said {
    match tp_explore::asks_for_inputs(&subject.program) {
        true => subject.explored(question, Inputs::Classes, &stop),
        false => Said::Undecided("there are no inputs".into()),
    }
}

/// For which inputs a program is explored.
#[derive(Copy, Clone)]
enum Inputs {
    Small,
    Classes,
}

impl Subject {
    fn explored(&self, question: Question, inputs: Inputs, stop: &Arc<AtomicBool>) -> Said {
        if !self.limits.one_by_one && question != Question::Failures {
            // What nothing violates at all, nothing violates alone; nor does more of it fit into the same limits.
            match self.others(inputs, stop) {
                Said::Violated(_) => {}
                others => return others.clone(),
            }
        }
        self.explore(question.checks(), inputs, stop)
    }

    /// What one exploration for all questions but the first says.
    fn others(&self, inputs: Inputs, stop: &Arc<AtomicBool>) -> &Said {
        self.others[inputs as usize].get_or_init(|| {
            let others = Question::ALL.iter().filter(|q| **q != Question::Failures);
            let properties = others.flat_map(|q| q.properties());
            self.explore(properties.fold(Checks::NONE, |checks, p| checks.with(*p)), inputs, stop)
        })
    }

    fn explore(&self, checks: Checks, inputs: Inputs, stop: &Arc<AtomicBool>) -> Said {
        let (program, traces) = (&self.program, self.limits.traces);
        let explored = match inputs {
            Inputs::Small => oracle::explore(program, checks, traces, stop, &mut ()),
            Inputs::Classes => oracle::explore_classes(program, checks, traces, stop),
        };
        self.executions.fetch_add(explored.executions(), Ordering::Relaxed);
        if explored.redundant > 0 {
            return Said::Broken(format!("{} redundant executions", explored.redundant));
        }
        match explored.outcome {
            tp_explore::Outcome::Holds => Said::Safe,
            tp_explore::Outcome::Violation(trace, _) => Said::Violated(trace),
            tp_explore::Outcome::Unknown(why) => Said::Undecided(why),
        }
    }
}

/// Some executions: threads chosen evenly, or by priorities that change rarely.
pub fn run(subject: &Subject, question: Question, stop: Arc<AtomicBool>) -> Said {
    let config = oracle::config(question.checks(), &stop);
    for seed in 0..subject.limits.runs {
        let mut schedule: Box<dyn Schedule> = match seed % 2 {
            0 => Box::new(RandomSchedule::new(seed)),
            _ => Box::new(Pct::new(seed, 3, 40)),
        };
        let mut inputs = RandomInputs::new(seed);
        let run = tp_machine::run(&subject.program, &config, &mut *schedule, &mut inputs, &mut |_, _| {});
        if matches!(run.end, End::Violation(_)) {
            return Said::Violated(run.trace);
        }
    }
    Said::Undecided("not found".into())
}

/// One of the engines of `check`; the proof of `order` is checked.
pub fn check(subject: &Subject, question: Question, stop: Arc<AtomicBool>, method: Method) -> Said {
    let options = Options {
        method,
        checks: question.checks(),
        max_bound: Some(subject.limits.bound),
        max_instructions: 10_000_000,
        // The proofs of the others would be those of the order theory once more.
        certify: method == Method::Order,
        may_stay_open: Checks::NONE,
        known: Vec::new(),
        stop,
    };
    said(&subject.program, tp_engines::check(&subject.program, &options, &mut |_| {}))
}

fn said(program: &Program, outcome: Outcome) -> Said {
    if let Some(problem) = outcome.certificate.and_then(not_certified) {
        return Said::Broken(problem);
    }
    match outcome.verdict {
        Verdict::Violated { trace, .. } => Said::Violated(*trace),
        Verdict::Safe => Said::Safe,
        Verdict::WithinBounds { .. } => Said::Undecided("within bounds".into()),
        Verdict::Unknown(reason) => match reason {
            Reason::Stopped => Said::Undecided("stopped".into()),
            Reason::TooLarge => Said::Undecided("too large".into()),
            Reason::Gap { what, place } => {
                Said::Undecided(format!("gap: {what} (line {})", program.places[place].line))
            }
            Reason::NothingReached { .. } => Said::Undecided("no thread is reached".into()),
            Reason::Unmodelled { function, .. } => Said::Undecided(format!("no model for {function}")),
            Reason::Undefined { message, .. } => Said::Undecided(format!("undefined: {message}")),
            Reason::NotReplayed { expected, happened } => {
                Said::Broken(format!("not replayed: expected {expected}, got {happened}"))
            }
            Reason::Fault(fault) => Said::Broken(format!("fault: {fault}")),
        },
    }
}

/// What is wrong with the proof that an answer came with.
fn not_certified(certified: Result<Certificate, Uncertified>) -> Option<String> {
    let mut text = Vec::new();
    match certified {
        Ok(certificate) => certificate.write(&mut text).err().map(|e| e.to_string()),
        Err(Uncertified::Stopped | Uncertified::NotSimple) => return None,
        Err(Uncertified::Fault(fault)) => Some(fault),
    }
    .or_else(|| Some(format!("certificate: {}", tp_certify::check(&text[..]).err()?)))
}

/// The decisions once more.
fn replay(program: &Program, checks: Checks, trace: &Trace) -> End {
    let stop = AtomicBool::new(false);
    replayed(program, &oracle::config(checks, &stop), trace, &mut |_, _| {}).end
}

/// A run that was recorded, with what it writes.
pub fn replayed(
    program: &Program,
    config: &Config<'_>,
    trace: &Trace,
    output: &mut tp_machine::Output<'_>,
) -> Run {
    let trace = Arc::new(trace.clone());
    let (mut schedule, mut inputs) = (Replay::new(trace.clone()), ReplayInputs::new(trace));
    tp_machine::run(program, config, &mut schedule, &mut inputs, output)
}
