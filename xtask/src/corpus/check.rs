//! `--check`: proves or refutes the programs, and counts how often the answer is right.
//!
//! Only `unreach-call` is checked, each program in a process of its own. Nothing but a wrong verdict, an alarm that does
//! not replay or a crash is a failure: not to know is honest.

use super::{Task, each, first_line};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

pub const PROPERTY: &str = "unreach-call";

/// How the programs are meant.
pub const ARGUMENTS: [&str; 6] = ["--property", PROPERTY, "--data-model", "ILP32", "--unmodelled", "pure"];

/// What `check` may take longer than its time limit before it is killed.
const GRACE: Duration = Duration::from_secs(30);

#[derive(clap::Args)]
pub struct Args {
    /// Check the programs instead of running them; only `unreach-call`
    #[arg(long)]
    pub check: bool,
    /// With --check: the engine
    #[arg(long, default_value = "order")]
    engine: String,
    /// With --check: memory for each program
    #[arg(long, default_value = "4G")]
    memory: String,
    /// With --check: a line for each program in this file, tab-separated
    #[arg(long)]
    log: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    RightTrue,
    RightFalse,
    WrongTrue,
    WrongFalse,
    WithinBounds,
    WithinBoundsMissed,
    Unknown,
    NotReplayed,
    Broken,
}

impl Kind {
    fn words(self) -> &'static str {
        match self {
            Kind::RightTrue => "right true",
            Kind::RightFalse => "right false",
            Kind::WrongTrue => "WRONG TRUE",
            Kind::WrongFalse => "WRONG FALSE",
            Kind::WithinBounds => "within bounds, expected true",
            Kind::WithinBoundsMissed => "within bounds, expected false",
            Kind::Unknown => "unknown",
            Kind::NotReplayed => "NOT REPLAYED",
            Kind::Broken => "BROKEN",
        }
    }

    fn is_failure(self) -> bool {
        matches!(self, Kind::WrongTrue | Kind::WrongFalse | Kind::NotReplayed | Kind::Broken)
    }
}

struct Row {
    kind: Kind,
    reason: String,
    seconds: f64,
    megabytes: u64,
}

pub fn check(args: &super::Args, binary: &Path, tasks: &[Task]) -> Result<()> {
    let is_checked = |t: &&Task| t.property.as_deref() == Some(PROPERTY);
    let tasks: Vec<Task> = tasks.iter().filter(is_checked).cloned().collect();
    let folder = binary.with_extension("out");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let rows = each(&tasks, args.jobs, |i, task| {
        let out = folder.join(i.to_string());
        one(args, binary, task, &out).unwrap_or_else(|e| Row {
            kind: Kind::Broken,
            reason: format!("{e:#}"),
            seconds: 0.0,
            megabytes: 0,
        })
    });
    if let Some(path) = &args.check.log {
        std::fs::write(path, log(&tasks, &rows))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    print!("{}", table(&tasks, &rows));
    let mut failures = 0;
    for (task, row) in tasks.iter().zip(&rows).filter(|(_, row)| row.kind.is_failure()) {
        println!("{}: {}: {}", row.kind.words(), task.program, row.reason);
        failures += 1;
    }
    if failures > 0 { bail!("{failures} outcomes that should not be") } else { Ok(()) }
}

/// Checks one program. What it prints goes to a file, for a pipe that nobody reads has an end.
fn one(args: &super::Args, binary: &Path, task: &Task, out: &Path) -> Result<Row> {
    let errors = out.with_extension("err");
    let mut command = Command::new(binary);
    command
        .args(["check", "--json", "--witness", "/dev/null"])
        .args(ARGUMENTS)
        .args(["--engine", &args.check.engine, "--memory", &args.check.memory])
        .args(["--timeout", &args.timeout.to_string()])
        .arg(args.dir.join(&task.program))
        .stdin(Stdio::null())
        .stdout(File::create(out)?)
        .stderr(File::create(&errors)?);
    let begin = Instant::now();
    let limit = Duration::from_secs(args.timeout.into()) + GRACE;
    let status = wait(command.spawn()?, begin + limit)?;
    let seconds = begin.elapsed().as_secs_f64();
    let document: Value = serde_json::from_slice(&std::fs::read(out)?).unwrap_or_default();
    let errors = std::fs::read(&errors)?;
    let (kind, reason) = match status {
        None => (Kind::Broken, format!("no answer after {} s", limit.as_secs())),
        Some(status) => judge(task, &document, status, &first_line(&errors)),
    };
    let peak = document.pointer("/resources/peak_memory").and_then(Value::as_u64).unwrap_or(0);
    Ok(Row { kind, reason, seconds, megabytes: peak >> 20 })
}

/// Waits for the end, and kills what has none in time.
fn wait(mut child: Child, deadline: Instant) -> Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() > deadline {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn judge(task: &Task, document: &Value, status: ExitStatus, error: &str) -> (Kind, String) {
    let text = |key: &str| document.get(key).and_then(Value::as_str).unwrap_or("").to_owned();
    let kind = match (text("verdict").as_str(), task.violated) {
        ("safe", false) => Kind::RightTrue,
        ("safe", true) => Kind::WrongTrue,
        ("violated", true) => Kind::RightFalse,
        ("violated", false) => Kind::WrongFalse,
        ("safe within bounds", false) => Kind::WithinBounds,
        ("safe within bounds", true) => Kind::WithinBoundsMissed,
        ("unknown", _) => Kind::Unknown,
        _ if text("error").contains("does not replay") => Kind::NotReplayed,
        _ => Kind::Broken,
    };
    let reason = match kind {
        Kind::Broken => format!("{status}: {error}"),
        Kind::NotReplayed => text("error"),
        _ => text("reason"),
    };
    (kind, reason)
}

fn log(tasks: &[Task], rows: &[Row]) -> String {
    let mut text = String::from("program\texpected\tverdict\treason\tseconds\tMB\n");
    for (task, row) in tasks.iter().zip(rows) {
        let expected = !task.violated;
        let (verdict, reason) = (row.kind.words(), row.reason.replace(['\t', '\n'], " "));
        let (seconds, megabytes) = (row.seconds, row.megabytes);
        text += &format!("{}\t{expected}\t{verdict}\t{reason}\t{seconds:.2}\t{megabytes}\n", task.program);
    }
    text
}

/// How many of each kind, what could not be decided and why, and what it took.
fn table(tasks: &[Task], rows: &[Row]) -> String {
    let expected = tasks.iter().filter(|t| !t.violated).count();
    let mut text = format!("{} checks: {expected} true, {} false\n", tasks.len(), tasks.len() - expected);
    let mut counts: BTreeMap<(Kind, &str), (usize, usize)> = BTreeMap::new();
    for (task, row) in tasks.iter().zip(rows) {
        let reason = if row.kind == Kind::Unknown { group(&row.reason) } else { "" };
        let count = counts.entry((row.kind, reason)).or_default();
        *if task.violated { &mut count.1 } else { &mut count.0 } += 1;
    }
    for ((kind, reason), (right, wrong)) in &counts {
        let reason = if reason.is_empty() { String::new() } else { format!(": {reason}") };
        let split = match kind {
            Kind::Unknown => format!(" ({right} expected true, {wrong} false)"),
            _ => String::new(),
        };
        text += &format!("{:>6}  {}{reason}{split}\n", right + wrong, kind.words());
    }
    let mut seconds: Vec<f64> = rows.iter().map(|r| r.seconds).collect();
    seconds.sort_by(f64::total_cmp);
    let median = seconds.get(seconds.len() / 2).copied().unwrap_or(0.0);
    let largest = rows.iter().map(|r| r.megabytes).max().unwrap_or(0);
    text + &format!(
        "median {median:.2} s, total {:.0} s, at most {largest} MB\n",
        seconds.iter().sum::<f64>()
    )
}

/// Reasons that differ only in what they name are one.
fn group(reason: &str) -> &str {
    let end = reason.find([':', '`', '(']).unwrap_or(reason.len());
    reason[..end].trim()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    fn check(violated: bool, document: &str, expect: (Kind, &str)) {
        let task = Task { program: "p".to_owned(), property: None, violated };
        let document = serde_json::from_str(document).unwrap_or_default();
        let (kind, reason) = judge(&task, &document, ExitStatus::from_raw(6 << 8), "killed");
        assert_eq!((kind, reason.as_str()), expect);
    }

    #[test]
    fn verdicts_are_judged() {
        check(false, r#"{"verdict": "safe", "reason": null}"#, (Kind::RightTrue, ""));
        check(true, r#"{"verdict": "safe", "reason": null}"#, (Kind::WrongTrue, ""));
        check(true, r#"{"verdict": "violated", "reason": "x"}"#, (Kind::RightFalse, "x"));
        check(false, r#"{"verdict": "violated", "reason": "x"}"#, (Kind::WrongFalse, "x"));
        check(true, r#"{"verdict": "unknown", "reason": "timeout"}"#, (Kind::Unknown, "timeout"));
        check(false, r#"{"error": "it does not replay"}"#, (Kind::NotReplayed, "it does not replay"));
        check(false, "", (Kind::Broken, "exit status: 6: killed"));
    }

    #[test]
    fn reasons_are_grouped() {
        assert_eq!(group("not supported: a float"), "not supported");
        assert_eq!(group("no model for `f`"), "no model for");
        assert_eq!(group("timeout"), "timeout");
    }
}
