//! One way to ask any engine: a `Task` goes in, a `Report` comes out.
//!
//! | module | what is in it |
//! |---|---|
//! | `task` | what is asked, and what may be used |
//! | `monitor` | watches an engine at work, and can stop it |
//! | `report` | what is answered: a status for each property, the failing run, the proof, counters, what it rests on |
//! | `table`, `choose` | the engines, a line each; which of them are asked about a program |
//! | `solve`, `explore` | the engines of `tp_engines` and `tp_explore`, behind this interface |
//! | `runs`, `steer` | the engine that runs the program many times; runs that aim at reads seeing other writes |
//! | `portfolio` | several engines in parallel |
//! | `stop`, `memory` | when work has to end |
//! | `ledger`, `facts`, `orders`, `unchecked` | what a verdict rests on |
//! | `execution`, `assumption` | a failing run repeated, and what it rests on |
//!
//! An engine joins by a line of `table::ENGINES`.

mod assumption;
mod choose;
mod execution;
mod explore;
mod facts;
mod ledger;
pub mod memory;
mod monitor;
mod orders;
mod portfolio;
mod report;
mod runs;
mod solve;
mod states;
mod steer;
mod stop;
mod table;
mod task;
mod unchecked;

pub use assumption::{Assumptions, verdict};
pub use choose::{Choice, ProgramShape, choose};
pub use execution::{Confirmed, Defect, Execution, ProgramOutput, RunConfig};
pub use facts::meaningful;
pub use ledger::{add_beside, of as ledger_of};
pub use monitor::Monitor;
pub use portfolio::{Answers, EngineReport, ask};
pub use report::{Basis, Counters, Failure, Reason, Report, Status};
pub use stop::{Stop, StopReason};
pub use table::{ENGINES, Engine, EngineKind};
pub use task::{Limits, Task};
