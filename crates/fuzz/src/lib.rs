//! Random multithreaded programs on which all engines have to agree, and which, compiled, must do nothing that the
//! explorer calls impossible.
//!
//! | module | what is in it |
//! |---|---|
//! | `generate` | small random C programs that end |
//! | `question`, `table` | what is asked about a program; the engines that are asked |
//! | `ask`, `stopwatch` | how each engine is asked, and how long it works |
//! | `oracle` | every execution of a program, by `explore`: whether anything fails, which outcomes there are |
//! | `judge` | whether the engines agree |
//! | `native` | the program, compiled by the system's compiler and run many times under stress |
//! | `shrink`, `tree` | a smaller program about which the engines still disagree |
//! | `tally` | counts of answers, reasons and times |

pub mod ask;
pub mod generate;
pub mod judge;
pub mod native;
pub mod oracle;
pub mod question;
pub mod shrink;
mod stopwatch;
pub mod table;
pub mod tally;
pub mod tree;
