//! The answer in one line: `verdict: violated (data race)`.

use std::fmt;
use tp_ir::Property;

/// What is known about the program after running it. Running can never show that a program is safe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Violated(Property),
    /// With the reason.
    Unknown(String),
}

impl Verdict {
    /// The word for programs to read.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Violated(_) => "violated",
            Verdict::Unknown(_) => "unknown",
        }
    }

    pub fn reason(&self) -> &str {
        match self {
            Verdict::Violated(property) => property.title(),
            Verdict::Unknown(reason) => reason,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "verdict: {} ({})", self.word(), self.reason())
    }
}
