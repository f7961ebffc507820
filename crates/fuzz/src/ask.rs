//! How engines are asked: each in a thread of its own, which is abandoned if it hangs. Counterexamples are replayed,
//! and proofs are checked.

use crate::oracle;
use crate::question::Question;
use crate::stopwatch::{StageEnd, limited};
use crate::table::{Ask, JudgedEngine, ORACLE};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tp_certify::Certificate;
use tp_driver::{EngineKind, Monitor, Reason, Report, Status, Task};
use tp_engines::Uncertified;
use tp_ir::{Checks, Program};
use tp_machine::{ContextBound, End, Trace, Within};

/// How much is tried.
#[derive(Copy, Clone, Debug)]
pub struct JudgeLimits {
    /// Executions of the program.
    pub traces: u64,
    /// Explore for each question separately, although one exploration could answer all but the first.
    pub one_by_one: bool,
    /// Runs under a random schedule, for each question.
    pub runs: u64,
    /// Loop iterations that `check` unwinds.
    pub bound: u32,
    /// Context switches, where they are bounded.
    pub contexts: u32,
    /// Processor time of each stage.
    pub time: Duration,
}

impl Default for JudgeLimits {
    fn default() -> JudgeLimits {
        JudgeLimits {
            traces: 1_000,
            one_by_one: true,
            runs: 16,
            bound: 5,
            contexts: 2,
            time: Duration::from_secs(30),
        }
    }
}

/// A program that is asked about.
#[derive(Clone)]
pub struct Subject {
    pub program: Arc<Program>,
    pub limits: JudgeLimits,
    /// How many executions have been explored, for all questions.
    pub executions: Arc<AtomicU64>,
    /// The joint answer to all questions but the first, for each engine that executes the program.
    others: Arc<Vec<(&'static str, OnceLock<Said>)>>,
}

impl Subject {
    pub fn new(program: Program, limits: JudgeLimits) -> Subject {
        let executing = tp_driver::ENGINES
            .iter()
            .filter(|engine| engine.kind == EngineKind::Explores)
            .map(|engine| engine.name);
        let others = [ORACLE].into_iter().chain(executing).map(|name| (name, OnceLock::new())).collect();
        Subject { program: Arc::new(program), limits, executions: Arc::default(), others: Arc::new(others) }
    }
}

/// What an engine says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    Violated(Trace),
    Safe,
    /// No execution with at most so many context switches fails.
    SafeWithin(u32),
    /// Neither, and not a defect by itself.
    Undecided(String),
    /// Over its time; it stopped when it was told to.
    Slow,
    /// A panic, a hang, a counterexample that does not replay, an invalid proof, a redundant execution.
    Broken(String),
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Said::Violated(_) => write!(f, "violated"),
            Said::Safe => write!(f, "safe"),
            Said::SafeWithin(contexts) => write!(f, "safe within {contexts} context switches"),
            Said::Undecided(why) => write!(f, "undecided: {why}"),
            Said::Slow => write!(f, "slow"),
            Said::Broken(how) => write!(f, "broken: {how}"),
        }
    }
}

impl Said {
    /// Without the details in which similar answers differ.
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
pub fn ask(engine: &JudgedEngine, subject: &Subject, question: Question) -> (Said, Duration) {
    let begin = Instant::now();
    // More time gains little for those that may give up.
    let time = match (engine.may_be_slow, engine.follows) {
        (true, _) => subject.limits.time / 20,
        (_, true) => subject.limits.time,
        (_, false) => subject.limits.time / 3,
    };
    let (its_subject, its_ask) = (subject.clone(), engine.ask);
    let work = move |stop| match its_ask {
        Ask::Own(own) => own(&its_subject, question, stop),
        Ask::Driver(engine) => its_subject.driven((engine, ContextBound::None), question, stop),
        Ask::Bounded(engine) => {
            let contexts = ContextBound::AtMost(its_subject.limits.contexts);
            its_subject.driven((engine, contexts), question, stop)
        }
    };
    let said = match limited(time, work) {
        StageEnd::InTime(said) => said,
        StageEnd::Late(Said::Broken(how)) => Said::Broken(how),
        StageEnd::Late(_) if engine.follows && !engine.may_be_slow => Said::Slow,
        StageEnd::Late(_) => Said::Undecided("slow".into()),
        StageEnd::Never => Said::Broken("hang: it does not stop when it is told to".into()),
        StageEnd::Panicked(words) => Said::Broken(format!("panic: {words}")),
    };
    let said = match said {
        Said::Violated(trace) => {
            match oracle::replay(&subject.program, question.checks(), &trace, false).run.end {
                End::Violation(finding) if question.checks().has(finding.property) => Said::Violated(trace),
                end => Said::Broken(format!("not replayed: {end:?}")),
            }
        }
        other => other,
    };
    (said, begin.elapsed())
}

/// Explores every execution.
pub fn oracle(subject: &Subject, question: Question, stop: Arc<AtomicBool>) -> Said {
    subject.all_at_once(ORACLE, question, |checks| {
        let explored = oracle::explore(&subject.program, checks, subject.limits.traces, &stop, &mut ());
        subject.executions.fetch_add(explored.executions(), Ordering::Relaxed);
        if explored.redundant > 0 {
            return redundant(explored.redundant);
        }
        match explored.outcome {
            tp_explore::Outcome::Holds => Said::Safe,
            tp_explore::Outcome::Violation(trace, _) => Said::Violated(trace),
            tp_explore::Outcome::Unknown(why) => Said::Undecided(format!("{why:?}")),
        }
    })
}

fn redundant(count: u64) -> Said {
    Said::Broken(format!("{count} redundant executions"))
}

impl Subject {
    /// An engine that executes the program answers all questions but the first at once, unless `one_by_one`.
    fn all_at_once(&self, name: &str, question: Question, ask: impl Fn(Checks) -> Said) -> Said {
        let others = self.others.iter().find(|(other, _)| *other == name).map(|(_, others)| others);
        if let Some(others) = others.filter(|_| !self.limits.one_by_one && question != Question::Failures) {
            let all = Question::ALL.iter().filter(|q| **q != Question::Failures);
            let all = all.flat_map(|q| q.properties()).fold(Checks::NONE, |checks, p| checks.with(*p));
            // Without a joint violation there is none of a single question, and a joint exploration that reaches its
            // limits would reach them for a single question too.
            match others.get_or_init(|| ask(all)) {
                Said::Violated(_) => {}
                others => return others.clone(),
            }
        }
        ask(question.checks())
    }

    /// What an engine of the driver's table says with this bound on context switches.
    fn driven(
        &self,
        (engine, contexts): (&'static tp_driver::Engine, ContextBound),
        question: Question,
        stop: Arc<AtomicBool>,
    ) -> Said {
        let ask = |checks| self.asked((engine, contexts), checks, &stop);
        match engine.kind {
            EngineKind::Explores if contexts == ContextBound::None => {
                self.all_at_once(engine.name, question, ask)
            }
            _ => ask(question.checks()),
        }
    }

    fn asked(
        &self,
        (engine, contexts): (&'static tp_driver::Engine, ContextBound),
        checks: Checks,
        stop: &Arc<AtomicBool>,
    ) -> Said {
        // Only the first engine that leaves proofs does so here: the others would repeat those of the order theory.
        let certifying = tp_driver::ENGINES.iter().find(|engine| engine.certifies);
        let limits = tp_driver::Limits {
            max_unwind: Some(self.limits.bound),
            max_instructions: 10_000_000,
            max_executions: self.limits.traces,
            max_runs: self.limits.runs,
            contexts,
            run: oracle::LIMITS,
            ..tp_driver::Limits::default()
        };
        let is_first = certifying.is_some_and(|first| std::ptr::eq(first, engine));
        let certify = is_first && contexts == ContextBound::None;
        let task = Task { certify, limits, ..Task::new(self.program.clone(), checks) };
        let report = (engine.ask)(&task, &mut Monitor::new(stop.clone(), &mut |_| {}));
        self.executions.fetch_add(report.basis.executions.unwrap_or(0), Ordering::Relaxed);
        match report.counters.get("redundant").filter(|count| *count > 0) {
            Some(count) => redundant(count),
            None => said(&self.program, report),
        }
    }
}

fn said(program: &Program, report: Report) -> Said {
    let status = report.overall().clone();
    if let Some(problem) = report.certificate.and_then(not_certified) {
        return Said::Broken(problem);
    }
    match (status, report.failure) {
        (Status::Violated, Some(failure)) => Said::Violated(*failure.trace),
        (Status::Violated, None) => Said::Broken("a violation without a run".into()),
        (Status::Holds | Status::Open, _) => Said::Safe,
        (Status::HoldsWithin { within: Within { unwind: None, contexts: Some(contexts) }, .. }, _) => {
            Said::SafeWithin(contexts)
        }
        (Status::HoldsWithin { .. }, _) => Said::Undecided("within bounds".into()),
        (Status::Unknown(reason), _) => match reason {
            Reason::Gap { what, place, .. } => {
                Said::Undecided(format!("gap: {what} (line {})", program.places[place].line))
            }
            Reason::Undefined { message, .. } => Said::Undecided(format!("undefined: {message}")),
            Reason::MetInReplay { finding, .. } => {
                Said::Undecided(format!("undefined: {}", finding.property.title()))
            }
            Reason::Defect(defect) => Said::Broken(defect),
            reason => Said::Undecided(reason.words(program)),
        },
    }
}

/// What is wrong with the proof of an answer.
fn not_certified(certified: Result<Certificate, Uncertified>) -> Option<String> {
    let mut text = Vec::new();
    match certified {
        Ok(certificate) => certificate.write(&mut text).err().map(|e| e.to_string()),
        Err(Uncertified::Stopped | Uncertified::NotSimple) => return None,
        Err(Uncertified::Fault(fault)) => Some(fault),
    }
    .or_else(|| Some(format!("certificate: {}", tp_certify::check(&text[..]).err()?)))
}
