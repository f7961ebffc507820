//! The readers that are fed with changed files: every reader of files from outside, with the stage right behind it. A
//! reader accepts or refuses a file; that it does so in time, without a panic, is all that is asked here.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tp_bench::against::Comparison;
use tp_bench::find::Places;
use tp_bench::{Summary, cactus, saved, text};
use tp_frontend::FrontendError;
use tp_machine::{Config, RandomInputs, RandomSchedule};
use tp_report::Witness;

#[derive(Copy, Clone, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Target {
    /// Programs in their textual form: read, validated, promoted, run
    Ir,
    /// The same, checked with a small bound
    Check,
    /// The same, explored
    Explore,
    Witness,
    Certificate,
    /// Lists of tasks (.tsv)
    Tasks,
    /// Task definitions (.yml)
    Definition,
    /// Saved runs (.tsv), with the texts and curves that are made of them
    Rows,
    /// Compilation databases
    Commands,
    /// LLVM modules as text (.ll), imported
    Module,
    /// LLVM modules as bitcode (.bc), imported
    Bitcode,
    /// No reader: breaks in every way that has to be noticed
    #[value(hide = true)]
    Trap,
}

impl Target {
    /// Names of the files to change, in the folder of seeds.
    pub fn seeds(self) -> &'static [&'static str] {
        match self {
            Target::Ir => &["seed.tp", "everything.tp", "nested.tp"],
            Target::Check | Target::Explore => &["seed.tp", "nested.tp"],
            Target::Witness => &["race.trace"],
            Target::Certificate => &["message.certificate", "coherence.certificate"],
            Target::Tasks => &["tasks.tsv", "rows.tsv"],
            Target::Definition => &["task.yml", "old.yml"],
            Target::Rows => &["rows.tsv"],
            Target::Commands => &["compile_commands.json"],
            Target::Module => &["seed.ll"],
            Target::Bitcode => &["seed.bc"],
            Target::Trap => &["tasks.tsv"],
        }
    }

    /// How the file must be called for its reader.
    pub fn file_name(self) -> &'static str {
        match self {
            Target::Ir | Target::Check | Target::Explore => "changed.tp",
            Target::Witness => "changed.witness",
            Target::Certificate => "changed.certificate",
            Target::Tasks | Target::Rows => "changed.tsv",
            Target::Definition => "changed.yml",
            Target::Commands => "compile_commands.json",
            Target::Module => "changed.ll",
            Target::Bitcode => "changed.bc",
            Target::Trap => "changed",
        }
    }

    /// Whether LLVM reads the file before we do.
    pub fn is_for_llvm(self) -> bool {
        matches!(self, Target::Module | Target::Bitcode)
    }

    /// Gives the file to its reader. `true`: it is accepted.
    pub fn feed(self, path: &Path, bytes: &[u8]) -> bool {
        // A reader of texts never sees invalid UTF-8: its caller refuses the file.
        let text = std::str::from_utf8(bytes);
        match self {
            Target::Ir => text.is_ok_and(|text| program(text).is_some_and(|p| run(&p))),
            Target::Check => text.is_ok_and(|text| program(text).is_some_and(|p| check(&p))),
            Target::Explore => text.is_ok_and(|text| program(text).is_some_and(|p| explore(&p))),
            Target::Witness => text.is_ok_and(witness),
            Target::Certificate => tp_certify::check(bytes).is_ok(),
            Target::Tasks | Target::Definition => {
                tp_bench::find::tasks(&[path.to_owned()], &Places::default()).is_ok()
            }
            Target::Rows => rows(path),
            Target::Trap => trap(bytes),
            Target::Commands => commands(path),
            Target::Module | Target::Bitcode => {
                load(tp_frontend::FrontendOptions { inputs: vec![path.to_owned()], ..Default::default() })
            }
        }
    }
}

/// A valid program stays valid when its locals become registers, and its text is read as the same program.
fn program(text: &str) -> Option<tp_ir::Program> {
    let mut program = tp_ir::parse(text).ok()?;
    tp_ir::validate(&program).ok()?;
    let printed = program.to_string();
    let again = tp_ir::parse(&printed).map(|p| p.to_string());
    assert!(again.as_ref() == Ok(&printed), "its text is read as something else: {again:?}");
    tp_ir::promote(&mut program);
    if let Err(invalid) = tp_ir::validate(&program) {
        panic!("not valid any more: {invalid:?}");
    }
    Some(program)
}

const MOST_STEPS: u64 = 3_000;
const MOST_MEMORY: u64 = 1 << 20;
const MOST_DEPTH: usize = 50;

fn run(program: &tp_ir::Program) -> bool {
    let stop = AtomicBool::new(false);
    let config = Config {
        checks: tp_ir::Checks::ALL,
        max_steps: MOST_STEPS,
        max_memory: MOST_MEMORY,
        max_depth: MOST_DEPTH,
        stop: &stop,
        record_events: true,
        wakers: None,
    };
    for seed in 0..3 {
        let (mut schedule, mut inputs) = (RandomSchedule::new(seed), RandomInputs::new(seed));
        tp_machine::run(program, &config, &mut schedule, &mut inputs, &mut |_, _| {});
    }
    true
}

/// A flag that is raised after this time, for engines that have to stop then.
fn stop_after(time: Duration) -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::downgrade(&stop);
    std::thread::spawn(move || {
        std::thread::sleep(time);
        if let Some(flag) = flag.upgrade() {
            flag.store(true, Ordering::Relaxed);
        }
    });
    stop
}

const SHORT: Duration = Duration::from_millis(500);

fn check(program: &tp_ir::Program) -> bool {
    use tp_ir::Property;
    let options = tp_engines::CheckOptions {
        method: tp_engines::Method::Order,
        checks: tp_ir::Checks::NONE.with(Property::Assert).with(Property::ReachError).with(Property::Lock),
        max_bound: Some(2),
        max_instructions: 20_000,
        certify: true,
        may_stay_open: tp_ir::Checks::NONE,
        contexts: tp_machine::ContextBound::None,
        known: Vec::new(),
        stop: stop_after(SHORT),
    };
    let outcome = tp_engines::check(program, &options, &mut |_| {});
    if let tp_engines::CheckVerdict::Unknown(tp_engines::UnknownReason::Fault(fault)) = &outcome.verdict {
        panic!("a fault: {fault}");
    }
    true
}

fn explore(program: &tp_ir::Program) -> bool {
    let stop = stop_after(SHORT);
    let limits = tp_explore::ExploreLimits {
        run: tp_machine::RunLimits { max_steps: MOST_STEPS, max_memory: MOST_MEMORY, max_depth: MOST_DEPTH },
        max_executions: 50,
        contexts: tp_machine::ContextBound::None,
        inputs_below: None,
        stop: &stop,
    };
    tp_explore::explore(program, tp_ir::Checks::ALL, &limits, &mut ());
    true
}

fn witness(text: &str) -> bool {
    let Ok(witness) = Witness::parse(text) else { return false };
    let again = Witness::parse(&witness.to_text());
    assert_eq!(again.as_ref(), Ok(&witness), "written as something else");
    witness.trace().is_ok()
}

fn rows(path: &Path) -> bool {
    let Ok(rows) = saved::read(path) else { return false };
    let summary = Summary::of(&rows, 0, Default::default());
    text::summary(&summary);
    let (before, now) = rows.split_at(rows.len() / 2);
    text::comparison(&Comparison::of(before, now), "before");
    let times = cactus::times(&rows);
    cactus::text(&times);
    cactus::svg("a run", &[("now".to_owned(), times)], 60.0);
    true
}

/// With a compiler that does nothing: the commands are those of a changed file.
fn commands(path: &Path) -> bool {
    let options = tp_frontend::FrontendOptions {
        compile_commands: Some(path.to_owned()),
        clang: Some("false".into()),
        ..Default::default()
    };
    // A missing source is reported only after the database was read.
    let refused = |error: &FrontendError| match error {
        FrontendError::BadCompileCommands { .. } => true,
        FrontendError::Unreadable { path: unreadable, .. } => unreadable == path,
        _ => false,
    };
    !tp_frontend::load(&options).is_err_and(|error| refused(&error))
}

fn load(options: tp_frontend::FrontendOptions) -> bool {
    match tp_frontend::load(&options) {
        Ok(loaded) => {
            if let Err(invalid) = tp_ir::validate(&loaded.program) {
                panic!("imported as a program that is not valid: {invalid:?}");
            }
            run(&loaded.program)
        }
        Err(error) => {
            // The message is all that the user sees.
            assert!(!error.to_string().is_empty());
            false
        }
    }
}

/// Panics, overflows the stack, hangs, or takes all memory.
fn trap(bytes: &[u8]) -> bool {
    fn deep(bytes: &[u8], depth: u64) -> u64 {
        let more = if std::hint::black_box(bytes).is_empty() { depth } else { deep(bytes, depth + 1) };
        std::hint::black_box(more) + 1
    }
    let sum: u64 = bytes.iter().map(|&b| u64::from(b)).sum();
    match sum % 5 {
        0 => panic!("the trap"),
        1 => deep(b"deep", 0) > 0,
        2 => loop {
            std::thread::sleep(SHORT);
        },
        3 => std::hint::black_box(vec![1u8; usize::MAX >> 2]).is_empty(),
        _ => true,
    }
}

/// Whether clang crashes on the file as well: then the bug is not ours.
pub fn llvm_dies_too(path: &Path) -> bool {
    let mut clang = Command::new("clang-22");
    clang.args(["-x", "ir", "-c", "-emit-llvm", "-w", "-fno-crash-diagnostics"]);
    clang.args(["-Xclang", "-disable-llvm-passes", "-o", "/dev/null"]).arg(path);
    // With 1 it refuses a file.
    clang.output().is_ok_and(|output| !matches!(output.status.code(), Some(0 | 1)))
}

/// Writes all files to change into a folder.
pub fn write_seeds(root: &Path, folder: &Path) -> anyhow::Result<()> {
    let kept = root.join("tests/robust");
    for entry in std::fs::read_dir(&kept)? {
        let path = entry?.path();
        if let Some(name) = path.file_name() {
            std::fs::copy(&path, folder.join(name))?;
        }
    }
    std::fs::copy(root.join("crates/ir/tests/everything.tp"), folder.join("everything.tp"))?;
    let source: PathBuf = kept.join("seed.c");
    for (flag, name) in [("-S", "seed.ll"), ("-c", "seed.bc")] {
        let mut clang = Command::new("clang-22");
        clang.args(["-emit-llvm", "-O0", "-Xclang", "-disable-O0-optnone", "-g", flag, "-o"]);
        crate::succeed(clang.arg(folder.join(name)).arg(&source))?;
    }
    let options = tp_frontend::FrontendOptions { inputs: vec![source], ..Default::default() };
    let program = tp_frontend::load(&options).map_err(|error| anyhow::anyhow!("{error}"))?.program;
    std::fs::write(folder.join("seed.tp"), program.to_string())?;
    Ok(())
}
