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
pub enum Failure {
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
    /// Before there was a program to say anything about.
    Interrupted,
    Internal(String),
}

impl Failure {
    pub fn exit(&self) -> Exit {
        match self {
            Failure::Usage(_) | Failure::Frontend(FrontendError::NoInput) => Exit::Usage,
            Failure::Interrupted => Exit::Unknown,
            Failure::Internal(_) | Failure::Frontend(FrontendError::BrokenModels { .. }) => Exit::Internal,
            Failure::Frontend(_) | Failure::Unreadable { .. } | Failure::Witness { .. } => Exit::Source,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Usage(message) => f.write_str(message),
            Failure::Frontend(error) => error.fmt(f),
            Failure::Unreadable { path, reason } => write!(f, "cannot read {path}: {reason}"),
            Failure::Witness { path, error } => write!(f, "{path}: {error}"),
            Failure::Interrupted => f.write_str("interrupted while the program was compiled"),
            Failure::Internal(message) => write!(f, "internal error: {message}"),
        }
    }
}

impl From<FrontendError> for Failure {
    fn from(error: FrontendError) -> Failure {
        Failure::Frontend(error)
    }
}

impl From<tp_driver::Defect> for Failure {
    fn from(defect: tp_driver::Defect) -> Failure {
        Failure::Internal(defect.0)
    }
}
