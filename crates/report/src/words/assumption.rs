//! What a possible finding rests on.

use std::fmt;

/// Something that was assumed, and on which a finding depends.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Assumption {
    /// A function without model may return any value.
    Returned { function: String },
    /// A function without model changes nothing.
    ChangedNothing { function: String },
    /// In a file that was optimised before it was read, accesses are where the source has them.
    NotMoved { path: String },
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this rests on an assumption: ")?;
        match self {
            Assumption::Returned { function } => {
                write!(f, "`{function}` has no model and was taken to return any value")
            }
            Assumption::ChangedNothing { function } => {
                write!(f, "`{function}` has no model and was taken to change nothing")
            }
            Assumption::NotMoved { path } => {
                write!(f, "{path} was optimised, and accesses are where its source has them")
            }
        }
    }
}
