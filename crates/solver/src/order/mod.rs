//! The order theory: whether a choice of which write each read sees is possible in some interleaving.
//!
//! The idea is that of scheduling-constraint abstraction (Yin, Dong, Liu, Wang: Yogar-CBMC), done inside the SAT
//! solver. Steps are ordered by program order and the creation of threads (fixed), and by what the assignment says:
//!
//! - a read is after the write it reads from;
//! - a write to the same location that is before the read is before the write it reads from;
//! - a write to the same location that is after the write it reads from is after the read.
//!
//! These rules are applied to a fixpoint. A cycle is a conflict; its reason is the set of reads-from and guard literals
//! on it, by shortest paths. A reads-from choice that the order already forbids is ruled out before it is tried.
//!
//! The rules are not complete: an assignment can be free of cycles and still have no total order (the "butterfly" of
//! the paper's Fig. 6). So when everything is assigned, a total order is built; if that fails, one pair of writes whose
//! order is still open gets an order literal, whose two values are the two orders, and the search goes on. Pairs that
//! never matter get no literal.
//!
//! `theory` knows nothing of the SAT solver; it is told what is assigned and says what follows, by `rules` and, at the
//! end, `finish`. `propagator` puts it into the search. `graph` is the order itself, `paths` its reasons.

mod finish;
mod graph;
mod paths;
mod propagator;
mod rules;
mod theory;

pub use graph::{Chain, OrderNode};
pub use propagator::OrderPropagator;
pub use theory::{Candidate, FinalCheck, Implied, OrderTheory, ReadId};

/// A literal that nobody observes. Where a reason is missing, a clause with this literal is a fault; without it the answer
/// could be wrong.
fn unobserved() -> Option<crate::Lit> {
    crate::Lit::from_dimacs(i32::MAX)
}
