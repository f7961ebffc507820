//! Random multithreaded programs, checked by every engine and by running them in every way.
//!
//! | module | what is in it |
//! |---|---|
//! | `generate` | small random C programs that end |
//! | `oracle` | what such a program can do, by `explore` |
//! | `judge` | whether `check` says the same |
//! | `shrink`, `tree` | a smaller program about which they still disagree |

pub mod generate;
pub mod judge;
pub mod oracle;
pub mod shrink;
pub mod tree;
