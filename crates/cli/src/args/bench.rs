//! The arguments of `threadproof bench`.

use super::{DataModelArg, EngineArg, MemorySize};
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub struct BenchArgs {
    /// Directories with SV-COMP task definitions, definitions (.yml), or lists of tasks (.tsv: set, program, property,
    /// expected, arguments)
    #[arg(value_name = "DIR|TASKS.tsv|FILE.yml", required = true)]
    pub inputs: Vec<PathBuf>,

    /// Where the programs of a list are, as SET/PROGRAM [default: where the list is]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,

    /// Only tasks whose SET/PROGRAM contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub only: String,

    /// Only these properties, separated by commas [default: all that the tool knows]
    #[arg(long, value_name = "WORDS", value_delimiter = ',')]
    pub property: Vec<String>,

    /// The engine of `check`
    #[arg(long, value_name = "NAME", conflicts_with = "tool", value_parser = super::engine::parser())]
    pub engine: Option<EngineArg>,

    /// Sizes of `long` and pointers where no task definition tells them [default: those of this machine]
    #[arg(long, value_name = "MODEL", ignore_case = true)]
    pub data_model: Option<DataModelArg>,

    /// Seconds for each task
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: u64,

    /// Memory for each task: bytes, or with K, M or G [default: three quarters of what is free, divided by --jobs]
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<MemorySize>,

    /// Tasks at a time [default: half as many as there are processors, so that they do not disturb each other]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,

    /// Write a line for each task here, tab separated
    #[arg(long, value_name = "FILE.tsv")]
    pub out: Option<PathBuf>,

    /// Compare with a run that --out wrote; slower is what takes 1.5 times as long and at least 0.2 s more
    #[arg(long, value_name = "FILE.tsv")]
    pub against: Option<PathBuf>,

    /// Draw how long the right answers took
    #[arg(long, value_name = "FILE.svg")]
    pub svg: Option<PathBuf>,

    /// Another verifier: a command with {file}, and if need be {property} (a word), {property_file}, {data_model} (32bit or
    /// 64bit), {timeout} and {arguments}
    #[arg(long, value_name = "COMMAND")]
    pub tool: Option<String>,

    /// Text in a line of the other verifier that means true, besides the usual ones
    #[arg(long, value_name = "TEXT", requires = "tool")]
    pub tool_true: Option<String>,

    /// Text in a line of the other verifier that means false, besides the usual ones
    #[arg(long, value_name = "TEXT", requires = "tool")]
    pub tool_false: Option<String>,

    /// One JSON document on standard output
    #[arg(long)]
    pub json: bool,

    /// More options for `check`
    #[arg(last = true, value_name = "OPTIONS", conflicts_with = "tool")]
    pub options: Vec<String>,
}
