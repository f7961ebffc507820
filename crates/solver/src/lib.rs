//! Questions about bits, answered by a SAT solver.
//!
//! | module | what is in it |
//! |---|---|
//! | `term` | terms over bit-vectors, each stored once |
//! | `simplify` | the making of terms, with the rules that keep them small |
//! | `total`, `eval` | what a term's value is |
//! | `sat` | what a SAT solver is to us, and what a theory inside it answers |
//! | `cadical` | that solver, over CaDiCaL |
//! | `order` | which reads-from choices are possible in some interleaving |
//!
//! The crate reads no files and prints nothing.

mod cadical;
mod eval;
pub mod order;
mod sat;
mod simplify;
mod term;
mod total;

pub use cadical::Cadical;
pub use eval::Evaluation;
pub use sat::{Fault, Lit, Outcome, Propagator, Sat, Statistics};
pub use term::{Bits, Node, Relation, Term, Terms, VarId};
