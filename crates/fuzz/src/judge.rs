//! Whether `check` says the same about a program as running it in every way does.

use crate::generate::OUTCOME;
use crate::oracle::{self, Truth};
use crate::tree::{self, Node};
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};
use tp_certify::Certificate;
use tp_engines::{Method, Options, Outcome, Reason, Uncertified, Verdict};
use tp_ir::{Checks, Program, Property};

pub const METHODS: [Method; 3] = [Method::Order, Method::Refine, Method::Clocks];

/// How much is tried.
#[derive(Copy, Clone, Debug)]
pub struct Limits {
    /// Executions of the program.
    pub traces: u64,
    /// Rounds of loops that `check` follows.
    pub bound: u32,
    /// Longer is a hang.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { traces: 30_000, bound: 5, time: Duration::from_secs(10) }
    }
}

/// What `check` says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    Violated,
    Safe,
    /// Neither, and not a defect by itself.
    Undecided(String),
    /// A panic, a hang, a counterexample that does not replay.
    Broken(String),
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Said::Violated => write!(f, "violated"),
            Said::Safe => write!(f, "safe"),
            Said::Undecided(why) => write!(f, "undecided: {why}"),
            Said::Broken(how) => write!(f, "broken: {how}"),
        }
    }
}

impl Said {
    /// The same sort of answer.
    pub fn is_like(&self, other: &Said) -> bool {
        let sort = |s: &Said| match s {
            Said::Broken(how) => how.chars().take_while(|c| c.is_alphabetic() || *c == ' ').collect(),
            other => other.to_string(),
        };
        sort(self) == sort(other)
    }
}

/// About one program.
pub struct Judgement {
    pub truth: Truth,
    pub traces: u64,
    pub said: Vec<(Method, Said)>,
}

impl Judgement {
    /// The engines that are wrong.
    pub fn wrong(&self) -> Vec<(Method, Said)> {
        self.said.iter().filter(|(_, said)| !agrees(&self.truth, said)).cloned().collect()
    }
}

pub fn agrees(truth: &Truth, said: &Said) -> bool {
    !matches!(
        (truth, said),
        (_, Said::Broken(_)) | (Truth::Fails(_), Said::Safe) | (Truth::Holds, Said::Violated)
    )
}

fn checks() -> Checks {
    Checks::NONE.with(Property::Assert).with(Property::ReachError).with(Property::Lock)
}

/// Compiles the program in this folder, which has to be there; an error of clang's when it cannot.
pub fn judge(
    program: &[Node],
    folder: &Path,
    methods: &[Method],
    limits: Limits,
) -> Result<Judgement, String> {
    let source = tree::print(program);
    let program = Arc::new(compile(&source, folder)?);
    let answer = oracle::explore(&program, checks(), limits.traces);
    let said = match answer.truth {
        Truth::Unknown(_) => Vec::new(),
        _ => methods.iter().map(|&m| (m, ask(&program, m, limits))).collect(),
    };
    Ok(Judgement { truth: answer.truth, traces: answer.traces, said })
}

fn compile(source: &str, folder: &Path) -> Result<Program, String> {
    let path = folder.join("fuzz.c");
    std::fs::write(&path, source).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    let options = tp_frontend::Options {
        inputs: vec![path],
        clang_args: vec!["-w".into(), "-Werror=implicit-function-declaration".into()],
        ..tp_frontend::Options::default()
    };
    Ok(tp_frontend::load(&options).map_err(|e| e.to_string())?.program)
}

/// The program with an assertion that its outcome is none of those that it can have; or, for every fourth seed, one that
/// it does not seem to have. Of those that it has, one that comes about in few ways: who overlooks them says `safe`.
pub fn with_claim(program: Vec<Node>, seed: u64, folder: &Path, limits: Limits) -> Result<Vec<Node>, String> {
    let source = tree::print(&program);
    if !source.contains(OUTCOME) {
        return Ok(program);
    }
    let found = oracle::outcomes(&compile(&source, folder)?, checks(), limits.traces);
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
    Ok(tree::replace(&program, OUTCOME, &claimed.unwrap_or(0).to_string()))
}

/// What `check` says, in a thread of its own, which is left alone if it hangs.
fn ask(program: &Arc<Program>, method: Method, limits: Limits) -> Said {
    let stop = Arc::new(AtomicBool::new(false));
    let options = Options {
        method,
        checks: checks(),
        max_bound: Some(limits.bound),
        max_instructions: 10_000_000,
        certify: true,
        stop: stop.clone(),
    };
    let (sender, receiver) = mpsc::channel();
    let program = program.clone();
    let begin = Instant::now();
    std::thread::spawn(move || {
        let work = || said(&program, tp_engines::check(&program, &options, &mut |_| {}));
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        let said = result.unwrap_or_else(|panic| Said::Broken(format!("panic: {}", words(&*panic))));
        // Nobody listens any more when it took too long.
        let _ = sender.send(said);
    });
    match receiver.recv_timeout(limits.time) {
        Ok(said) => said,
        Err(_) => {
            stop.store(true, Ordering::Relaxed);
            match receiver.recv_timeout(Duration::from_secs(5)) {
                Ok(Said::Broken(how)) => Said::Broken(how),
                Ok(_) => Said::Broken(format!("slow: more than {} s", limits.time.as_secs())),
                Err(_) => Said::Broken(format!("hang: not stopped after {} s", begin.elapsed().as_secs())),
            }
        }
    }
}

/// What is wrong with the proof that an answer came with.
fn not_certified(certified: Result<Certificate, Uncertified>) -> Option<String> {
    let mut text = Vec::new();
    match certified {
        Ok(certificate) => certificate.write(&mut text).err().map(|e| e.to_string()),
        Err(Uncertified::Stopped) => return None,
        Err(Uncertified::Fault(fault)) => Some(fault),
    }
    .or_else(|| Some(format!("certificate: {}", tp_certify::check(&text[..]).err()?)))
}

fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("").to_owned()
}

fn said(program: &Program, outcome: Outcome) -> Said {
    if let Some(problem) = outcome.certificate.and_then(not_certified) {
        return Said::Broken(problem);
    }
    match outcome.verdict {
        Verdict::Violated { .. } => Said::Violated,
        Verdict::Safe => Said::Safe,
        Verdict::WithinBounds { .. } => Said::Undecided("within bounds".into()),
        Verdict::Unknown(reason) => match reason {
            Reason::Stopped => Said::Undecided("stopped".into()),
            Reason::TooLarge => Said::Undecided("too large".into()),
            Reason::Gap { what, place } => {
                Said::Undecided(format!("gap: {what} (line {})", program.places[place].line))
            }
            Reason::Unmodelled { function, .. } => Said::Undecided(format!("no model for {function}")),
            Reason::Undefined { message, .. } => Said::Undecided(format!("undefined: {message}")),
            Reason::NotReplayed { expected, happened } => {
                Said::Broken(format!("not replayed: expected {expected}, got {happened}"))
            }
            Reason::Fault(fault) => Said::Broken(format!("fault: {fault}")),
        },
    }
}
