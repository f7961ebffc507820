//! Whether all engines agree about a program.

use crate::ask::{JudgeLimits, Said, Subject, ask};
use crate::generate::{NO_OUTCOME, OUTCOME};
use crate::oracle;
use crate::question::Question;
use crate::stopwatch::{StageEnd, limited};
use crate::table::{JudgedEngine, ORACLE};
use crate::tree::{self, SourceNode};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tp_ir::{Const, Program};

/// What one engine says about one question.
#[derive(Clone, Debug)]
pub struct EngineVerdict {
    pub question: Question,
    pub engine: &'static str,
    pub said: Said,
    pub time: Duration,
}

/// All answers about one program.
#[derive(Clone, Default, Debug)]
pub struct Judgement {
    pub answers: Vec<EngineVerdict>,
}

/// A wrong answer, and the engine whose execution shows that; `None`: the answer itself is broken.
#[derive(Clone, Debug)]
pub struct Wrong {
    pub answer: EngineVerdict,
    pub shown_by: Option<&'static str>,
}

impl Judgement {
    /// What is known: an execution that was found is a fact, even if another engine says *safe*.
    pub fn verdict(&self, question: Question) -> Option<bool> {
        let mut said = self.answers.iter().filter(|a| a.question == question).map(|a| &a.said);
        let mut safe = None;
        said.find_map(|s| match s {
            Said::Violated(_) => Some(false),
            Said::Safe => {
                safe = Some(true);
                None
            }
            _ => None,
        })
        .or(safe)
    }

    pub fn wrong(&self) -> Vec<Wrong> {
        // An execution with at most so many context switches.
        let shown_by = |question, contexts| {
            let violated = |a: &&EngineVerdict| {
                a.question == question
                    && matches!(&a.said, Said::Violated(trace) if trace.context_switches() <= contexts)
            };
            self.answers.iter().find(violated).map(|a| a.engine)
        };
        let wrong = |answer: &EngineVerdict| match answer.said {
            Said::Broken(_) => Some(Wrong { answer: answer.clone(), shown_by: None }),
            Said::Safe => shown_by(answer.question, usize::MAX)
                .map(|engine| Wrong { answer: answer.clone(), shown_by: Some(engine) }),
            Said::SafeWithin(contexts) => shown_by(answer.question, contexts as usize)
                .map(|engine| Wrong { answer: answer.clone(), shown_by: Some(engine) }),
            Said::Violated(_) | Said::Undecided(_) | Said::Slow => None,
        };
        self.answers.iter().filter_map(wrong).collect()
    }
}

/// Asks each engine the questions that it can answer.
pub fn judge(subject: &Subject, questions: &[Question], engines: &[JudgedEngine]) -> Judgement {
    let mut judgement = Judgement::default();
    for &question in questions {
        for engine in engines.iter().filter(|e| e.answers.contains(&question)) {
            if engine.follows && !judgement.is_answered(question) {
                continue;
            }
            let (said, time) = ask(engine, subject, question);
            judgement.answers.push(EngineVerdict { question, engine: engine.name, said, time });
        }
    }
    judgement
}

impl Judgement {
    /// The oracle has decided the question, or an execution has. Without an oracle, every engine is asked.
    fn is_answered(&self, question: Question) -> bool {
        let mut answers = self.answers.iter().filter(|a| a.question == question);
        let is_shown = answers.clone().any(|a| matches!(a.said, Said::Violated(_)));
        is_shown || answers.find(|a| a.engine == ORACLE).is_none_or(|a| a.said.decides())
    }
}

/// Compiles the program in this folder, which has to exist.
pub fn compile(program: &[SourceNode], folder: &Path) -> Result<Program, String> {
    let path = folder.join("fuzz.c");
    std::fs::write(&path, tree::print(program))
        .map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    let options = tp_frontend::FrontendOptions {
        inputs: vec![path],
        // Shrinking must not remove a function's declaration. `-Xclang` puts this flag behind those of the front end.
        clang_args: ["-w", "-Xclang", "-Werror=implicit-function-declaration"].map(str::to_owned).into(),
        reuse: true,
        spurious_wakeups: tp_frontend::SpuriousWakeups::Once,
        spurious_failures: true,
        ..tp_frontend::FrontendOptions::default()
    };
    Ok(tp_frontend::load(&options).map_err(|e| e.to_string())?.program)
}

/// Why no engine can be asked about a program.
#[derive(Clone, Debug)]
pub enum NotReady {
    NotCompiled(String),
    /// This stage took too long.
    Slow(&'static str),
    Panicked(String),
}

impl fmt::Display for NotReady {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotReady::NotCompiled(error) => write!(f, "not compiled: {error}"),
            NotReady::Slow(stage) => write!(f, "{stage} is slow"),
            NotReady::Panicked(words) => write!(f, "panic: {words}"),
        }
    }
}

fn in_time<T: Send + 'static>(
    stage: &'static str,
    limits: JudgeLimits,
    work: impl FnOnce(Arc<AtomicBool>) -> T + Send + 'static,
) -> Result<T, NotReady> {
    match limited(limits.time / 3, work) {
        StageEnd::InTime(done) => Ok(done),
        StageEnd::Late(_) | StageEnd::Never => Err(NotReady::Slow(stage)),
        StageEnd::Panicked(words) => Err(NotReady::Panicked(words)),
    }
}

/// Compiles the program and fills in its claim, the assertion that a certain outcome never occurs. That outcome occurs
/// in few of the explored executions, so that an engine that overlooks them says `safe`; for every fourth seed it
/// occurs in none of them.
pub fn with_claim(
    program: Vec<SourceNode>,
    seed: u64,
    folder: &Path,
    limits: JudgeLimits,
) -> Result<(Vec<SourceNode>, Subject), NotReady> {
    let (source, its_folder) = (program.clone(), folder.to_owned());
    let compiled = in_time("compile", limits, move |_| compile(&source, &its_folder))?;
    let mut compiled = compiled.map_err(NotReady::NotCompiled)?;
    if !tree::print(&program).contains(OUTCOME) {
        return Ok((program, Subject::new(compiled, limits)));
    }
    let (its_program, its_limits) = (compiled.clone(), limits);
    let claimed = in_time("claim", limits, move |stop| claimed(&its_program, seed, its_limits, &stop))?;
    // Compiling it again would only change this number, and take most of the time.
    for constant in compiled.constants.values_mut() {
        if let Const::Int { bits, .. } = constant
            && *bits == NO_OUTCOME
        {
            *bits = claimed as u128;
        }
    }
    let program = tree::replace(&program, OUTCOME, &claimed.to_string());
    Ok((program, Subject::new(compiled, limits)))
}

/// Executions to explore to see which outcomes are rare.
const ENOUGH: u64 = 500;

fn claimed(program: &Program, seed: u64, limits: JudgeLimits, stop: &AtomicBool) -> i64 {
    let checks = Question::Failures.checks();
    let found = oracle::outcomes(program, checks, limits.traces.min(ENOUGH), stop);
    let others = (0..512).filter(|v| !found.contains_key(v));
    let claimed = match seed % 4 {
        0 => others.min_by_key(|v| found.keys().map(|f| (f ^ v).count_ones()).min()),
        n => {
            let mut rare: Vec<(u64, i64)> = found.iter().map(|(v, times)| (*times, *v)).collect();
            rare.sort_unstable();
            // Not always the rarest.
            rare.get((n as usize - 1) * rare.len() / 4).map(|r| r.1)
        }
    };
    claimed.unwrap_or(0)
}
