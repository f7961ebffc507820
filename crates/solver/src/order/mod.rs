//! The order theory: whether a choice of which write each read sees is possible in some interleaving.
//!
//! The idea is that of scheduling-constraint abstraction (Yin, Dong, Liu, Wang: Yogar-CBMC), done inside the SAT solver.
//! Steps are ordered by program order, by starting and joining threads (fixed), and by what the assignment says:
//!
//! - a read is after the write it reads from;
//! - a write to the same place that is before the read is before the write it reads from;
//! - a write to the same place that is after the write it reads from is after the read.
//!
//! These rules are applied until nothing new follows. A cycle is a conflict; its reason are the read-from and guard
//! literals on it, shortest paths first. Before a read-from choice is tried, it is ruled out if the order already
//! forbids it.
//!
//! The rules are not complete: an assignment can be free of cycles and still have no total order (the "butterfly" of
//! the paper's Fig. 6). So when everything is assigned, a total order is built; if that fails, one pair of writes that is
//! still open gets an order literal, whose two values are the two orders, and the search goes on. Nothing is built for
//! pairs that never matter.
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
