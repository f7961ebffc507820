//! One program, one engine, one process: what it says, how long it takes, how much memory.
//!
//! The limit is on processor time, and ratios are of processor time: others use the machine as well, and their work
//! must not count. A process that reaches the limit gets SIGINT, to which `check` answers with what it knows.

use super::programs::Program;
use anyhow::{Context, Result};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tp_bench::process::{self, ProcessEnd, ProcessLimits};

/// How long a process may run after the signal before it is killed.
const GRACE: Duration = Duration::from_secs(30);

/// By its name.
pub type EngineName = &'static str;

/// Engines with targets, or to which others are compared.
pub const ORDER: EngineName = "order";
pub const REFINE: EngineName = "refine";
pub const CLOCKS: EngineName = "clocks";

/// The engines that solve. The time of an engine that executes the program depends on the number of executions, and
/// cannot be compared with theirs. Those that are made for a bound on context switches have a table of their own.
pub fn engines() -> Vec<EngineName> {
    those_that_solve(&tp_driver::ENGINES)
}

fn those_that_solve(table: &[tp_driver::Engine]) -> Vec<EngineName> {
    table
        .iter()
        .filter(|engine| engine.kind == tp_driver::EngineKind::Solves && !engine.bounds_contexts)
        .map(|engine| engine.name)
        .collect()
}

#[derive(Clone, PartialEq, Debug)]
pub enum MeasuredAnswer {
    Safe,
    Violated,
    /// Safe within the bound that the arguments set.
    WithinBounds,
    /// The engine cannot decide it, however much time it has: the reason.
    Unknown(String),
    /// Out of time or memory.
    Stopped,
    /// A crash, an internal error, no verdict at all.
    Broken(String),
}

impl MeasuredAnswer {
    pub fn is_verdict(&self) -> bool {
        matches!(self, MeasuredAnswer::Safe | MeasuredAnswer::Violated | MeasuredAnswer::WithinBounds)
    }

    pub fn words(&self) -> String {
        match self {
            MeasuredAnswer::Safe => "safe".to_owned(),
            MeasuredAnswer::Violated => "violated".to_owned(),
            MeasuredAnswer::WithinBounds => "within bounds".to_owned(),
            MeasuredAnswer::Stopped => "stopped".to_owned(),
            MeasuredAnswer::Unknown(reason) => format!("unknown: {reason}"),
            MeasuredAnswer::Broken(how) => format!("BROKEN: {how}"),
        }
    }

    pub fn from_words(words: &str) -> MeasuredAnswer {
        match words {
            "safe" => MeasuredAnswer::Safe,
            "violated" => MeasuredAnswer::Violated,
            "within bounds" => MeasuredAnswer::WithinBounds,
            "stopped" => MeasuredAnswer::Stopped,
            _ => match words.strip_prefix("unknown: ") {
                Some(reason) => MeasuredAnswer::Unknown(reason.to_owned()),
                None => MeasuredAnswer::Broken(words.trim_start_matches("BROKEN: ").to_owned()),
            },
        }
    }
}

/// What a process took, in seconds and bytes, and how much the solver had to learn.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    pub answer: MeasuredAnswer,
    pub wall: f64,
    /// User and system time, clang included.
    pub cpu: f64,
    /// Without clang's.
    pub memory: u64,
    /// What the search learnt about orders: lemmas of `order`, reasons of `refine`, none for `clocks`.
    pub lemmas: u64,
    pub conflicts: u64,
}

pub fn measure(binary: &Path, program: &Program, engine: EngineName, limit: f64) -> Result<Measured> {
    let mut command = Command::new(binary);
    command
        .args(["check", "--json", "--witness", "/dev/null", "--memory", "4G", "--engine", engine])
        // The limit on processor time is ours; this one is for a machine on which the process hardly gets to run.
        .args(["--timeout", &format!("{:.0}", limit * 10.0 + 60.0)])
        .args(&program.arguments)
        .arg(&program.file)
        .current_dir(&program.folder);
    let limits =
        ProcessLimits { cpu: Some(Duration::from_secs_f64(limit)), grace: GRACE, ..ProcessLimits::default() };
    let ended = process::run(&mut command, &limits, &|| false);
    let ended = ended.with_context(|| format!("cannot run {command:?}"))?;
    let document: Value = serde_json::from_slice(&ended.stdout).unwrap_or_default();
    let number = |pointer: &str| document.pointer(pointer).and_then(Value::as_u64).unwrap_or(0);
    Ok(Measured {
        answer: answer(&document, &ended),
        wall: ended.wall,
        cpu: ended.cpu,
        memory: number("/resources/peak_memory"),
        lemmas: number("/statistics/lemmas") + number("/statistics/refinements/reasons"),
        conflicts: number("/statistics/conflicts"),
    })
}

fn answer(document: &Value, ended: &ProcessEnd) -> MeasuredAnswer {
    let text = |pointer: &str| document.pointer(pointer).and_then(Value::as_str).unwrap_or("");
    let reason = match text("/reason") {
        "" => text("/error"),
        reason => reason,
    };
    let is_stopped = ended.reached.is_some() || ["timeout", "out of memory"].contains(&reason);
    match text("/verdict") {
        "safe" => MeasuredAnswer::Safe,
        "violated" => MeasuredAnswer::Violated,
        "safe within bounds" if is_asked_for(text("/ledger/bounds/ended_by")) => MeasuredAnswer::WithinBounds,
        "safe within bounds" => MeasuredAnswer::Stopped,
        "unknown" if is_stopped => MeasuredAnswer::Stopped,
        "unknown" => MeasuredAnswer::Unknown(reason.to_owned()),
        _ if reason.is_empty() => MeasuredAnswer::Broken(format!("{}: {}", ended.status, ended.complaint())),
        _ => MeasuredAnswer::Broken(format!("{}: {reason}", ended.status)),
    }
}

/// The arguments set the bound.
fn is_asked_for(ended_by: &str) -> bool {
    ["--unwind", "--contexts"].iter().any(|option| ended_by.starts_with(option))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;
    use tp_bench::process::LimitReached;

    fn check(document: Value, reached_limit: bool, expect: MeasuredAnswer) {
        let ended = ProcessEnd {
            status: ExitStatus::from_raw(6 << 8),
            reached: reached_limit.then_some(LimitReached::Time),
            wall: 0.0,
            cpu: 0.0,
            memory: 0,
            stdout: Vec::new(),
            stderr: b"panicked".to_vec(),
        };
        let got = answer(&document, &ended);
        assert_eq!(got, expect);
        assert_eq!(MeasuredAnswer::from_words(&got.words()), got);
    }

    /// A row of the table is all it takes to be measured. The command is a fake that knows this engine only.
    #[test]
    fn an_engine_joins_by_its_line() {
        let dummy = tp_driver::Engine { name: "dummy", ..tp_driver::ENGINES[0] };
        let engines = those_that_solve(&[dummy]);
        assert_eq!(engines, ["dummy"]);
        let folder = tempfile::tempdir().expect("there is a place for temporary files");
        let binary = folder.path().join("threadproof");
        let script = "#!/bin/sh\ncase \"$*\" in *'--engine dummy'*) echo '{\"verdict\": \"safe\"}';; esac\n";
        std::fs::write(&binary, script).expect("the temporary folder can be written");
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&binary, executable).expect("it is ours");
        let (name, file) = ("program".to_owned(), "program.c".into());
        let program =
            Program { name, file, folder: folder.path().into(), arguments: Vec::new(), expected: None };
        let measured = measure(&binary, &program, engines[0], 60.0).expect("it can be run");
        assert_eq!(measured.answer, MeasuredAnswer::Safe);
    }

    #[test]
    fn answers() {
        let bounded =
            |by: &str| json!({"verdict": "safe within bounds", "ledger": {"bounds": {"ended_by": by}}});
        check(json!({"verdict": "safe"}), false, MeasuredAnswer::Safe);
        check(json!({"verdict": "violated", "reason": "race"}), false, MeasuredAnswer::Violated);
        check(bounded("--unwind 3"), false, MeasuredAnswer::WithinBounds);
        check(bounded("--timeout 9, at unwind 3"), true, MeasuredAnswer::Stopped);
        check(json!({"verdict": "unknown", "reason": "interrupted"}), true, MeasuredAnswer::Stopped);
        check(json!({"verdict": "unknown", "reason": "out of memory"}), false, MeasuredAnswer::Stopped);
        check(
            json!({"verdict": "unknown", "reason": "no model"}),
            false,
            MeasuredAnswer::Unknown("no model".to_owned()),
        );
        check(json!({"error": "it"}), false, MeasuredAnswer::Broken("exit status: 6: it".to_owned()));
        check(Value::Null, false, MeasuredAnswer::Broken("exit status: 6: panicked".to_owned()));
    }
}
