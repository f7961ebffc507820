//! Questions about bits, answered by a SAT solver.
//!
//! | module | what is in it |
//! |---|---|
//! | `gates`, `circuit`, `blast` | terms to clauses |
//! | `cardinality` | at most one, exactly one |
//! | `sat` | what a SAT solver is to us, and what a theory inside it answers |
//! | `cadical` | that solver, over CaDiCaL |
//! | `proof` | the same without theories, with a proof that there is no model |
//! | `clauses` | many clauses, kept together |
//! | `order` | which reads-from choices are possible in some interleaving |
//!
//! The crate reads no files and prints nothing.

mod blast;
mod cadical;
mod cardinality;
mod circuit;
mod clauses;
mod gates;
pub mod order;
mod proof;
mod sat;

pub use blast::Blaster;
pub use cadical::Cadical;
pub use cardinality::{at_most_one, exactly_one};
pub use clauses::Clauses;
pub use proof::{Premise, ProofStep, Prover, Refutation};
pub use sat::{Lit, Propagator, Sat, SatResult, SatStatistics, SolverFault};
