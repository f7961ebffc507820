//! Certificates: a file that shows why nothing fails, and a checker of such files.
//!
//! | module | what is in it |
//! |---|---|
//! | `format` | a certificate as data, and how it is written |
//! | `lines` | the words of a file, line by line |
//! | `literals` | the literals of a file, as small numbers |
//! | `clauses` | clauses, and whether one follows from others by unit propagation |
//! | `order` | threads, reads and writes, and whether a lemma about their order holds |
//! | `check` | a whole file, from its first line to its last |
//! | `proof` | a part of it that is about the order of steps |
//! | `races` | a part of another kind: that no two accesses race, by facts that hold whenever control is somewhere |
//! | `rejected` | why a file is no proof |
//!
//! # What is shown
//!
//! A file has parts, each of which is shown by itself: that no claim fails and the program was followed to its end, that
//! nobody waits for ever, that nothing races. What a part of the kind `races` shows is in `races`. A part of the kind `order`
//! speaks of *nodes*, which are the steps of threads, and of boolean variables. An **execution** is a
//! value for each variable, and a total order of the nodes, such that
//!
//! 1. every `clause` is true;
//! 2. the nodes of a `thread` are in the order of its line, and each `before A B` holds;
//! 3. where the reads-from literal of a candidate is true, its node is before the read, and each candidate on another
//!    node that is active is before that node or after the read. A candidate on the node of the read itself is written
//!    after the read: it is never seen and never in the way.
//!
//! The checker accepts a part only if there is no execution in which a `goal` is true. It does so by two kinds of
//! argument. A `lemma` is a clause that every execution satisfies: if all its literals were false, some nodes would be
//! on a cycle, and the file lists the orders that make the cycle. A `step` is a clause that follows from the clauses
//! before it: the hints name them in an order in which each forces one more literal, until one is violated (this is the
//! LRAT format of SAT solvers, without its RAT part). An `order` line names the order of two nodes by a variable that
//! occurs in nothing above it: such a name takes no execution away.
//!
//! Nothing is searched for: every line is looked at once, against what it names.
//!
//! # What is trusted
//!
//! That the clauses, threads and reads say what the C program can do. They come from the compiler, the models of library
//! functions, the unfolding of loops up to the bound, the choice of which writes a read can see at all, and the
//! translation of terms to clauses. That threads wait for ever, or that two accesses race, are goals like others: trusted is how
//! they are said with additional reads and writes. The words of `about`, `verdict`, `part` and `goal` lines are repeated, not
//! checked; so is that the parts together are all that the verdict needs.
//!
//! Not trusted are the SAT solver, the order theory inside it, and the engine that gave the answer. This crate depends on
//! nothing but the standard library.

mod check;
mod clauses;
mod format;
mod lines;
mod literals;
mod order;
mod proof;
mod races;
mod rejected;

pub use check::{CertificateSummary, Counts, PartSummary, check};
pub use format::{
    Candidate, Certificate, Derivation, Goal, Lemma, OrderLiteral, Part, PartKind, Proof, Read, RupStep,
};
pub use proof::OrderSummary;
pub use races::{RaceSummary, check_races};
pub use rejected::{CertificateError, Rejected, Why};
