//! Questions about bits, answered by a SAT solver.
//!
//! | module | what is in it |
//! |---|---|
//! | `term` | terms over bit-vectors, each stored once |
//! | `simplify` | the making of terms, with the rules that keep them small |
//! | `total`, `model` | what a term's value is |
//! | `gates`, `circuit`, `blast` | terms to clauses |
//! | `cardinality` | at most one, exactly one |
//! | `sat` | what a SAT solver is to us, and what a theory inside it answers |
//! | `cadical` | that solver, over CaDiCaL |
//! | `order` | which reads-from choices are possible in some interleaving |
//!
//! The crate reads no files and prints nothing.

mod blast;
mod cadical;
mod cardinality;
mod circuit;
mod gates;
mod model;
pub mod order;
mod sat;
mod simplify;
mod term;
mod total;

pub use blast::Blaster;
pub use cadical::Cadical;
pub use cardinality::{at_most_one, exactly_one};
pub use model::Model;
pub use sat::{Fault, Lit, Outcome, Propagator, Sat, Statistics};
pub use term::{Bits, Node, Relation, Term, Terms, VarId};
