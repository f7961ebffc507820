//! Engines: each decides what an event graph can do.
//!
//! | module | what is in it |
//! |---|---|
//! | `check` | the whole question, with growing loop bounds |
//! | `bound` | one loop bound, with one bound on context switches after the other |
//! | `find` | the search for one failure that is not known yet; the machine executes it (`replay`) |
//! | `engine` | questions, answers, and the choice of an engine |
//! | `guards`, `facts`, `past`, `prune` | which writes a read can see, before anything is solved |
//! | `further` | which limits of the unfolding can be reached |
//! | `encode` | the formula without the order of events, which all engines start from |
//! | `order` | order decided inside the SAT solver |
//! | `refine` | order decided counterexample by counterexample |
//! | `clocks` | order in the formula, as numbers |
//! | `record` | order as the contexts of an execution, few of them if their number is bounded |
//! | `widen` | the same, from one interleaving to more of them |
//! | `counted` | what an execution with a bounded number of contexts covers |
//! | `race` | data races, as moments at which two threads are about to make conflicting accesses |
//! | `trial` | a few runs of a program that the analysis calls race-free |
//! | `happens_before` | happens-before where atomics are weak, as bits that travel with values |
//! | `deadlock` | threads that wait for ever, in steps or in loops, as attempts ordered after all writes |
//! | `certify` | a proof, checkable by others, that there is no execution |
//! | `witness`, `shorten` | from an execution to the steps of the machine |
//! | `complete` | the order of all nodes, from that of the nodes that matter |
//!
//! The crate reads no files, prints nothing, and has no clock.

mod bound;
mod certify;
mod check;
mod clocks;
mod complete;
mod counted;
mod deadlock;
mod encode;
mod engine;
mod facts;
mod find;
mod further;
mod guards;
mod happens_before;

mod order;
mod past;
mod prune;
mod race;
mod record;
mod refine;
mod replay;
mod shorten;
mod trial;
mod widen;
mod witness;

pub use certify::Uncertified;
pub use check::{
    Certified, CheckOptions, CheckResult, CheckVerdict, KnownVerdict, NotReplayed, Progress, Shown,
    UnknownReason, check,
};
pub use counted::Counted;
pub use encode::Size;
pub use engine::{Answer, GraphSolver, Method, Statistics, Unknown};
pub use further::Reached;
pub use refine::Refinements;
pub use witness::{InputValue, SolvedExecution, UnwrittenValue, witness};
