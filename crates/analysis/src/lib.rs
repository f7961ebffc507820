//! Facts about a program that hold in every execution, each found in one place for all who ask.
//!
//! | module | what is in it |
//! |---|---|
//! | `postdominators` | post-dominators of a function, and what a branch decides |
//! | `liveness` | the registers that can still be read |
//! | `counting` | loops that count, and the elements they go through |
//! | `address` | where registers are defined, and how a function computes an address |
//!
//! The plain control flow of one function is in `tp_ir`, where `validate` and `promote` need it too: `cfg` (edges and
//! order), `dominators`, and `loops` (the one loop nesting forest).

pub mod address;
pub mod counting;
pub mod liveness;
pub mod postdominators;
#[cfg(test)]
mod testing;
