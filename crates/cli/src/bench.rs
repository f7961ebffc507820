//! `threadproof bench`: many tasks with known verdicts, and how the tool answers them.

use crate::args::{Args, BenchArgs, Command, EngineArg, with_flags_of_compilers};
use crate::exit::{CommandError, Exit};
use crate::load::path_text;
use crate::output::Out;
use crate::stop;
use crate::{check, property, record};
use clap::Parser;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value, json};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use tp_bench::against::Comparison;
use tp_bench::find::{Places, Selection, Wanted};
use tp_bench::summary::Tally;
use tp_bench::tool::{Budget, Template};
use tp_bench::{BenchTask, Row, Summary, Texts, Tool, because, cactus, find, saved, text};
use tp_driver::{Stop, memory};
use tp_report::count;

/// The memory of a task where it is not known how much is free.
const SOME_MEMORY: u64 = 4 << 30;

/// The fewest right answers that make a curve.
const FEWEST_IN_CURVE: usize = 5;

pub fn bench(args: &BenchArgs) -> Result<Exit, CommandError> {
    let stop = stop::after(None);
    let bench = Bench::new(args)?;
    let before = args.against.as_deref().map(saved::read).transpose().map_err(failure)?;
    let mut files = Files::open(args)?;
    let rows = bench.run(&stop, &mut files);
    let results = Results {
        summary: Summary::of(
            &rows,
            bench.selection.tasks.len() - rows.len(),
            bench.selection.skipped.clone(),
        ),
        comparison: before.as_ref().map(|before| Comparison::of(before, &rows)),
        rows,
    };
    files.finish(&bench, &results, before.as_deref())?;
    if args.json {
        Out::stdout().document(&results.document(&bench));
    } else {
        results.print(&bench);
    }
    Ok(results.exit())
}

fn failure(error: tp_bench::Error) -> CommandError {
    match error {
        tp_bench::Error::Unreadable { path, reason } | tp_bench::Error::Malformed { path, what: reason } => {
            CommandError::Unreadable { path: path_text(&path), reason }
        }
        tp_bench::Error::Usage(message) => CommandError::Usage(message),
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> CommandError {
    CommandError::Usage(format!("cannot write {}: {error}", path.display()))
}

/// The tasks, the tool, and what each run may use.
struct Bench<'a> {
    args: &'a BenchArgs,
    selection: Selection,
    tool: Tool,
    budget: Budget,
    jobs: usize,
}

impl Bench<'_> {
    fn new(args: &BenchArgs) -> Result<Bench<'_>, CommandError> {
        let tool = tool(args)?;
        let places = Places { folder: args.dir.clone(), data_model: args.data_model.map(Into::into) };
        let tasks = find::tasks(&args.inputs, &places).map_err(failure)?;
        all_words_mean_something(&args.property, &tasks)?;
        let engine = engine(args);
        let known = |word: &str| args.tool.is_some() || property::decided(engine, &[word.to_owned()]).is_ok();
        let wanted = Wanted { only: &args.only, properties: &args.property, known: &known };
        let selection = find::select(tasks, &wanted).map_err(failure)?;
        if selection.tasks.is_empty() {
            return Err(CommandError::Usage(nothing_to_do(&selection)));
        }
        if let Some(error) = selection.tasks.iter().find_map(|task| tool.objection(task)) {
            return Err(failure(error));
        }
        let jobs = args.jobs.map_or_else(half_the_processors, usize::from);
        let budget = Budget { timeout: args.timeout, memory: memory_for_each(args, jobs)? };
        Ok(Bench { args, selection, tool, budget, jobs })
    }

    /// The rows of the tasks that came to their end, in order.
    fn run(&self, stop: &Stop, files: &mut Files) -> Vec<Row> {
        let tasks = &self.selection.tasks;
        let bar = ProgressBar::with_draw_target(Some(tasks.len() as u64), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} tasks, {msg}, {elapsed}, {eta} to go");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(so_far(&Tally::default()));
        let unwanted = || stop.reason().is_some();
        let mut tally = Tally::default();
        let done = |row: &Row| {
            tally.add(row);
            bar.inc(1);
            bar.set_message(so_far(&tally));
            files.add(row);
        };
        let rows =
            tp_bench::each(tasks, self.jobs, |task| self.tool.run(task, &self.budget, &unwanted), done);
        bar.finish_and_clear();
        rows
    }

    fn task(&self, row: &Row) -> Option<&BenchTask> {
        self.selection.tasks.iter().find(|task| task.id == row.id)
    }

    /// The tool in a word, for a curve.
    fn name(&self) -> String {
        match (&self.args.tool, self.args.engine) {
            (Some(command), _) => {
                let word = command.split_whitespace().next().unwrap_or_default();
                Path::new(word).file_name().unwrap_or_default().to_string_lossy().into_owned()
            }
            (None, Some(engine)) => engine.name().to_owned(),
            (None, None) => "check".to_owned(),
        }
    }
}

/// The engine that `check` will use: it may also be named after `--`, or by the environment.
fn engine(args: &BenchArgs) -> EngineArg {
    let words = ["threadproof", "check", "any.c"].map(str::to_owned).into_iter().chain(for_check(args));
    match Args::try_parse_from(with_flags_of_compilers(words.map(Into::into))).map(|args| args.command) {
        Ok(Command::Check(check)) => check.engine,
        // `check` will say what is wrong.
        _ => EngineArg::Auto,
    }
}

/// The arguments of `check` that are the same for all tasks.
fn for_check(args: &BenchArgs) -> impl Iterator<Item = String> {
    let engine = args.engine.into_iter().flat_map(|engine| ["--engine", engine.name()].map(str::to_owned));
    engine.chain(args.options.iter().cloned())
}

/// A word that is misspelt would select nothing, and nobody would notice.
fn all_words_mean_something(words: &[String], tasks: &[BenchTask]) -> Result<(), CommandError> {
    let mut foreign = words.iter().filter(|word| tasks.iter().all(|task| task.id.property != **word));
    foreign.try_for_each(|word| property::named(word).map(|_| ()))
}

fn tool(args: &BenchArgs) -> Result<Tool, CommandError> {
    if let Some(command) = &args.tool {
        let texts = Texts { is_true: args.tool_true.clone(), is_false: args.tool_false.clone() };
        return Ok(Tool::Other { template: Template::new(command).map_err(failure)?, texts });
    }
    // A build in the meantime does not change what this name stands for.
    let running = PathBuf::from(format!("/proc/{}/exe", std::process::id()));
    let program = match running.exists() {
        true => running,
        false => std::env::current_exe()
            .map_err(|e| CommandError::Internal(format!("cannot find the running executable: {e}")))?,
    };
    Ok(Tool::Check { program, arguments: for_check(args).collect() })
}

fn nothing_to_do(selection: &Selection) -> String {
    match selection.skipped.is_empty() {
        true => "there is no task, or --only and --property leave none".to_owned(),
        false => format!("there is no task that `check` can decide; {}", skipped(selection)),
    }
}

fn half_the_processors() -> usize {
    std::thread::available_parallelism().map_or(1, |n| (n.get() / 2).max(1))
}

fn memory_for_each(args: &BenchArgs, jobs: usize) -> Result<u64, CommandError> {
    let least = check::LEAST_MEMORY;
    match args.memory {
        Some(size) if args.tool.is_none() && size.0 < least => Err(CommandError::Usage(format!(
            "--memory: less than {}M is not enough for `check`",
            least >> 20
        ))),
        Some(size) => Ok(size.0),
        None => {
            let free = memory::available().map_or(SOME_MEMORY, |free| free / 4 * 3 / jobs as u64);
            Ok((free >> 20 << 20).max(least))
        }
    }
}

fn so_far(tally: &Tally) -> String {
    let undecided = tally.tasks - tally.right() - tally.wrong();
    format!("{} right, {} wrong, {undecided} unknown", tally.right(), tally.wrong())
}

fn skipped(selection: &Selection) -> String {
    let each = selection.skipped.iter().map(|(property, n)| format!("{n} of {property}"));
    format!("skipped, for the tool does not know the property: {}", each.collect::<Vec<_>>().join(", "))
}

/// Nothing that is read may be written: an interrupted run would leave half of it.
fn nothing_read_is_written(args: &BenchArgs) -> Result<(), CommandError> {
    let is_read = |written: &&PathBuf| {
        let mut read = args.inputs.iter().chain(&args.against);
        written.canonicalize().is_ok_and(|path| read.any(|read| read.canonicalize().is_ok_and(|r| r == path)))
    };
    match args.out.iter().chain(&args.svg).find(is_read) {
        Some(path) => {
            let path = path.display();
            Err(CommandError::Usage(format!(
                "{path} is both read and written; choose another name to write to"
            )))
        }
        None => Ok(()),
    }
}

/// What the run leaves. The files are opened first, so that an error is known before the run and not after it.
struct Files {
    out: Option<(PathBuf, File)>,
    svg: Option<(PathBuf, File)>,
}

impl Files {
    fn open(args: &BenchArgs) -> Result<Files, CommandError> {
        nothing_read_is_written(args)?;
        let open = |path: &PathBuf| {
            File::create(path).map(|file| (path.clone(), file)).map_err(|error| unwritable(path, &error))
        };
        let mut files = Files {
            out: args.out.as_ref().map(open).transpose()?,
            svg: args.svg.as_ref().map(open).transpose()?,
        };
        if let Some((path, file)) = &mut files.out {
            file.write_all(saved::HEADER.as_bytes()).map_err(|error| unwritable(path, &error))?;
        }
        Ok(files)
    }

    /// Written at once, so that an interrupted run was not for nothing. A write error is reported at the end.
    fn add(&mut self, row: &Row) {
        if let Some((_, file)) = &mut self.out {
            let _ = file.write_all(saved::line(row).as_bytes());
        }
    }

    /// The lines in their order, and the picture.
    fn finish(
        self,
        bench: &Bench<'_>,
        results: &Results,
        before: Option<&[Row]>,
    ) -> Result<(), CommandError> {
        if let Some((path, _)) = self.out {
            std::fs::write(&path, saved::file(&results.rows)).map_err(|error| unwritable(&path, &error))?;
        }
        if let Some((path, mut file)) = self.svg {
            let mut curves = vec![(bench.name(), cactus::times(&results.rows))];
            curves.extend(before.map(|before| ("before".to_owned(), cactus::times(before))));
            let title = format!("{} of {} right", results.summary.all.right(), results.rows.len());
            let svg = cactus::svg(&title, &curves, bench.budget.timeout as f64);
            file.write_all(svg.as_bytes()).map_err(|error| unwritable(&path, &error))?;
        }
        Ok(())
    }
}

struct Results {
    rows: Vec<Row>,
    summary: Summary,
    comparison: Option<Comparison>,
}

impl Results {
    /// An interrupted run says nothing about the tasks that were not run.
    fn exit(&self) -> Exit {
        match self.summary.all.is_bad() {
            true => Exit::Violated,
            false if self.summary.not_run > 0 => Exit::Unknown,
            false => Exit::Safe,
        }
    }

    /// Wrong and broken rows, with the command that repeats each.
    fn bad<'a>(&'a self, bench: &'a Bench<'_>) -> impl Iterator<Item = (&'a Row, String)> {
        let bad =
            self.rows.iter().filter(|row| row.kind().is_wrong() || row.kind() == tp_bench::Kind::Broken);
        bad.map(|row| {
            (row, bench.task(row).map_or(String::new(), |task| bench.tool.shown(task, &bench.budget)))
        })
    }

    fn print(&self, bench: &Bench<'_>) {
        let mut out = Out::stdout();
        let Budget { timeout, memory } = bench.budget;
        out.line(&format!(
            "{}: {timeout} s and {} MB each, {} at a time",
            count(self.summary.tasks as u64, "task"),
            memory >> 20,
            bench.jobs
        ));
        if !bench.selection.skipped.is_empty() {
            out.line(&skipped(&bench.selection));
        }
        if self.summary.not_run > 0 {
            out.line(&format!("{} not run: interrupted", self.summary.not_run));
        }
        out.line("");
        out.text(&text::summary(&self.summary));
        if self.summary.all.right() >= FEWEST_IN_CURVE {
            out.line("");
            out.text(&cactus::text(&cactus::times(&self.rows)));
        }
        if let (Some(comparison), Some(before)) = (&self.comparison, &bench.args.against) {
            out.line("");
            out.text(&text::comparison(comparison, &path_text(before)));
        }
        for (row, command) in self.bad(bench) {
            out.line("");
            let what = format!("{}: {}", row.kind().words().to_uppercase(), row.id);
            out.line(&because(what, &row.answer.reason));
            out.line(&format!("    {command}"));
        }
        out.line("");
        out.line(&self.last_line());
    }

    fn last_line(&self) -> String {
        let all = &self.summary.all;
        let what = match (all.wrong(), all.broken) {
            (0, 0) => "nothing wrong".to_owned(),
            (wrong, broken) => format!("{wrong} wrong, {broken} broken"),
        };
        format!("result: {what}; {} of {} right, score {}", all.right(), all.tasks, all.score)
    }

    fn document(&self, bench: &Bench<'_>) -> Value {
        let bad = |(row, command): (&Row, String)| {
            json!({
                "task": row.id.path(),
                "property": row.id.property,
                "arguments": row.id.arguments,
                "result": row.kind().words(),
                "reason": row.answer.reason,
                "command": command,
            })
        };
        json!({
            "tool": record::TOOL,
            "command": "bench",
            "verifier": bench.args.tool.clone().unwrap_or_else(|| bench.name()),
            "limits": {
                "seconds": bench.budget.timeout,
                "memory": bench.budget.memory,
                "jobs": bench.jobs,
            },
            "summary": self.summary,
            "bad": self.bad(bench).map(bad).collect::<Vec<_>>(),
            "against": self.comparison,
        })
    }
}
