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
//! | `races` | a part of another kind: that no two accesses race, by facts at program points |
//! | `rejected` | why a file is no proof |
//!
//! # What is shown
//!
//! A file has parts, each of which is proved by itself: that no claim fails and the program was followed to its end,
//! that no thread waits for ever, that nothing races. The module `races` says what a part of that kind shows. A part of
//! the kind `order` is about *nodes*, which are the steps of threads, and about boolean variables. An **execution** is
//! a value for each variable, and a total order of the nodes, such that
//!
//! 1. every `clause` is true;
//! 2. the nodes of a `thread` are in the order of its line, and each `before A B` holds;
//! 3. where the reads-from literal of a candidate is true, its node is before the read, and each active candidate on
//!    another node is before that node or after the read. A candidate on the node of the read itself is written after
//!    the read: it is never seen and never overwrites what is seen.
//!
//! The checker accepts a part only if there is no execution in which a `goal` is true. It does so by two kinds of
//! argument. A `lemma` is a clause that every execution satisfies: if all its literals were false, some nodes would be
//! on a cycle, and the file lists the orders that make the cycle. A `step` is a clause that follows from the clauses
//! before it: the hints name them in an order in which each forces one more literal, until one is violated (this is the
//! LRAT format of SAT solvers, without its RAT part). An `order` line names the order of two nodes by a variable that
//! does not occur above it: such a name excludes no execution.
//!
//! There is no search: every line is checked once, against what it names.
//!
//! # What is trusted
//!
//! That the clauses, threads and reads say what the C program can do. They come from the compiler, the models of
//! library functions, the unfolding of loops up to the bound, the choice of which writes a read can see at all, and the
//! translation of terms to clauses. That threads wait for ever, or that two accesses race, are goals like others; how
//! ghost reads and writes express them is trusted. The words of `about`, `verdict`, `part` and `goal` lines are
//! repeated, not checked. Nor is it checked that the parts together are all that the verdict needs.
//!
//! Not trusted are the SAT solver, the order theory inside it, and the engine that gave the answer. This crate depends
//! on nothing but the standard library.

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
