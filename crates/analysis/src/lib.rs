//! Facts about a program that hold in every execution, each found in one place for all who ask.
//!
//! | module | what is in it |
//! |---|---|
//! | `postdominators` | post-dominators of a function, and what a branch decides |
//! | `liveness` | the registers that can still be read |
//! | `counting` | loops that count, and the elements they go through |
//! | `address` | where registers are defined, and how a function computes an address |
//! | `footprint` | the memory that an instruction reads and writes |
//! | `models` | what the functions of locks and threads do |
//! | `callgraph` | calls and threads, as they are told apart |
//! | `pointsto` | where pointers point, what is called, which threads are started |
//! | `escape` | the objects that threads share |
//! | `threads` | which threads and objects there is at most one of |
//! | `joins` | loops that wait for all threads of an array |
//! | `lockset` | the locks that are held at each instruction |
//! | `mhp` | what may happen in parallel |
//!
//! An analysis is a struct: its constructor does the work, and its methods only look things up. Those of one function
//! are made from its body; the others build on one another in the order of the table, from `pointsto` on.
//!
//! The plain control flow of one function is in `tp_ir`, where `validate` and `promote` need it too: `cfg` (edges and
//! order), `dominators`, and `loops` (the one loop nesting forest).

pub mod address;
pub mod callgraph;
pub mod counting;
pub mod escape;
pub mod footprint;
pub mod joins;
pub mod liveness;
pub mod lockset;
pub mod mhp;
pub mod models;
pub mod pointsto;
pub mod postdominators;
#[cfg(test)]
mod testing;
pub mod threads;
