//! Engines: each decides what an event graph can do.
//!
//! | module | what is in it |
//! |---|---|
//! | `check` | the whole question, deeper and deeper into loops |
//! | `find` | one failure that is not known, executed by the machine (`replay`) |
//! | `engine` | the question, the answers, and which engine gives them |
//! | `guards`, `facts`, `past`, `prune` | which writes a read can see, before anything is solved |
//! | `encode` | the formula without the order of events, which all engines start from |
//! | `order` | order decided inside the SAT solver |
//! | `refine` | order decided counterexample by counterexample |
//! | `clocks` | order in the formula, as numbers |
//! | `race` | data races, as moments at which two threads stand before conflicting accesses |
//! | `trial` | a few runs of a program that is said not to race |
//! | `happens_before` | who knows of which accesses, where atomics are weak |
//! | `deadlock` | threads that wait for ever, in steps or in loops, as attempts that come last |
//! | `certify` | a proof, for others to check, that there is no execution |
//! | `witness`, `shorten` | from an execution to the steps of the machine |
//! | `complete` | the order of all nodes from that of those that matter |
//!
//! The crate reads no files, prints nothing, and has no clock.

mod certify;
mod check;
mod clocks;
mod complete;
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
mod refine;
mod replay;
mod shorten;
mod trial;
mod witness;

pub use certify::Uncertified;
pub use check::{Certified, CheckResult, Known, Options, Progress, Reason, Shown, Verdict, check};
pub use encode::Size;
pub use engine::{Answer, Engine, Method, Statistics, Unknown};
pub use further::Reached;
pub use refine::Refinements;
pub use witness::{InputValue, UnwrittenValue, Witness, witness};
