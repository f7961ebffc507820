//! From options to a program; warnings of the compiler go to standard error.

use crate::args::SourceArgs;
use crate::exit::CommandError;
use std::path::Path;
use tp_driver::{Stop, StopReason};
use tp_frontend::{FrontendOptions, Loaded};
use tp_report::count;

pub fn load(options: &FrontendOptions) -> Result<Loaded, CommandError> {
    let loaded = tp_frontend::load(options)?;
    for warning in &loaded.warnings {
        eprintln!("{}", warning.trim_end());
    }
    Ok(loaded)
}

/// The program of a command, and with `--write-models` a file of stubs for what it lacks.
pub fn load_source(args: &SourceArgs) -> Result<Loaded, CommandError> {
    if let Some(path) = &args.write_models
        && path.exists()
    {
        // It may hold what the user has filled in.
        let message = format!("--write-models: {} is there already", path.display());
        return Err(CommandError::Usage(message));
    }
    let loaded = load(&args.frontend_options())?;
    if let Some(path) = &args.write_models {
        write_models(path, &loaded)?;
    }
    Ok(loaded)
}

fn write_models(path: &Path, loaded: &Loaded) -> Result<(), CommandError> {
    if loaded.undefined.is_empty() {
        eprintln!(
            "--write-models: nothing to write: every function that the program uses has a body or a model"
        );
        return Ok(());
    }
    let text = tp_frontend::models_skeleton(&loaded.program, &loaded.undefined);
    std::fs::write(path, text)
        .map_err(|error| CommandError::Usage(format!("cannot write {}: {error}", path.display())))?;
    let stubs = count(loaded.undefined.len() as u64, "stub");
    eprintln!("wrote {}: {stubs} to fill in; then add `--models {0}`", path.display());
    Ok(())
}

/// Ctrl-C reaches the compiler as well, and a source is not wrong because its compiler was interrupted.
pub fn load_unless_interrupted(args: &SourceArgs, stop: &Stop) -> Result<Loaded, CommandError> {
    load_source(args).map_err(|failure| match stop.reason() {
        Some(StopReason::Interrupted) => CommandError::Interrupted,
        _ => failure,
    })
}

/// The text of a source file, for snippets.
pub fn source(path: &str) -> Option<String> {
    std::fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Paths in messages and files are text.
pub fn path_text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
