//! The program, compiled by the system's compiler and run many times under stress. If no execution has a data race or
//! other undefined behaviour, no run may do what the explorer calls impossible: print another state, fail, crash, or
//! wait for ever. The compiler's sanitizers must find nothing either.
//!
//! A run is a process: the program's main is called from `harness.c`, which also chooses its inputs and provokes thread
//! switches.

use crate::ask::{self, JudgeLimits, Said, Subject};
use crate::judge::compile;
use crate::oracle::{self, OracleInputs, States, is_whole};
use crate::question::Question;
use crate::stopwatch::{StageEnd, limited};
use crate::tree::{SourceNode, block, line};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use tp_ir::{Op, Origin, Program};

/// The harness, compiled once for all programs.
pub struct Native {
    object: PathBuf,
    runs: u32,
    /// Milliseconds after which a run counts as hung: one that may wait for ever, and one that must not.
    pub patience: [u32; 2],
}

/// How the program is compiled.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Build {
    Optimised,
    /// ThreadSanitizer.
    Threads,
    /// AddressSanitizer and UndefinedBehaviorSanitizer.
    Memory,
}

impl Build {
    /// Half of them as users build their programs.
    pub fn of(seed: u64) -> Build {
        [Build::Optimised, Build::Threads, Build::Optimised, Build::Memory][seed as usize % 4]
    }

    /// ThreadSanitizer takes a failed compare-exchange for a write.
    fn without_threads(self) -> Build {
        if self == Build::Threads { Build::Optimised } else { self }
    }

    /// Fewer with a sanitizer, which makes each slow.
    fn runs(self, runs: u32) -> u32 {
        if self == Build::Optimised { runs } else { runs.div_ceil(5) }
    }

    fn flags(self) -> &'static [&'static str] {
        match self {
            Build::Optimised => &["-O2"],
            Build::Threads => &["-O1", "-fsanitize=thread"],
            Build::Memory => &["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
        }
    }
}

/// The result of the runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stressed {
    /// No run did anything impossible; `seen` of the `of` possible states occurred.
    Agrees { seen: usize, of: usize },
    /// The explorer has no complete list of states to compare with: the reason.
    Skipped(String),
    /// Listing the states took too long.
    Slow,
    /// A run did something impossible.
    Impossible(Sort, String),
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Sort {
    State,
    Failure,
    Crash,
    Hang,
    Sanitizer,
}

impl fmt::Display for Stressed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stressed::Agrees { seen, of } => write!(f, "{seen} of {of} states seen"),
            Stressed::Skipped(why) => write!(f, "skipped: {why}"),
            Stressed::Slow => write!(f, "slow"),
            Stressed::Impossible(Sort::State, what) => write!(f, "a state that cannot be: {what}"),
            Stressed::Impossible(Sort::Failure, _) => write!(f, "fails, which it cannot"),
            Stressed::Impossible(Sort::Crash, how) => write!(f, "crashes: {how}"),
            Stressed::Impossible(Sort::Hang, _) => write!(f, "waits for ever, which it cannot"),
            Stressed::Impossible(Sort::Sanitizer, _) => write!(f, "a sanitizer complains"),
        }
    }
}

/// Lists the possible states; tests replace it.
pub type ListStates = fn(&Subject, &AtomicBool) -> Result<States, String>;

/// One run, from a line of the harness.
struct Line<'t> {
    end: &'t str,
    inputs: OracleInputs,
    printed: &'t str,
}

const HARNESS: &str = include_str!("native/harness.c");

/// The program with statements at the end of main that print its state.
pub fn with_state(program: &[SourceNode], state: &[SourceNode]) -> Vec<SourceNode> {
    let mut nodes = vec![line("int printf(const char *, ...);")];
    nodes.extend_from_slice(program);
    if let Some(SourceNode::Block { body, .. }) = nodes.last_mut() {
        let last = body.len().saturating_sub(1);
        body.splice(last..last, state.iter().cloned());
    }
    nodes
}

impl Native {
    /// Compiles what all programs share, into this folder.
    pub fn new(folder: &Path, runs: u32) -> Result<Native, String> {
        let (source, object) = (folder.join("harness.c"), folder.join("harness.o"));
        std::fs::write(&source, HARNESS).map_err(|e| e.to_string())?;
        cc(Command::new("cc").args(["-O2", "-w", "-c"]).arg(&source).arg("-o").arg(&object))?;
        Ok(Native { object, runs, patience: [500, 10_000] })
    }

    /// Runs a program that prints its state. `Err`: the compiler, the explorer or the harness failed.
    pub fn stress(
        &self,
        program: &[SourceNode],
        folder: &Path,
        build: Build,
        limits: JudgeLimits,
        states: ListStates,
    ) -> Result<Stressed, String> {
        let subject = Subject::new(compile(program, folder)?, limits);
        let build = if exchanges(&subject.program) { build.without_threads() } else { build };
        let its_subject = subject.clone();
        let states = match limited(limits.time, move |stop| states(&its_subject, &stop)) {
            StageEnd::InTime(Ok(states)) => states,
            StageEnd::InTime(Err(why)) => return Ok(Stressed::Skipped(why)),
            StageEnd::Late(_) | StageEnd::Never => return Ok(Stressed::Slow),
            StageEnd::Panicked(words) => return Err(format!("panic: {words}")),
        };
        let (source, binary) = (folder.join("native.c"), folder.join("native"));
        std::fs::write(&source, crate::tree::print(&stressed(program))).map_err(|e| e.to_string())?;
        let mut command = Command::new("cc");
        command.args(build.flags()).args(["-w", "-pthread", "-fno-strict-aliasing", "-Dmain=program_main"]);
        cc(command.arg(&source).arg(&self.object).arg("-o").arg(&binary))?;
        let mut command = Command::new(&binary);
        // With a sanitizer, a program whose main ends by `pthread_exit` does not end.
        let may_hang = states.may_wait || build != Build::Optimised;
        let patience = self.patience[usize::from(!states.may_wait)];
        command.args([build.runs(self.runs).to_string(), "1".into(), patience.to_string()]);
        // Threads that are not joined, and lock-order inversions, are no races.
        let threads = "exitcode=66:halt_on_error=1:report_thread_leaks=0:detect_deadlocks=0";
        command.env("TSAN_OPTIONS", threads);
        command.env("ASAN_OPTIONS", "exitcode=66:detect_leaks=0").env("UBSAN_OPTIONS", "exitcode=66");
        let output = command.output().map_err(|e| e.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() || text.lines().filter_map(read).next().is_none() {
            return Err(format!("what runs the program says nothing: {}", output.status));
        }
        Ok(compare(&text, &states, may_hang, &subject))
    }
}

/// Whether the program's own code has a compare-exchange.
fn exchanges(program: &Program) -> bool {
    let own = program.functions.values().filter(|f| f.origin == Origin::User);
    let blocks = own.filter_map(|f| f.body.as_ref()).flat_map(|b| b.blocks.values());
    blocks.flat_map(|b| &b.insts).any(|i| matches!(i.op, Op::CmpXchg { .. }))
}

fn cc(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| format!("cannot run the C compiler: {e}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// The states that the explorer finds.
pub fn explored(subject: &Subject, stop: &AtomicBool) -> Result<States, String> {
    oracle::states(&subject.program, subject.limits.traces, stop)
}

fn compare(text: &str, states: &States, may_hang: bool, subject: &Subject) -> Stressed {
    let mut seen = std::collections::BTreeSet::new();
    for run in text.lines().filter_map(read) {
        let sort = match run.end {
            // Without the whole state it has ended early: there is nothing to compare.
            "ended" if !is_whole(run.printed) || states.has(run.printed, &run.inputs) => None,
            "ended" => Some(Sort::State),
            "hung" if !may_hang => Some(Sort::Hang),
            "failed" => Some(Sort::Failure),
            "sanitized" => Some(Sort::Sanitizer),
            end if end.starts_with("signal") || end.starts_with("status") => Some(Sort::Crash),
            _ => None,
        };
        match sort {
            None if is_whole(run.printed) => _ = seen.insert(run.printed),
            None => {}
            Some(Sort::Failure) if !cannot_fail(subject) => {}
            Some(Sort::Crash) => return Stressed::Impossible(Sort::Crash, run.end.to_owned()),
            Some(sort) => {
                return Stressed::Impossible(sort, format!("{} after {:?}", run.printed, run.inputs));
            }
        }
    }
    Stressed::Agrees { seen: seen.len(), of: states.len() }
}

fn cannot_fail(subject: &Subject) -> bool {
    ask::oracle(subject, Question::Failures, Default::default()) == Said::Safe
}

fn read(text: &str) -> Option<Line<'_>> {
    let (end, rest) = text.split_once('|')?;
    let (inputs, printed) = rest.split_once('|')?;
    let input = |i: &str| i.split_once('=').and_then(|(name, v)| Some((name.to_owned(), v.parse().ok()?)));
    let mut inputs: OracleInputs = inputs.split_whitespace().filter_map(input).collect();
    inputs.sort();
    Some(Line { end, inputs, printed })
}

/// The program with a call of `stress` before each statement.
fn stressed(program: &[SourceNode]) -> Vec<SourceNode> {
    let mut nodes = vec![line("void stress(void);")];
    for node in program {
        nodes.push(match node {
            SourceNode::Block { open, body, .. } => block(open.clone(), between(body)),
            line => line.clone(),
        });
    }
    nodes
}

fn between(statements: &[SourceNode]) -> Vec<SourceNode> {
    let mut nodes = Vec::new();
    for node in statements {
        let is_else = matches!(node, SourceNode::Block { open, .. } if open.starts_with("else"));
        if !is_else {
            nodes.push(line("stress();"));
        }
        nodes.push(match node {
            SourceNode::Block { open, body, close } => {
                SourceNode::Block { open: open.clone(), body: between(body), close: close.clone() }
            }
            line => line.clone(),
        });
    }
    nodes
}
