//! Witnesses: making, writing and reading them, and how to load their program.

use crate::exit::CommandError;
use crate::load::path_text;
use crate::property;
use std::path::{Path, PathBuf};
use tp_driver::RunConfig;
use tp_frontend::{FileContents, FrontendOptions, GivenFile, SpuriousWakeups};
use tp_ir::{DataModel, Program, Property};
use tp_machine::{Checks, End, Identity, RunLimits, Trace};
use tp_report::{
    ProgramKey, RecordedAddress, RecordedFile, RecordedInput, RecordedMemory, SourceFile, Witness,
    WitnessSummary, content_hash, count,
};

pub const TOOL: &str = concat!("threadproof ", env!("CARGO_PKG_VERSION"));

pub fn witness(
    options: &FrontendOptions,
    program: &Program,
    config: RunConfig<'_>,
    trace: &Trace,
    end: &End,
) -> Witness {
    Witness {
        tool: TOOL.to_owned(),
        program: ProgramKey {
            inputs: options.inputs.iter().map(|p| source_file(p)).collect(),
            data_model: program.data_model.name().to_owned(),
            clang_args: options.clang_args.clone(),
            compile_commands: options.compile_commands.as_deref().map(path_text),
            models: options.models.iter().map(|p| source_file(p)).collect(),
            program_args: options.program_args.clone(),
            environment: options.environment.clone(),
            files: options.files.iter().map(recorded_file).collect(),
            stdin: options.stdin.as_deref().map(source_file),
            connections: options.connections.clone(),
            io_errors: options.io_errors,
            no_signals: options.no_signals,
            spurious_wakeups: options.spurious_wakeups == SpuriousWakeups::Always,
            spurious_once: options.spurious_wakeups == SpuriousWakeups::Once,
            spurious_failures: options.spurious_failures,
            reuse: options.reuse,
            assume_pure: options.assume_pure,
            hash: program_hash(program),
        },
        options: tp_report::WitnessOptions {
            checks: property::words(config.checks),
            max_steps: config.limits.max_steps,
            max_memory: config.limits.max_memory,
            past: config.past.iter().map(|known| lines(program, known)).collect(),
        },
        schedule: trace.schedule().to_vec(),
        inputs: trace.inputs.iter().map(RecordedInput::of).collect(),
        found: RecordedMemory::all(&trace.found),
        layout: RecordedAddress::all(&trace.layout),
        end: WitnessSummary::of(program, end),
    }
}

pub fn program_hash(program: &Program) -> String {
    content_hash(program.to_string().as_bytes())
}

/// A file that cannot be read has an empty hash; the program's own hash still tells.
fn source_file(path: &Path) -> SourceFile {
    SourceFile { path: path_text(path), hash: file_hash(&path_text(path)).unwrap_or_default() }
}

fn recorded_file(file: &GivenFile) -> RecordedFile {
    let (contents, any) = match &file.contents {
        FileContents::Of(path) => (Some(source_file(path)), None),
        FileContents::Any(size) => (None, Some(*size)),
    };
    RecordedFile { name: file.name.clone(), contents, any }
}

/// A damaged record names neither: then the file is empty.
fn given_file(file: &RecordedFile) -> GivenFile {
    let contents = match &file.contents {
        Some(source) => FileContents::Of(PathBuf::from(&source.path)),
        None => FileContents::Any(file.any.unwrap_or(0)),
    };
    GivenFile { name: file.name.clone(), contents }
}

pub fn file_hash(path: &str) -> Option<String> {
    std::fs::read(path).ok().map(|bytes| content_hash(&bytes))
}

/// `bank.witness` for `src/bank.c`, in the current directory.
pub fn default_path(options: &FrontendOptions) -> PathBuf {
    let stem = options.inputs.first().and_then(|p| p.file_stem()).unwrap_or("program".as_ref());
    let mut name = stem.to_owned();
    name.push(".witness");
    PathBuf::from(name)
}

/// A line for people who look at a failure.
pub fn how_to_replay(trace: &Trace, path: &str) -> String {
    let switches = count(trace.context_switches() as u64, "context switch");
    format!("{switches}; replay with: threadproof replay {path}")
}

/// Writes the file; a disk that is full or write-protected must not hide what was found.
pub fn write(path: &Path, witness: &Witness) -> bool {
    let written = std::fs::write(path, witness.to_text());
    if let Err(error) = &written {
        eprintln!("warning: cannot write {}: {error}", path.display());
    }
    written.is_ok()
}

pub fn read(path: &Path) -> Result<Witness, CommandError> {
    let name = path_text(path);
    let bytes = std::fs::read(path)
        .map_err(|e| CommandError::Unreadable { path: name.clone(), reason: e.to_string() })?;
    Witness::parse(&String::from_utf8_lossy(&bytes))
        .map_err(|error| CommandError::Witness { path: name, error })
}

/// How to load the program of a witness again.
pub fn options(witness: &Witness, clang: Option<PathBuf>) -> FrontendOptions {
    let key = &witness.program;
    let paths = |files: &[SourceFile]| files.iter().map(|f| PathBuf::from(&f.path)).collect();
    let models = [DataModel::Ilp32, DataModel::Lp64];
    FrontendOptions {
        inputs: paths(&key.inputs),
        clang,
        clang_args: key.clang_args.clone(),
        compile_commands: key.compile_commands.as_ref().map(PathBuf::from),
        data_model: models.into_iter().find(|m| m.name() == key.data_model),
        models: paths(&key.models),
        program_args: key.program_args.clone(),
        environment: key.environment.clone(),
        files: key.files.iter().map(given_file).collect(),
        stdin: key.stdin.as_ref().map(|file| PathBuf::from(&file.path)),
        connections: key.connections.clone(),
        io_errors: key.io_errors,
        no_signals: key.no_signals,
        spurious_wakeups: match (key.spurious_wakeups, key.spurious_once) {
            (true, _) => SpuriousWakeups::Always,
            (false, true) => SpuriousWakeups::Once,
            (false, false) => SpuriousWakeups::Never,
        },
        spurious_failures: key.spurious_failures,
        reuse: key.reuse,
        assume_pure: key.assume_pure,
    }
}

/// The races that the run of a witness passes over.
pub fn past(witness: &Witness, program: &Program) -> Vec<Identity> {
    let file = |name: &str| program.files.iter().find(|(_, file)| &***file == name).map(|(id, _)| id);
    let line = |(name, line): &(String, u32)| Some((file(name)?, *line));
    let past = witness.options.past.iter();
    past.map(|lines| Identity::new(Property::Race, lines.iter().filter_map(line).collect())).collect()
}

fn lines(program: &Program, known: &Identity) -> Vec<(String, u32)> {
    known.lines.iter().map(|&(file, line)| (program.files[file].to_string(), line)).collect()
}

/// What the run of a witness looks for and may use.
pub fn config<'a>(witness: &Witness, past: &'a [Identity]) -> RunConfig<'a> {
    let checks = witness.options.checks.iter().filter_map(|w| Property::from_word(w));
    let (max_steps, max_memory) = (witness.options.max_steps, witness.options.max_memory);
    let limits = RunLimits { max_steps, max_memory, ..RunLimits::default() };
    RunConfig { checks: checks.fold(Checks::NONE, Checks::with), limits, past }
}
