//! The event graph of a program: what each thread does to memory that others can reach, under which condition.
//!
//! | module | what is in it |
//! |---|---|
//! | `graph` | nodes, reads, writes, claims, limits, and what else is known of them |
//! | `text` | the graph for people, `threadproof events` |
//!
//! `unfold` makes one from a program; `engines` ask whether its events have an order in which something fails.

mod graph;
mod text;

pub use graph::*;
pub use text::text;
