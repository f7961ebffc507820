//! Questions about bits, answered by a SAT solver.
//!
//! | module | what is in it |
//! |---|---|
//! | `sat` | what a SAT solver is to us, and what a theory inside it answers |
//! | `cadical` | that solver, over CaDiCaL |
//!
//! The crate reads no files and prints nothing.

mod cadical;
pub mod order;
mod sat;

pub use cadical::Cadical;
pub use sat::{Fault, Lit, Outcome, Propagator, Sat, Statistics};
