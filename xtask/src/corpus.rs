//! Runs programs that others wrote, and compares the results with the known verdicts. `threadproof bench` does the same
//! for `check`.
//!
//! A directory `DIR/<set>/<program>` and a table with the columns set, program, property, expected. Each program is
//! imported once, and run for each of its properties. A violation of a property that is known to hold is wrong; a
//! missed violation is not, because runs cannot find all.

use crate::{root, threadproof};
use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tp_bench::find::{self, Places, Wanted};

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
}

struct CorpusTask {
    /// `set/program`.
    program: String,
    file: PathBuf,
    arguments: Vec<String>,
    /// `None`: only import it.
    property: Option<String>,
    violated: bool,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum RunOutcome {
    Imported,
    NotImported(String),
    /// An expected violation.
    Found,
    /// A violation of a property that is known to hold.
    Wrong(String),
    NoViolation,
    Timeout,
    /// A limit of steps, memory or calls.
    Limit(String),
    /// Undefined behaviour that was not checked for.
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
    let tasks = tasks(args)?;
    let mut done = 0;
    let outcomes = tp_bench::each(
        &tasks,
        args.jobs,
        |task| Some(outcome(args, &binary, task)),
        |_| {
            done += 1;
            if done % 100 == 0 {
                eprintln!("{done} of {} done", tasks.len());
            }
        },
    );
    report(&tasks, outcomes)
}

/// The import of each program, then a run for each of its properties.
fn tasks(args: &Args) -> Result<Vec<CorpusTask>> {
    let places = Places { folder: Some(args.dir.clone()), data_model: None };
    let wanted = Wanted { only: &args.only, properties: &[], known: &|_| true };
    let checked = find::select(find::tasks(std::slice::from_ref(&args.tasks), &places)?, &wanted)?.tasks;
    let task = |task: &tp_bench::BenchTask, property: Option<&String>| CorpusTask {
        program: task.id.path(),
        file: task.files.first().cloned().unwrap_or_default(),
        arguments: task.arguments.clone(),
        property: property.cloned(),
        violated: property.is_some() && task.expected.as_ref().is_some_and(|e| !e.is_true()),
    };
    let mut seen = BTreeSet::new();
    let imports = checked.iter().filter(|t| seen.insert((t.files.clone(), t.id.arguments.clone())));
    let imports: Vec<CorpusTask> = imports.map(|t| task(t, None)).collect();
    Ok(imports.into_iter().chain(checked.iter().map(|t| task(t, Some(&t.id.property)))).collect())
}

fn outcome(args: &Args, binary: &Path, task: &CorpusTask) -> RunOutcome {
    let mut command = Command::new(binary);
    match &task.property {
        None => command.arg("ir"),
        Some(property) => command
            .args(["run", "--json", "--trace", "/dev/null", "--property", property])
            .args(["--runs", &args.runs.to_string(), "--timeout", &args.timeout.to_string()]),
    };
    command.args(["--data-model", "ILP32"]).args(&task.arguments).arg(&task.file);
    match command.output() {
        Err(error) => RunOutcome::Broken(error.to_string()),
        Ok(output) if task.property.is_none() => imported(&output),
        Ok(output) => verdict(task, &output),
    }
}

fn imported(output: &Output) -> RunOutcome {
    if output.status.success() {
        RunOutcome::Imported
    } else {
        RunOutcome::NotImported(first_line(&output.stderr))
    }
}

fn verdict(task: &CorpusTask, output: &Output) -> RunOutcome {
    let Ok(document) = serde_json::from_slice::<serde_json::Value>(&output.stdout) else {
        return RunOutcome::Broken(format!("{}: {}", output.status, first_line(&output.stderr)));
    };
    let text = |pointer: &str| document.pointer(pointer).and_then(|v| v.as_str()).unwrap_or("");
    let reason = text("/reason").to_owned();
    match (text("/verdict"), text("/diagnostic/id")) {
        ("violated", _) if task.violated => RunOutcome::Found,
        ("violated", _) => RunOutcome::Wrong(format!("{} with seed {}", text("/diagnostic/message"), {
            document.pointer("/seed").map_or(String::new(), |s| s.to_string())
        })),
        ("unknown", _) if reason.starts_with("timeout") => RunOutcome::Timeout,
        ("unknown", "") => RunOutcome::NoViolation,
        ("unknown", "limit") => RunOutcome::Limit(reason),
        ("unknown", "unsupported") => RunOutcome::Unsupported(reason),
        ("unknown", "unmodelled") => RunOutcome::NoModel(reason),
        ("unknown", _) => RunOutcome::CannotGoOn(reason),
        _ => RunOutcome::Broken(format!("{}: no verdict", output.status)),
    }
}

fn first_line(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).lines().next().unwrap_or("").to_owned()
}

/// Counts, then each bad outcome by name.
fn report(tasks: &[CorpusTask], outcomes: Vec<RunOutcome>) -> Result<()> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut named = Vec::new();
    for (task, outcome) in tasks.iter().zip(&outcomes) {
        let (kind, detail, bad) = match outcome {
            RunOutcome::Imported => ("imported", None, false),
            RunOutcome::NotImported(why) => ("NOT IMPORTED", Some(why), true),
            RunOutcome::Found if task.violated => ("violation found", None, false),
            RunOutcome::Found | RunOutcome::NoViolation if task.violated => {
                ("violation not found", None, false)
            }
            RunOutcome::Found | RunOutcome::NoViolation => ("no violation, as expected", None, false),
            RunOutcome::Wrong(what) => ("WRONG VIOLATION", Some(what), true),
            RunOutcome::Timeout => ("out of time", None, false),
            RunOutcome::Limit(why) => ("out of steps, memory or calls", Some(why), false),
            RunOutcome::CannotGoOn(why) => ("cannot go on", Some(why), false),
            RunOutcome::Unsupported(what) => ("UNSUPPORTED", Some(what), true),
            RunOutcome::NoModel(what) => ("NO MODEL", Some(what), true),
            RunOutcome::Broken(how) => ("NO VERDICT", Some(how), true),
        };
        *counts.entry(kind).or_default() += 1;
        if bad || matches!(outcome, RunOutcome::CannotGoOn(_)) {
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
