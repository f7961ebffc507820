//! Runs or checks programs that others wrote, and compares with the verdicts that they are known to have.
//!
//! A directory `DIR/<set>/<program>` and a table with the columns set, program, property, expected, lines. Each program
//! is imported once, and run for each of its properties. A violation of a property that is known to hold is wrong; a
//! violation that is not found is not, for running cannot find all. With `--check` they are checked instead (`check`).

pub mod check;

use crate::{root, threadproof};
use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(clap::Args)]
pub struct Args {
    /// Where the programs are
    dir: PathBuf,
    /// The table of expected verdicts
    #[arg(long)]
    tasks: PathBuf,
    /// Runs of each program and property
    #[arg(long, default_value_t = 20)]
    runs: u32,
    /// Seconds for each program and property
    #[arg(long, default_value_t = 20)]
    timeout: u32,
    /// Only programs whose `set/program` contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Programs at a time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    #[command(flatten)]
    check: check::Args,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// `set/program`.
    pub program: String,
    /// `None`: only import it.
    pub property: Option<String>,
    pub violated: bool,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Outcome {
    Imported,
    NotImported(String),
    /// A violation that is expected.
    Found,
    /// A violation of what is known to hold.
    Wrong(String),
    NoViolation,
    Timeout,
    /// A limit of steps, memory or calls.
    Limit(String),
    /// Something undefined that was not to be checked.
    CannotGoOn(String),
    Unsupported(String),
    NoModel(String),
    /// No verdict at all: a panic, an internal error, a crash.
    Broken(String),
}

pub fn corpus(args: &Args) -> Result<()> {
    // A copy, so that a build in the meantime does not change the tool under test.
    let binary = root().join("target/threadproof-under-test");
    std::fs::copy(threadproof()?, &binary).context("cannot copy the binary")?;
    let checked = tasks(&args.tasks, &args.only)?;
    if args.check.check {
        return check::check(args, &binary, &checked);
    }
    let programs: BTreeSet<&String> = checked.iter().map(|task| &task.program).collect();
    let imports = programs.into_iter().map(|p| Task { program: p.clone(), property: None, violated: false });
    let tasks: Vec<Task> = imports.chain(checked.iter().cloned()).collect();
    let outcomes = each(&tasks, args.jobs, |_, task| outcome(args, &binary, task));
    report(&tasks, outcomes)
}

/// The results for all tasks, in their order, several at a time.
fn each<R: Send>(tasks: &[Task], jobs: usize, work: impl Fn(usize, &Task) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                while let Some((i, task)) = next_of(tasks, &next) {
                    let result = work(i, task);
                    let mut results = results.lock().unwrap_or_else(|e| e.into_inner());
                    results.push((i, result));
                    if results.len().is_multiple_of(100) {
                        eprintln!("{} of {} done", results.len(), tasks.len());
                    }
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(|e| e.into_inner());
    results.sort_by_key(|(i, _)| *i);
    results.into_iter().map(|(_, result)| result).collect()
}

fn next_of<'a>(tasks: &'a [Task], next: &AtomicUsize) -> Option<(usize, &'a Task)> {
    let i = next.fetch_add(1, Ordering::Relaxed);
    tasks.get(i).map(|task| (i, task))
}

/// The programs with a property each, as the table has them; only those whose name contains `only`.
pub fn tasks(path: &Path, only: &str) -> Result<Vec<Task>> {
    let table = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut tasks = Vec::new();
    for line in table.lines().skip(1) {
        let [set, program, property, expected, ..] = line.split('\t').collect::<Vec<_>>()[..] else {
            bail!("{}: `{line}` does not have the columns set, program, property, expected", path.display());
        };
        let program = format!("{set}/{program}");
        if program.contains(only) {
            tasks.push(Task { program, property: Some(property.to_owned()), violated: expected == "false" });
        }
    }
    Ok(tasks)
}

fn outcome(args: &Args, binary: &Path, task: &Task) -> Outcome {
    let file = args.dir.join(&task.program);
    let mut command = Command::new(binary);
    match &task.property {
        None => command.arg("ir"),
        Some(property) => command
            .args(["run", "--json", "--trace", "/dev/null", "--property", property])
            .args(["--runs", &args.runs.to_string(), "--timeout", &args.timeout.to_string()]),
    };
    command.args(["--data-model", "ILP32"]).arg(file);
    match command.output() {
        Err(error) => Outcome::Broken(error.to_string()),
        Ok(output) if task.property.is_none() => imported(&output),
        Ok(output) => verdict(task, &output),
    }
}

fn imported(output: &Output) -> Outcome {
    if output.status.success() { Outcome::Imported } else { Outcome::NotImported(first_line(&output.stderr)) }
}

fn verdict(task: &Task, output: &Output) -> Outcome {
    let Ok(document) = serde_json::from_slice::<serde_json::Value>(&output.stdout) else {
        return Outcome::Broken(format!("{}: {}", output.status, first_line(&output.stderr)));
    };
    let text = |pointer: &str| document.pointer(pointer).and_then(|v| v.as_str()).unwrap_or("");
    let reason = text("/reason").to_owned();
    match (text("/verdict"), text("/diagnostic/id")) {
        ("violated", _) if task.violated => Outcome::Found,
        ("violated", _) => Outcome::Wrong(format!("{} with seed {}", text("/diagnostic/message"), {
            document.pointer("/seed").map_or(String::new(), |s| s.to_string())
        })),
        ("unknown", _) if reason.starts_with("timeout") => Outcome::Timeout,
        ("unknown", "") => Outcome::NoViolation,
        ("unknown", "limit") => Outcome::Limit(reason),
        ("unknown", "unsupported") => Outcome::Unsupported(reason),
        ("unknown", "unmodelled") => Outcome::NoModel(reason),
        ("unknown", _) => Outcome::CannotGoOn(reason),
        _ => Outcome::Broken(format!("{}: no verdict", output.status)),
    }
}

fn first_line(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).lines().next().unwrap_or("").to_owned()
}

/// Counts, then the name of everything that should not be.
fn report(tasks: &[Task], outcomes: Vec<Outcome>) -> Result<()> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut named = Vec::new();
    for (task, outcome) in tasks.iter().zip(&outcomes) {
        let (kind, detail, bad) = match outcome {
            Outcome::Imported => ("imported", None, false),
            Outcome::NotImported(why) => ("NOT IMPORTED", Some(why), true),
            Outcome::Found if task.violated => ("violation found", None, false),
            Outcome::Found | Outcome::NoViolation if task.violated => ("violation not found", None, false),
            Outcome::Found | Outcome::NoViolation => ("no violation, as expected", None, false),
            Outcome::Wrong(what) => ("WRONG VIOLATION", Some(what), true),
            Outcome::Timeout => ("out of time", None, false),
            Outcome::Limit(why) => ("out of steps, memory or calls", Some(why), false),
            Outcome::CannotGoOn(why) => ("cannot go on", Some(why), false),
            Outcome::Unsupported(what) => ("UNSUPPORTED", Some(what), true),
            Outcome::NoModel(what) => ("NO MODEL", Some(what), true),
            Outcome::Broken(how) => ("NO VERDICT", Some(how), true),
        };
        *counts.entry(kind).or_default() += 1;
        if bad || matches!(outcome, Outcome::CannotGoOn(_)) {
            let property = task.property.as_deref().unwrap_or("import");
            named.push(format!("{kind}: {} ({property}): {}", task.program, detail.map_or("", |d| d)));
        }
    }
    let imports = tasks.iter().filter(|t| t.property.is_none()).count();
    let expected = tasks.iter().filter(|t| t.violated).count();
    println!("{imports} programs, {} checks, {expected} of them with a violation", tasks.len() - imports);
    for (kind, count) in &counts {
        println!("{count:>6}  {kind}");
    }
    for name in &named {
        println!("{name}");
    }
    match named.iter().filter(|n| !n.starts_with("cannot")).count() {
        0 => Ok(()),
        n => bail!("{n} outcomes that should not be"),
    }
}
