//! Terms over bit-vectors: one language for what a program computes from its inputs, in a run and in a proof.
//!
//! | module | what is in it |
//! |---|---|
//! | `term` | terms, each stored once |
//! | `simplify` | the construction of terms, with the rules that keep them small |
//! | `total`, `model` | the value of a term |
//!
//! The crate reads no files and prints nothing.

mod model;
mod simplify;
mod term;
mod total;

pub use model::Model;
pub use term::{Bits, Relation, Term, TermKind, Terms, VarId};
