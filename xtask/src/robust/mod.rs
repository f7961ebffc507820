//! Feeds every reader of files with files that were changed at random: none may panic, hang or take all memory.
//!
//! A child process feeds the files, and names each one first. When it dies, the file named last is the cause, and the
//! next child continues after it. So stack overflows and crashes of LLVM are noticed too.

mod mutate;
mod target;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use target::Target;

#[derive(clap::Args)]
pub struct Args {
    /// What to feed; everything if nothing is named
    #[arg(value_enum)]
    targets: Vec<Target>,
    /// The first seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Files for each of them
    #[arg(long, default_value_t = 1000)]
    count: u64,
    /// Seconds that a file may take
    #[arg(long, default_value_t = 10)]
    time: u64,
    /// Megabytes of addresses that a process may have
    #[arg(long, default_value_t = 3000)]
    memory: u64,
    /// Where the files go that break something
    #[arg(long, default_value = "target/findings")]
    findings: PathBuf,
    /// The folder of seeds: feed in this process, and say what happens
    #[arg(long, hide = true)]
    child: Option<PathBuf>,
}

pub fn robust(args: &Args) -> Result<()> {
    if let (Some(folder), [target]) = (&args.child, &args.targets[..]) {
        return feed(*target, folder, args.seed..args.seed.saturating_add(args.count));
    }
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    target::write_seeds(&crate::root(), folder.path())?;
    let all_targets: Vec<Target> =
        Target::value_variants().iter().copied().filter(|&t| t != Target::Trap).collect();
    let targets = if args.targets.is_empty() { &all_targets } else { &args.targets };
    let mut broken = 0;
    println!("{:<12} {:>8} {:>8} {:>8} {:>8}", "files", "accepted", "refused", "LLVM", "broken");
    for &target in targets {
        let tally = all(args, target, folder.path())?;
        let Tally { accepted, refused, llvm, broken: found } = tally;
        println!("{:<12} {accepted:>8} {refused:>8} {llvm:>8} {found:>8}", name(target));
        broken += found;
    }
    if broken > 0 { bail!("{broken} files break something, see {}", args.findings.display()) } else { Ok(()) }
}

#[derive(Default)]
struct Tally {
    accepted: u64,
    refused: u64,
    /// Files that crash LLVM's own tools as well.
    llvm: u64,
    broken: u64,
}

/// How a child ended.
enum End {
    Done,
    /// With this file, in this way.
    Died(u64, String),
}

fn name(target: Target) -> String {
    target.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

fn all(args: &Args, target: Target, folder: &Path) -> Result<Tally> {
    let mut tally = Tally::default();
    let end = args.seed.saturating_add(args.count);
    let mut next = args.seed;
    while next < end {
        match child(args, target, folder, next..end, &mut tally)? {
            End::Done => break,
            End::Died(seed, how) => {
                let file = mutate::mutant(&seeds(target, folder)?, seed);
                let path = folder.join(target.file_name());
                std::fs::write(&path, &file)?;
                if target.is_for_llvm() && target::llvm_dies_too(&path) {
                    tally.llvm += 1;
                } else {
                    keep(args, target, folder, seed, &how)?;
                    tally.broken += 1;
                }
                next = seed + 1;
            }
        }
    }
    Ok(tally)
}

/// Runs a child over these seeds until it dies or is done.
fn child(
    args: &Args,
    target: Target,
    folder: &Path,
    seeds: std::ops::Range<u64>,
    tally: &mut Tally,
) -> Result<End> {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -c 0; ulimit -v \"$1\"; shift; exec \"$@\"", "sh"]);
    command.arg((args.memory * 1024).to_string()).arg(std::env::current_exe()?);
    command.arg("robust").arg(name(target)).arg("--child").arg(folder);
    command.args(["--seed", &seeds.start.to_string(), "--count", &(seeds.end - seeds.start).to_string()]);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let output = child.stdout.take().context("the child has an output")?;
    let (sender, lines) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        BufReader::new(output).lines().map_while(Result::ok).all(|line| sender.send(line).is_ok());
    });
    let mut last = seeds.start;
    let mut how = String::new();
    let done = loop {
        let line = match lines.recv_timeout(Duration::from_secs(args.time)) {
            Ok(line) => line,
            Err(RecvTimeoutError::Disconnected) => break false,
            Err(RecvTimeoutError::Timeout) => {
                how = format!("takes more than {} s", args.time);
                break false;
            }
        };
        match line.split_once(' ').unwrap_or((&line, "")) {
            ("begin", seed) => last = seed.parse()?,
            ("accepted", _) => tally.accepted += 1,
            ("refused", _) => tally.refused += 1,
            ("panic", message) => {
                keep(args, target, folder, last, message)?;
                tally.broken += 1;
            }
            ("done", _) => break true,
            _ => {}
        }
    };
    // It may have ended by itself.
    let _ = child.kill();
    let status = child.wait()?;
    drop(lines);
    let _ = reader.join();
    if done {
        return Ok(End::Done);
    }
    if how.is_empty() {
        how = match status.signal() {
            Some(signal) => format!("dies of signal {signal}"),
            None => format!("ends with {status}"),
        };
    }
    Ok(End::Died(last, how))
}

/// Keeps the file, and says what it does.
fn keep(args: &Args, target: Target, folder: &Path, seed: u64, how: &str) -> Result<()> {
    println!("{} {seed}: {how}", name(target));
    std::fs::create_dir_all(&args.findings).context("cannot make the folder of findings")?;
    let path = args.findings.join(format!("robust-{}-{seed}-{}", name(target), target.file_name()));
    std::fs::write(&path, mutate::mutant(&seeds(target, folder)?, seed))
        .with_context(|| format!("cannot write {}", path.display()))
}

fn seeds(target: Target, folder: &Path) -> Result<Vec<Vec<u8>>> {
    let read = |name: &&str| {
        let path = folder.join(name);
        std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    target.seeds().iter().map(read).collect()
}

thread_local! {
    /// The last panic, in one line.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// What the child does.
fn feed(target: Target, folder: &Path, range: std::ops::Range<u64>) -> Result<()> {
    std::panic::set_hook(Box::new(|panic| {
        PANIC.with_borrow_mut(|message| *message = panic.to_string().replace('\n', " "));
    }));
    let files = seeds(target, folder)?;
    let own = tempfile::tempdir()?;
    let path = own.path().join(target.file_name());
    let mut out = std::io::stdout();
    for seed in range {
        writeln!(out, "begin {seed}")?;
        let file = mutate::mutant(&files, seed);
        std::fs::write(&path, &file)?;
        let fed = std::panic::catch_unwind(|| target.feed(&path, &file));
        match fed {
            Ok(true) => writeln!(out, "accepted")?,
            Ok(false) => writeln!(out, "refused")?,
            Err(_) => writeln!(out, "panic {}", PANIC.with_borrow(String::clone))?,
        }
    }
    writeln!(out, "done")?;
    Ok(())
}
