//! Engines: each decides what an unfolded program can do.
//!
//! | module | what is in it |
//! |---|---|
//! | `engine` | the question, the answers, and which engine gives them |
//! | `guards`, `known`, `past`, `prune` | which writes a read can see, before anything is solved |
//! | `encode` | the formula without the order of events, which all engines start from |
//! | `order` | order decided inside the SAT solver |
//! | `clocks` | order in the formula, as numbers |
//! | `witness`, `shorten` | from an execution to the steps of the machine |
//! | `complete` | the order of all nodes from that of those that matter |
//!
//! The crate reads no files, prints nothing, and has no clock.

mod clocks;
mod complete;
mod encode;
mod engine;
mod guards;
mod known;
mod order;
mod past;
mod prune;
mod shorten;
mod witness;

pub use encode::Size;
pub use engine::{Answer, Engine, Method, Statistics, Unknown};
pub use witness::{InputValue, UnwrittenValue, Witness, witness};
