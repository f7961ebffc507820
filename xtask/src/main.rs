//! Chores of the repository, as `cargo xtask NAME`.

mod bench;
mod corpus;
mod fuzz;
mod robust;
mod tidy;

use anyhow::{Context, Result, bail};
use clap::Parser;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Chores of the repository
#[derive(Parser)]
enum Chore {
    /// Look for what a review should not have to: files without a header, too long, with paths of one machine
    Tidy,
    /// Write the expected outputs and efforts of the tests anew; read the diff before you commit it
    Bless,
    /// Run the programs of a directory and compare with their expected verdicts
    Corpus(corpus::Args),
    /// Ask every engine about every property of random programs, and run some of them natively
    Fuzz(fuzz::Args),
    /// Feed every reader of files with files that were changed at random
    Robust(robust::Args),
    /// Measure speed and memory
    #[command(subcommand)]
    Bench(bench::Bench),
    /// Create and join this many threads in this process; a part of `bench machine`
    #[command(hide = true)]
    BenchThreads { count: u32 },
}

fn main() -> ExitCode {
    let result = match Chore::parse() {
        Chore::Tidy => tidy::tidy(),
        Chore::Bless => bless(),
        Chore::Corpus(args) => corpus::corpus(&args),
        Chore::Fuzz(args) => fuzz::fuzz(&args),
        Chore::Robust(args) => robust::robust(&args),
        Chore::Bench(what) => bench::bench(&what),
        Chore::BenchThreads { count } => bench::machine::threads_in_this_process(count),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn bless() -> Result<()> {
    let mut cargo = Command::new("cargo");
    cargo.args(["test", "--profile", "tests", "-p", "threadproof", "--test", "ui", "--test", "corpus"]);
    cargo.env("BLESS", "1");
    succeed(cargo.current_dir(root()))
}

/// The directory of the workspace.
fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_owned()
}

fn succeed(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot run {command:?}"))?;
    if !status.success() {
        bail!("{command:?} failed");
    }
    Ok(())
}

/// The release binary, up to date.
fn threadproof() -> Result<PathBuf> {
    let mut cargo = Command::new("cargo");
    succeed(cargo.args(["build", "--quiet", "--release", "-p", "threadproof"]).current_dir(root()))?;
    Ok(root().join("target/release/threadproof"))
}
