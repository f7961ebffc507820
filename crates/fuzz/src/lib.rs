//! Random multithreaded programs, about which all engines have to say the same, and whose compiled form must do nothing
//! that the explorer calls impossible.
//!
//! | module | what is in it |
//! |---|---|
//! | `generate` | small random C programs that end |
//! | `question`, `table` | what is asked about a program; who is asked what: one line for each engine |
//! | `ask`, `stopwatch` | how each is asked, and how long it works |
//! | `oracle` | every execution of a program, by `explore`: whether anything fails, what comes out |
//! | `judge` | whether those who were asked agree |
//! | `native` | the program as the system's compiler sees it, many times under stress |
//! | `shrink`, `tree` | a smaller program about which they still disagree |
//! | `tally` | how often what was said |

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
