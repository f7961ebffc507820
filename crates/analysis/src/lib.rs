//! Facts about a program that hold in every execution, each computed in one place.
//!
//! | module | what is in it |
//! |---|---|
//! | `postdominators` | post-dominators of a function, and what a branch decides |
//! | `liveness` | the registers that can still be read |
//! | `counting` | counting loops, and the array elements they visit |
//! | `address` | where registers are defined, and how a function computes an address |
//! | `footprint` | the memory that an instruction reads and writes |
//! | `models` | what lock and thread functions do, as their models declare it |
//! | `callgraph` | calls, their contexts, and abstract threads |
//! | `pointsto` | where pointers point, what is called, which threads are started |
//! | `escape` | the objects that threads share |
//! | `threads` | which threads and objects exist at most once |
//! | `joins` | loops that join all threads of an array |
//! | `lockset` | the locks that are held at each instruction |
//! | `mhp` | what may happen in parallel |
//! | `future_writes` | what threads may still write, from where they stand in a run |
//! | `symmetry` | threads that the rest of the program cannot tell apart |
//!
//! An analysis is a struct: its constructor does the work, and its methods only look things up. An analysis of one
//! function takes its body; the others build on one another in the order of the table, from `pointsto` on.
//!
//! The plain control flow of one function is in `tp_ir`, where `validate` and `promote` need it too: `cfg` (edges and
//! order), `dominators`, and `loops` (the one loop nesting forest).

pub mod address;
pub mod callgraph;
pub mod counting;
pub mod escape;
pub mod footprint;
pub mod future_writes;
pub mod joins;
pub mod liveness;
pub mod lockset;
pub mod mhp;
pub mod models;
pub mod pointsto;
pub mod postdominators;
pub mod symmetry;
#[cfg(test)]
mod testing;
pub mod threads;
