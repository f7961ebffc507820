//! One program, one engine, one process: what it says, how long it takes, how much memory.
//!
//! The limit is on processor time, and ratios are of processor time: others use the machine as well, and their work
//! must not look like ours. A process that reaches the limit gets the signal of Ctrl-C, to which `check` answers with
//! what it knows.

use super::programs::Program;
use anyhow::{Context, Result};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{Signal, kill};
use nix::sys::time::TimeValLike;
use nix::unistd::Pid;
use serde_json::Value;
use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The smallest unit of the times in /proc, on every Linux that we run on.
const TICKS_PER_SECOND: f64 = 100.0;

/// How often it is seen whether the process has ended, and whether it has reached its limit.
const POLL: Duration = Duration::from_millis(1);
const POLL_LIMIT: Duration = Duration::from_millis(50);

/// What a process may take after the signal before it is killed.
const GRACE: Duration = Duration::from_secs(30);

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Engine {
    Order,
    Refine,
    Clocks,
}

pub const ENGINES: [Engine; 3] = [Engine::Order, Engine::Refine, Engine::Clocks];

impl Engine {
    pub fn name(self) -> &'static str {
        match self {
            Engine::Order => "order",
            Engine::Refine => "refine",
            Engine::Clocks => "clocks",
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    Safe,
    Violated,
    /// No loop was followed further than the arguments allow.
    WithinBounds,
    /// The engine cannot tell, whatever the time: the reason.
    Unknown(String),
    /// The time or the memory was over.
    Stopped,
    /// A crash, an internal error, no verdict at all.
    Broken(String),
}

impl Answer {
    pub fn is_verdict(&self) -> bool {
        matches!(self, Answer::Safe | Answer::Violated | Answer::WithinBounds)
    }

    pub fn words(&self) -> String {
        match self {
            Answer::Safe => "safe".to_owned(),
            Answer::Violated => "violated".to_owned(),
            Answer::WithinBounds => "within bounds".to_owned(),
            Answer::Stopped => "stopped".to_owned(),
            Answer::Unknown(reason) => format!("unknown: {reason}"),
            Answer::Broken(how) => format!("BROKEN: {how}"),
        }
    }

    pub fn from_words(words: &str) -> Answer {
        match words {
            "safe" => Answer::Safe,
            "violated" => Answer::Violated,
            "within bounds" => Answer::WithinBounds,
            "stopped" => Answer::Stopped,
            _ => match words.strip_prefix("unknown: ") {
                Some(reason) => Answer::Unknown(reason.to_owned()),
                None => Answer::Broken(words.trim_start_matches("BROKEN: ").to_owned()),
            },
        }
    }
}

/// What a process took, in seconds and bytes, and how much the solver had to learn.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    pub answer: Answer,
    pub wall: f64,
    /// User and system time, clang included.
    pub cpu: f64,
    /// Of Threadproof alone.
    pub memory: u64,
    /// What the search learnt about orders: lemmas of `order`, reasons of `refine`, none for `clocks`.
    pub lemmas: u64,
    pub conflicts: u64,
}

pub fn measure(binary: &Path, program: &Program, engine: Engine, limit: f64) -> Result<Measured> {
    let out = binary.with_extension("out");
    let errors = binary.with_extension("err");
    let mut command = Command::new(binary);
    command
        .args(["check", "--json", "--witness", "/dev/null", "--memory", "4G", "--engine", engine.name()])
        // The limit is ours; this one is for a machine that lets nobody work.
        .args(["--timeout", &format!("{:.0}", limit * 10.0 + 60.0)])
        .args(&program.arguments)
        .arg(&program.file)
        .current_dir(&program.folder)
        .stdin(Stdio::null())
        // Into files, for a pipe that nobody reads has an end.
        .stdout(File::create(&out)?)
        .stderr(File::create(&errors)?);
    let before = cpu_of_children()?;
    let begin = Instant::now();
    let child = command.spawn().with_context(|| format!("cannot run {command:?}"))?;
    let (status, reached_limit) = wait(child, limit)?;
    let wall = begin.elapsed().as_secs_f64();
    let cpu = cpu_of_children()? - before;
    let document: Value = serde_json::from_slice(&std::fs::read(&out)?).unwrap_or_default();
    let error = String::from_utf8_lossy(&std::fs::read(&errors)?).lines().next().unwrap_or("").to_owned();
    let number = |pointer: &str| document.pointer(pointer).and_then(Value::as_u64).unwrap_or(0);
    Ok(Measured {
        answer: answer(&document, status, reached_limit, &error),
        wall,
        cpu,
        memory: number("/resources/peak_memory"),
        lemmas: number("/statistics/lemmas") + number("/statistics/refinements/reasons"),
        conflicts: number("/statistics/conflicts"),
    })
}

fn answer(document: &Value, status: ExitStatus, reached_limit: bool, error: &str) -> Answer {
    let text = |pointer: &str| document.pointer(pointer).and_then(Value::as_str).unwrap_or("");
    let reason = match text("/reason") {
        "" => text("/error"),
        reason => reason,
    };
    let is_stopped = reached_limit || ["timeout", "out of memory"].contains(&reason);
    match text("/verdict") {
        "safe" => Answer::Safe,
        "violated" => Answer::Violated,
        "safe within bounds" if text("/ledger/bounds/ended_by").starts_with("--unwind") => {
            Answer::WithinBounds
        }
        "safe within bounds" => Answer::Stopped,
        "unknown" if is_stopped => Answer::Stopped,
        "unknown" => Answer::Unknown(reason.to_owned()),
        _ if reason.is_empty() => Answer::Broken(format!("{status}: {error}")),
        _ => Answer::Broken(format!("{status}: {reason}")),
    }
}

/// Waits for the end; also says whether the limit was reached.
fn wait(mut child: Child, limit: f64) -> Result<(ExitStatus, bool)> {
    let pid = child.id();
    let mut looked = Instant::now();
    let mut told: Option<Instant> = None;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((status, told.is_some()));
        }
        if looked.elapsed() > POLL_LIMIT {
            looked = Instant::now();
            match told {
                None if cpu_of(pid).is_some_and(|cpu| cpu > limit) => {
                    // The child has not been waited for, so the number is still its own.
                    kill(Pid::from_raw(pid as i32), Signal::SIGINT)?;
                    told = Some(looked);
                }
                Some(since) if since.elapsed() > GRACE => child.kill()?,
                _ => {}
            }
        }
        std::thread::sleep(POLL);
    }
}

/// Processor time so far of a process and of those it has waited for.
fn cpu_of(pid: u32) -> Option<f64> {
    ticks(&std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

fn ticks(stat: &str) -> Option<f64> {
    // The name of the program stands in parentheses, and may contain anything.
    let (_, fields) = stat.rsplit_once(')')?;
    let times: Vec<u64> = fields.split_whitespace().skip(11).take(4).filter_map(|f| f.parse().ok()).collect();
    (times.len() == 4).then(|| times.iter().sum::<u64>() as f64 / TICKS_PER_SECOND)
}

/// Processor time of all processes that this one has waited for.
fn cpu_of_children() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("cannot read the processor time")?;
    Ok((usage.user_time().num_microseconds() + usage.system_time().num_microseconds()) as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::os::unix::process::ExitStatusExt;

    fn check(document: Value, reached_limit: bool, expect: Answer) {
        let got = answer(&document, ExitStatus::from_raw(6 << 8), reached_limit, "panicked");
        assert_eq!(got, expect);
        assert_eq!(Answer::from_words(&got.words()), got);
    }

    #[test]
    fn answers() {
        let bounded =
            |by: &str| json!({"verdict": "safe within bounds", "ledger": {"bounds": {"ended_by": by}}});
        check(json!({"verdict": "safe"}), false, Answer::Safe);
        check(json!({"verdict": "violated", "reason": "race"}), false, Answer::Violated);
        check(bounded("--unwind 3"), false, Answer::WithinBounds);
        check(bounded("--timeout 9, at unwind 3"), true, Answer::Stopped);
        check(json!({"verdict": "unknown", "reason": "interrupted"}), true, Answer::Stopped);
        check(json!({"verdict": "unknown", "reason": "out of memory"}), false, Answer::Stopped);
        check(
            json!({"verdict": "unknown", "reason": "no model"}),
            false,
            Answer::Unknown("no model".to_owned()),
        );
        check(json!({"error": "it"}), false, Answer::Broken("exit status: 6: it".to_owned()));
        check(Value::Null, false, Answer::Broken("exit status: 6: panicked".to_owned()));
    }

    #[test]
    fn times_of_a_process() {
        let stat = "17 (a) b) S 1 2 3 4 5 6 7 8 9 10 100 20 3 7 15 -1";
        assert_eq!(ticks(stat), Some(1.3));
        assert_eq!(ticks("17 (a) S 1"), None);
    }

    #[test]
    fn a_process_is_stopped_at_its_limit() {
        let sleep = Command::new("sleep").arg("0.2").spawn().unwrap();
        assert!(!wait(sleep, 0.1).unwrap().1, "sleeping takes no processor time");
        let busy = Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        assert!(wait(busy, 0.1).unwrap().1);
    }
}
