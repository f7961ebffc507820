//! The command line. Help texts and defaults are here and nowhere else.

mod bench;
mod engine;
mod flags;
mod values;

use crate::input::GivenInput;
pub use bench::BenchArgs;
use clap::{ArgAction, Parser, Subcommand, ValueEnum};
pub use engine::EngineArg;
pub use flags::with_flags_of_compilers;
use std::path::PathBuf;
use tp_frontend::{GivenFile, SpuriousWakeups};
use tp_ir::DataModel;
use tp_machine::ContextBound;
pub use values::{MemorySize, Scheduler};

/// Proves multithreaded C and C++ programs right or shows how they fail, and runs them under a scheduler of its own.
///
/// Exit status: 0 safe, 10 violated, 11 possible (violated if an assumption holds), 5 unknown or safe only within bounds, 1 usage, 2 source does not compile or cannot be read, 6 internal error.
#[derive(Parser, Debug)]
#[command(version, propagate_version = true)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Prove that nothing fails, whatever the schedule and the inputs, or show how it does
    Check(CheckArgs),
    /// Check a proof that `check --certify` left, by means that have nothing in common with how it was found
    Certify(CertifyArgs),
    /// Run a program many times under different schedules, until something is wrong
    Run(RunArgs),
    /// Run a recorded failure again, step by step
    Replay(ReplayArgs),
    /// Check many programs with known verdicts: what is right, what is wrong, what it takes
    Bench(BenchArgs),
    /// Print the program's intermediate representation
    Ir(IrArgs),
    /// Print the events of the program as the engines see them: reads, writes, their conditions, what may not happen
    Events(EventsArgs),
}

#[derive(clap::Args, Debug)]
pub struct SourceArgs {
    /// Sources in C (.c, .i) or C++ (.cpp, .cc, .cxx, .C, .c++, .ii), or LLVM bitcode (.bc, .ll). C++ needs the headers of
    /// libc++ (packages libc++-22-dev and libc++abi-22-dev); exceptions are not followed
    #[arg(value_name = "FILE", required_unless_present = "compile_commands")]
    pub files: Vec<PathBuf>,

    /// Sizes of `long` and pointers [default: those of this machine]
    #[arg(long, value_name = "MODEL", ignore_case = true)]
    pub data_model: Option<DataModelArg>,

    /// The clang to compile with [default: clang-22]
    #[arg(long, value_name = "PATH")]
    pub clang: Option<PathBuf>,

    /// Take the flags of each file from a compile_commands.json; without FILE, all its C sources. A FILE that is not in it,
    /// such as a harness, is compiled like the nearest one that is
    #[arg(long, value_name = "FILE")]
    pub compile_commands: Option<PathBuf>,

    /// Add models of functions that the program calls, written in C
    #[arg(long, value_name = "FILE.c")]
    pub models: Vec<PathBuf>,

    /// Write a stub for each function that the program uses and that has neither body nor model: a file to fill in and to
    /// give to --models
    #[arg(long, value_name = "FILE.c")]
    pub write_models: Option<PathBuf>,

    /// Let pthread_cond_wait return without a signal any number of times; otherwise once in each thread
    #[arg(long, conflicts_with = "no_spurious_wakeups")]
    pub spurious_wakeups: bool,

    /// pthread_cond_wait returns only after a signal
    #[arg(long)]
    pub no_spurious_wakeups: bool,

    /// A weak compare-exchange fails only where a strong one would
    #[arg(long)]
    pub no_spurious_failures: bool,

    /// No effect: this is the default. Accepted for compatibility
    #[arg(long, hide = true, conflicts_with = "no_spurious_failures")]
    pub spurious_failures: bool,

    /// Freed memory is never reused, also where the program compares addresses
    #[arg(long)]
    pub no_reuse: bool,

    /// What a function without body and model does: end the work where it is reached, or return any value and change
    /// nothing
    #[arg(long, value_name = "HOW", default_value = "stop")]
    pub unmodelled: UnmodelledArg,

    /// A variable of the program's environment
    #[arg(long, value_name = "NAME=VALUE", value_parser = environment)]
    pub env: Vec<(String, String)>,

    /// A file that the program finds: the contents of PATH, or N bytes, each any value. Other names do not exist
    #[arg(long = "file", value_name = "NAME=PATH|NAME=?N", value_parser = values::given_file)]
    pub given_files: Vec<GivenFile>,

    /// What the program reads from standard input [default: each character is an input]
    #[arg(long, value_name = "PATH")]
    pub stdin: Option<PathBuf>,

    /// A connection of a socket with the outside, which sends N bytes, each any value; may be given several times
    #[arg(long = "connection", value_name = "N")]
    pub connections: Vec<u32>,

    /// Reads and writes of files may fail (EINTR, ENOSPC), and do less than they are asked to
    #[arg(long)]
    pub io_errors: bool,

    /// No signal comes from outside, and no handler runs
    #[arg(long)]
    pub no_signals: bool,

    /// Search a directory for headers
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<String>,

    /// Define a macro
    #[arg(short = 'D', value_name = "MACRO[=VALUE]")]
    pub define: Vec<String>,

    /// The C standard
    #[arg(long, value_name = "STANDARD")]
    pub std: Option<String>,

    /// Another argument for clang. The usual flags need no --clang-arg: -pthread, -Wall, -fcommon, -include FILE and the like
    /// are passed on; those that optimise or link (-O2, -g, -march=native, -lm, -L DIR, -o FILE …) are ignored
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub clang_arg: Vec<String>,

    /// The program's arguments
    #[arg(last = true, value_name = "ARGS")]
    pub program_args: Vec<String>,
}

#[derive(clap::Args, Debug)]
pub struct CheckArgs {
    #[command(flatten)]
    pub source: SourceArgs,

    /// How the order of events is decided; all engines give the same verdicts
    #[arg(long, value_name = "NAME", env = "THREADPROOF_ENGINE", default_value = "auto", value_parser = engine::parser())]
    pub engine: EngineArg,

    /// Follow loops at most this many rounds, and recursions this deep [default: as far as there is time for]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub unwind: Option<u32>,

    /// Follow executions with at most this many context switches; `auto`: none, then 1, then 2 and so on, until something
    /// fails or no execution has more [default: all]
    #[arg(long, value_name = "C|auto", value_parser = values::context_bound)]
    pub contexts: Option<ContextBound>,

    /// `lazy`: follow also interleavings that make no difference
    #[arg(long)]
    pub no_reduction: bool,

    /// `lazy`: write the tree of the interleavings that were followed here, as a picture; of the last bound, if it was raised
    #[arg(long, value_name = "FILE.svg")]
    pub tree: Option<PathBuf>,

    /// End after this many seconds with what is known
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: u64,

    /// Memory that Threadproof may take: bytes, or with K, M or G [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<MemorySize>,

    /// What to check, separated by commas, or an SV-COMP property file; `all,-leak` is the default without leaks
    /// [default: everything but `uninitialised` and `cleanup`]
    #[arg(long, value_name = "WORDS|FILE.prp", value_delimiter = ',', action = ArgAction::Append, allow_hyphen_values = true)]
    pub property: Vec<String>,

    /// Report every finding, not only the first; two with the same lines are one. What comes after a failure that ends
    /// the program is not looked at. The exit status is 10 if there is any; in JSON they are the list `findings`, and
    /// `rest` says what is known of the program apart from them
    #[arg(long)]
    pub all: bool,

    /// Write the failing run here; with --all further ones are numbered: bank.2.witness, bank.3.witness, … [default: the
    /// first file's name with `.witness`]
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,

    /// When nothing fails, write the proof here; `threadproof certify` checks it
    #[arg(long, value_name = "FILE")]
    pub certify: Option<PathBuf>,

    /// Print the sizes of the problem and of the search
    #[arg(long)]
    pub stats: bool,

    /// One JSON document on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum UnmodelledArg {
    Stop,
    Pure,
}

#[derive(clap::Args, Debug)]
pub struct CertifyArgs {
    /// A file that `check --certify` wrote
    #[arg(value_name = "FILE")]
    pub certificate: PathBuf,

    /// One JSON document on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct RunArgs {
    #[command(flatten)]
    pub source: SourceArgs,

    /// How many runs; the first violation ends them
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    pub runs: u64,

    /// The seed of the first run; each run adds one
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    /// How threads take turns: random, pct:DEPTH (priorities that change DEPTH - 1 times), rr (round robin), or mixed (random
    /// and pct in turn)
    #[arg(long, value_name = "NAME", default_value = "mixed")]
    pub scheduler: Scheduler,

    /// Values of an input, used in turn and the last from then on; inputs without one are random
    #[arg(long = "input", value_name = "NAME=VALUE[,VALUE…]")]
    pub inputs: Vec<GivenInput>,

    /// Write the trace of the failing run, or of the last one [default: the first file's name with `.witness`, on a
    /// violation]
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,

    /// Give a run up after this many steps, so that one that spins does not hold up the others
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pub max_steps: u64,

    /// Memory of the program: bytes, or with K, M or G
    #[arg(long, value_name = "SIZE", default_value = "512M")]
    pub memory: MemorySize,

    /// End after this many seconds with what is known
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<u64>,

    /// What to check, separated by commas, or an SV-COMP property file; `all,-leak` is everything but leaks [default:
    /// everything]
    #[arg(long, value_name = "WORDS|FILE.prp", value_delimiter = ',', action = ArgAction::Append, allow_hyphen_values = true)]
    pub property: Vec<String>,

    /// One JSON document on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct ReplayArgs {
    /// A file that `check` or `run` wrote
    #[arg(value_name = "FILE")]
    pub witness: PathBuf,

    /// Write the trace again
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,

    /// Show all steps, however many there are
    #[arg(long)]
    pub steps: bool,

    /// The clang to compile with [default: clang-22]
    #[arg(long, value_name = "PATH")]
    pub clang: Option<PathBuf>,

    /// One JSON document on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct IrArgs {
    #[command(flatten)]
    pub source: SourceArgs,

    /// One JSON document on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct EventsArgs {
    #[command(flatten)]
    pub source: SourceArgs,

    /// Follow loops this many rounds, and recursions this deep
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub unwind: u32,

    /// What to look for, as for `check`
    #[arg(long, value_name = "WORDS|FILE.prp", value_delimiter = ',', action = ArgAction::Append, allow_hyphen_values = true)]
    pub property: Vec<String>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum DataModelArg {
    #[value(name = "ILP32")]
    Ilp32,
    #[value(name = "LP64")]
    Lp64,
}

impl From<DataModelArg> for DataModel {
    fn from(arg: DataModelArg) -> DataModel {
        match arg {
            DataModelArg::Ilp32 => DataModel::Ilp32,
            DataModelArg::Lp64 => DataModel::Lp64,
        }
    }
}

impl SourceArgs {
    pub fn frontend_options(&self) -> tp_frontend::FrontendOptions {
        let include = self.include.iter().map(|d| format!("-I{d}"));
        let define = self.define.iter().map(|m| format!("-D{m}"));
        let std = self.std.iter().map(|s| format!("-std={s}"));
        tp_frontend::FrontendOptions {
            inputs: self.files.clone(),
            clang: self.clang.clone(),
            clang_args: include.chain(define).chain(std).chain(self.clang_arg.iter().cloned()).collect(),
            compile_commands: self.compile_commands.clone(),
            data_model: self.data_model.map(DataModel::from),
            models: self.models.clone(),
            program_args: self.program_args.clone(),
            environment: self.env.clone(),
            files: self.given_files.clone(),
            stdin: self.stdin.clone(),
            connections: self.connections.clone(),
            io_errors: self.io_errors,
            no_signals: self.no_signals,
            spurious_wakeups: self.wakeups(),
            spurious_failures: !self.no_spurious_failures,
            reuse: !self.no_reuse,
            assume_pure: self.unmodelled == UnmodelledArg::Pure,
        }
    }

    fn wakeups(&self) -> SpuriousWakeups {
        match (self.spurious_wakeups, self.no_spurious_wakeups) {
            (true, _) => SpuriousWakeups::Always,
            (_, true) => SpuriousWakeups::Never,
            _ => SpuriousWakeups::Once,
        }
    }
}

fn environment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("it has the form NAME=VALUE".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        use clap::CommandFactory;
        Args::command().debug_assert();
    }
}
