//! From options to a program; warnings of the compiler go to standard error.

use crate::exit::CommandError;
use std::path::Path;
use tp_driver::{Stop, StopReason};
use tp_frontend::{FrontendOptions, Loaded};

pub fn load(options: &FrontendOptions) -> Result<Loaded, CommandError> {
    let loaded = tp_frontend::load(options)?;
    for warning in &loaded.warnings {
        eprintln!("{}", warning.trim_end());
    }
    Ok(loaded)
}

/// Ctrl-C reaches the compiler as well, and a source is not wrong because its compiler was interrupted.
pub fn load_unless_interrupted(options: &FrontendOptions, stop: &Stop) -> Result<Loaded, CommandError> {
    load(options).map_err(|failure| match stop.reason() {
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
