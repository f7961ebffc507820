//! Why a text is not a program, and where.

use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Counted from 1.
    pub line: u32,
    /// In bytes, counted from 1.
    pub column: u32,
    pub problem: Problem,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// The text has more bytes than handles can count.
    TooLong,
    Expected(&'static str),
    /// A word that is not in the list for `what`.
    UnknownWord {
        what: &'static str,
        word: Box<str>,
    },
    /// A name or handle that nothing in the text defines.
    Undefined {
        what: &'static str,
        name: Box<str>,
    },
    /// A number that does not fit where it stands.
    NumberRange,
    /// A `\` in a string without two hexadecimal digits, or a name that is not UTF-8.
    BadString,
    /// A numbered row or block that is not the next one.
    OutOfOrder {
        expected: Box<str>,
    },
    /// The zeros of all initialisers together are too many.
    TooManyZeros,
    /// A register is written with two different names.
    RegisterName(u32),
    /// A register is given two different types.
    RegisterType(u32),
    /// A register is used, but neither assigned nor listed as unassigned.
    RegisterUnassigned(u32),
    /// A result whose type does not follow from the instruction.
    ResultType,
    /// Only a call has several results.
    SeveralResults,
    /// An instruction after the terminator of its block, or before the first block.
    OutsideBlock,
    /// A block without a terminator.
    OpenBlock,
    /// A function without its `}`.
    OpenFunction,
    /// A second `program` line.
    SecondHeader,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.problem)
    }
}

impl std::error::Error for ParseError {}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::TooLong => f.write_str("the text is too long"),
            Problem::Expected(what) => write!(f, "expected {what}"),
            Problem::UnknownWord { what, word } => write!(f, "`{word}` is not {what}"),
            Problem::Undefined { what, name } => write!(f, "there is no {what} `{name}`"),
            Problem::NumberRange => f.write_str("the number does not fit here"),
            Problem::BadString => {
                f.write_str("after `\\` come two hexadecimal digits, and a name must be UTF-8")
            }
            Problem::OutOfOrder { expected } => {
                write!(f, "expected {expected}: rows and blocks are numbered in order")
            }
            Problem::TooManyZeros => {
                write!(f, "all runs of zeros together may not exceed {} bytes", crate::print::MOST_ZERO_BYTES)
            }
            Problem::RegisterName(reg) => {
                write!(f, "register {reg} has another name elsewhere in this function")
            }
            Problem::RegisterType(reg) => {
                write!(f, "register {reg} has another type elsewhere in this function")
            }
            Problem::RegisterUnassigned(reg) => {
                write!(f, "register {reg} is never assigned; if that is meant, list it after `unassigned`")
            }
            Problem::ResultType => {
                f.write_str("the type of this result must be written, as in `%3: i32 = …`")
            }
            Problem::SeveralResults => f.write_str("only a call has several results"),
            Problem::OutsideBlock => f.write_str("this instruction belongs to no block"),
            Problem::OpenBlock => f.write_str(
                "the block has no end: expected `jump`, `branch`, `switch`, `return` or `unreachable`",
            ),
            Problem::OpenFunction => f.write_str("the function has no closing `}`"),
            Problem::SecondHeader => f.write_str("a text has one `program` line"),
        }
    }
}
