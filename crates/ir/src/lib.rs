//! The representation that every part of Threadproof works on: a small typed SSA language with threads.
//!
//! | module | what is in it |
//! |---|---|
//! | `ids`, `types`, `inst`, `memory_order`, `program` | the data |
//! | `effect` | what models do, as attributes in their sources say |
//! | `property`, `checks` | what can go wrong, with the words users see; which properties are checked |
//! | `eval`, `rules` | what the operators compute, and when they break a rule of C, written once for every engine |
//! | `step` | what a step is, which accesses other threads can observe, the memory order in a section, written once |
//! | `visit` | the operands, results and targets of an instruction, with the types they must have |
//! | `words`, `print`, `parse` | the textual form; it keeps everything |
//! | `validate` | what a well-formed program is; all other parts rely on it |
//! | `cfg`, `dominators`, `loops` | control flow of a function: edges, reachable blocks, dominators, the loop forest |
//! | `promote` | local variables become registers; the others are marked if no other thread can reach them |
//! | `options` | fixes options of the models, and removes the code that they switch off |
//! | `pure` | functions without a body get one that returns inputs |
//! | `missing` | functions that the program uses and nobody defines |
//! | `names` | the part of an object at an offset, as the source names it |
//!
//! A function is a list of blocks with parameters; registers are assigned once; constants live in one pool of the
//! program. There is one blocking construct, `Await`, inside an atomic step. The crate reads no files and prints
//! nothing.

pub mod cfg;
mod checks;
pub mod dominators;
mod effect;
pub mod eval;
mod ids;
mod inst;
pub mod loops;
mod memory_order;
mod missing;
mod names;
mod options;
pub mod parse;
mod print;
mod program;
mod promote;
mod property;
mod pure;
pub mod rules;
mod step;
mod types;
pub mod validate;
mod visit;
mod words;

pub use checks::Checks;
pub use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
pub use effect::{LockKind, ModelEffect, NameWord, Names, SyncEffect};
pub use ids::*;
pub use inst::*;
pub use memory_order::MemoryOrder;
pub use missing::{MissingFunction, missing_functions};
pub use names::describe_offset;
pub use options::{
    CANCEL, CLOCK, FILES, REUSE, REUSE_IDS, SEEDS, SENDS, SIGNALS, SPECIAL, THREADS, decide_option,
};
pub use parse::{ParseError, parse};
pub use print::print_function;
pub use program::*;
pub use promote::promote;
pub use property::Property;
pub use pure::assume_pure;
pub use step::Reach;
pub use types::{DataModel, Type, Width};
pub use validate::{Invalid, validate};
pub use visit::Expect;
