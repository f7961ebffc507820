//! Tasks with known verdicts, run one process each: what is right, what is wrong, and the time and memory used.
//!
//! Data flows one way: inputs become [`BenchTask`]s, a [`Tool`] runs each in a process and yields a [`Row`], the rows
//! become a [`Summary`] and its texts. This crate reads files and starts processes; it prints nothing.
//!
//! | module | what is in it |
//! |---|---|
//! | `task` | a task: program, property, expected verdict |
//! | `definition` | SV-COMP's task definitions (`.yml`) |
//! | `list` | lists of tasks (`.tsv`) |
//! | `find` | from paths to tasks, and which of them to run |
//! | `tool` | the command for a task, for `check` and for any other verifier |
//! | `verdict` | what such a command said |
//! | `process` | one process under limits: how it ended, what it printed, its times and memory |
//! | `each` | work in parallel, results in order |
//! | `row` | the result of a task, and its score |
//! | `saved` | rows in a file |
//! | `summary`, `text` | rows as counts, scores and quantiles; these as text |
//! | `against` | two runs, compared |
//! | `cactus`, `plot` | curves in the terminal and as SVG |

pub mod against;
pub mod cactus;
mod definition;
pub mod each;
mod error;
pub mod find;
mod list;
pub mod plot;
pub mod process;
mod row;
pub mod saved;
pub mod summary;
mod task;
pub mod text;
pub mod tool;
mod verdict;

pub use each::each;
pub use error::Error;
pub use row::{Kind, Row, Took};
pub use summary::{Summary, at};
pub use task::{BenchTask, Expected, Id};
pub use tool::Tool;
pub use verdict::{ScoredVerdict, Texts, ToolAnswer, because};
