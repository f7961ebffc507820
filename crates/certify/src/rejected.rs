//! Why a file is no proof.

use std::fmt;
use std::io;

#[derive(Debug)]
pub enum CertificateError {
    /// It cannot be read.
    Unreadable(io::Error),
    /// It is something else.
    NotACertificate,
    Rejected(Rejected),
}

/// The first line that is wrong, and what is wrong about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejected {
    /// From 1.
    pub line: u64,
    /// The lemma that the line is a part of.
    pub lemma: Option<u64>,
    pub why: Why,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    // ── the form ───────────────────────────────────────────────────────────────────────────────────────────────
    Version(String),
    NotText,
    LineTooLong,
    UnknownLine(String),
    UnknownPart(String),
    Misplaced(String),
    Missing(&'static str),
    NotANumber(String),
    Surplus(String),
    /// The file ends before its last line.
    CutOff,
    /// Reads, clauses, lemmas and steps are numbered consecutively.
    WrongNumber {
        found: u64,
        expected: u64,
    },
    // ── nodes and literals ─────────────────────────────────────────────────────────────────────────────────────
    NodeTwice(u32),
    NoNode(u32),
    NoRead(u64),
    NoCandidate {
        read: u64,
        candidate: u64,
    },
    NoOrder(i32),
    NotFresh(i32),
    NotTwoNodes(u32),
    // ── lemmas ─────────────────────────────────────────────────────────────────────────────────────────────────
    NoLemma,
    WithoutCycle,
    /// The negation of this literal is missing in the lemma's clause.
    NotAssumed(i32),
    NeverSeen {
        read: u64,
        candidate: u64,
    },
    OnTheSameNode {
        read: u64,
        candidate: u64,
    },
    SameWrite(u32),
    PathFrom {
        found: u32,
        expected: u32,
    },
    PathTo {
        found: u32,
        expected: u32,
    },
    NotBefore(u32, u32),
    NotClosed {
        first: u32,
        last: u32,
    },
    // ── steps ──────────────────────────────────────────────────────────────────────────────────────────────────
    NoClause(u64),
    NotUnit {
        step: u64,
        hint: u64,
    },
    NoContradiction(u64),
    // ── races ──────────────────────────────────────────────────────────────────────────────────────────────────
    NotShown(String),
    /// Everything holds, but the empty clause is not among it.
    NothingShown,
}

impl From<io::Error> for CertificateError {
    fn from(error: io::Error) -> CertificateError {
        CertificateError::Unreadable(error)
    }
}

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CertificateError::Unreadable(error) => error.fmt(f),
            CertificateError::NotACertificate => f.write_str("this is no certificate"),
            CertificateError::Rejected(rejected) => rejected.fmt(f),
        }
    }
}

impl std::error::Error for CertificateError {}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        if let Some(lemma) = self.lemma {
            write!(f, "lemma {lemma} does not hold: ")?;
        }
        self.why.fmt(f)
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Version(version) => write!(f, "version `{version}` of certificates is not known here"),
            Why::NotText => f.write_str("this is no text"),
            Why::LineTooLong => f.write_str("the line is too long"),
            Why::UnknownLine(word) => write!(f, "no line begins with `{word}`"),
            Why::UnknownPart(word) => write!(f, "no part is of the kind `{word}`"),
            Why::Misplaced(word) => write!(f, "a line `{word}` cannot stand here"),
            Why::Missing(what) => write!(f, "{what} is missing"),
            Why::NotANumber(word) => write!(f, "`{word}` is no number that can stand here"),
            Why::Surplus(word) => write!(f, "nothing is expected at `{word}`"),
            Why::CutOff => f.write_str("the file ends too early"),
            Why::WrongNumber { found, expected } => {
                write!(f, "number {found} where {expected} comes next")
            }
            Why::NodeTwice(node) => write!(f, "node {node} is in a thread already"),
            Why::NoNode(node) => write!(f, "node {node} is in no thread"),
            Why::NoRead(read) => write!(f, "there is no read {read}"),
            Why::NoCandidate { read, candidate } => write!(f, "read {read} has no candidate {candidate}"),
            Why::NoOrder(literal) => write!(f, "{literal} is the order of no two nodes"),
            Why::NotFresh(literal) => write!(f, "{literal} has a meaning already"),
            Why::NotTwoNodes(node) => write!(f, "node {node} cannot be before itself"),
            Why::NoLemma => f.write_str("this is a part of a lemma, and there is no lemma before it"),
            Why::WithoutCycle => f.write_str("no cycle is shown"),
            Why::NotAssumed(literal) => write!(f, "it does not say that {literal} is true"),
            Why::NeverSeen { read, candidate } => {
                write!(f, "read {read} never sees candidate {candidate}")
            }
            Why::OnTheSameNode { read, candidate } => {
                write!(f, "candidate {candidate} is on the node of read {read}")
            }
            Why::SameWrite(node) => write!(f, "both candidates are on node {node}"),
            Why::PathFrom { found, expected } => {
                write!(f, "the path begins at node {found}, not at {expected}")
            }
            Why::PathTo { found, expected } => write!(f, "the path ends at node {found}, not at {expected}"),
            Why::NotBefore(a, b) => write!(f, "node {a} was not shown to be before node {b}"),
            Why::NotClosed { first, last } => {
                write!(f, "the path from node {first} ends at node {last} and is no cycle")
            }
            Why::NoClause(number) => write!(f, "there is no clause {number} before this line"),
            Why::NotUnit { step, hint } => {
                write!(f, "step {step} does not hold: its hint {hint} forces nothing")
            }
            Why::NoContradiction(step) => {
                write!(f, "step {step} does not hold: its hints lead to no contradiction")
            }
            Why::NotShown(what) => f.write_str(what),
            Why::NothingShown => f.write_str("everything holds, but a goal may still be reached"),
        }
    }
}
