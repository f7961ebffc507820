//! Executes each thread of a program symbolically, into guarded events.

mod events;

pub use events::*;

use std::sync::atomic::AtomicBool;
use tp_ir::Program;

/// What is done at a call of a function without body and model.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Unmodelled {
    /// It is a limit that names the function.
    #[default]
    Stop,
    /// It returns any value and changes nothing.
    Pure,
}

pub struct Config<'a> {
    /// How often a loop whose end is not decided goes round, and how deep such a recursion goes; at least 1.
    pub bound: u32,
    /// Which properties are claims; of the others, those that end a run stop the thread there.
    pub checks: tp_ir::Checks,
    pub unmodelled: Unmodelled,
    /// Instructions to execute at most.
    pub max_instructions: u64,
    /// Set from outside to give up.
    pub stop: &'a AtomicBool,
}

/// Why there is no unfolding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Stopped from outside.
    Stopped,
    /// More instructions than allowed.
    TooLarge,
}

pub fn unfold(program: &Program, config: &Config<'_>) -> Result<Unfolded, Refusal> {
    let _ = (program, config);
    Err(Refusal::TooLarge)
}
