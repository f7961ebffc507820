//! The event graph of a program: what each thread does to memory that others can reach, under which condition.
//!
//! | module | what is in it |
//! |---|---|
//! | `event` | nodes, reads, writes, claims, limits, and what else there is in a graph |
//! | `gap` | what an unfolding does not follow |
//! | `graph` | the graph as a whole: made once by a builder, and not changed afterwards |
//! | `query` | a question about a graph, with ghost events beside it |
//! | `text` | the graph for people, `threadproof events` |
//!
//! `unfold` makes one from a program; `engines` ask whether its events have an order in which something fails.

mod event;
mod gap;
mod graph;
mod query;
mod text;

pub use event::*;
pub use gap::{Gap, UndefinedBehaviour};
pub use graph::{EventGraph, GraphBuilder};
pub use query::Query;
pub use text::text;
