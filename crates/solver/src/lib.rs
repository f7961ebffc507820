//! Questions about bits, answered by a SAT solver.
//!
//! | module | what is in it |
//! |---|---|
//! | `gates`, `circuit`, `blast` | terms to clauses |
//! | `cardinality` | at most one, exactly one |
//! | `sat` | the interfaces of a SAT solver and of a theory inside it |
//! | `cadical` | the SAT solver, over CaDiCaL |
//! | `proof` | a SAT solver without theories, which leaves a proof when there is no model |
//! | `clauses` | a list of clauses |
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
