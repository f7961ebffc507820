//! The exit status, and the errors that end the command before there is a verdict.

use std::fmt;
use tp_frontend::FrontendError;
use tp_report::{Verdict, WitnessError};

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Exit {
    Safe = 0,
    Usage = 1,
    /// The source does not compile or cannot be read.
    Source = 2,
    Unknown = 5,
    Internal = 6,
    Violated = 10,
    /// Something fails if an assumption holds.
    Possible = 11,
}

impl Exit {
    pub fn of(verdict: &Verdict) -> Exit {
        match verdict {
            Verdict::Violated(_) => Exit::Violated,
            Verdict::Possible(_) => Exit::Possible,
            Verdict::Safe => Exit::Safe,
            Verdict::WithinBounds(_) | Verdict::Unknown(_) => Exit::Unknown,
        }
    }
}

#[derive(Debug)]
pub enum CommandError {
    Usage(String),
    Frontend(FrontendError),
    Unreadable {
        path: String,
        reason: String,
    },
    Witness {
        path: String,
        error: WitnessError,
    },
    /// Interrupted before the program was loaded.
    Interrupted,
    Internal(String),
}

impl CommandError {
    pub fn exit(&self) -> Exit {
        match self {
            CommandError::Usage(_) | CommandError::Frontend(FrontendError::NoInput) => Exit::Usage,
            CommandError::Interrupted => Exit::Unknown,
            CommandError::Internal(_) | CommandError::Frontend(FrontendError::BrokenModels { .. }) => {
                Exit::Internal
            }
            CommandError::Frontend(_) | CommandError::Unreadable { .. } | CommandError::Witness { .. } => {
                Exit::Source
            }
        }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Usage(message) => f.write_str(message),
            CommandError::Frontend(error) => error.fmt(f),
            CommandError::Unreadable { path, reason } => write!(f, "cannot read {path}: {reason}"),
            CommandError::Witness { path, error } => write!(f, "{path}: {error}"),
            CommandError::Interrupted => f.write_str("interrupted while the program was compiled"),
            CommandError::Internal(message) => write!(f, "internal error: {message}"),
        }
    }
}

impl From<FrontendError> for CommandError {
    fn from(error: FrontendError) -> CommandError {
        CommandError::Frontend(error)
    }
}

impl From<tp_driver::Defect> for CommandError {
    fn from(defect: tp_driver::Defect) -> CommandError {
        CommandError::Internal(defect.0)
    }
}
