//! What is wrong with the inputs of a benchmark.

use std::fmt;
use std::path::{Path, PathBuf};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    Unreadable {
        path: PathBuf,
        reason: String,
    },
    /// It can be read, but its content is wrong.
    Malformed {
        path: PathBuf,
        what: String,
    },
    /// Arguments or tasks that do not fit together.
    Usage(String),
}

impl Error {
    pub fn unreadable(path: &Path, reason: &impl ToString) -> Error {
        Error::Unreadable { path: path.to_owned(), reason: reason.to_string() }
    }

    pub fn malformed(path: &Path, what: impl Into<String>) -> Error {
        Error::Malformed { path: path.to_owned(), what: what.into() }
    }
}

impl std::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Unreadable { path, reason } => write!(f, "cannot read {}: {reason}", path.display()),
            Error::Malformed { path, what } => write!(f, "{}: {what}", path.display()),
            Error::Usage(message) => f.write_str(message),
        }
    }
}
