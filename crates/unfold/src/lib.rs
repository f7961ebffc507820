//! Executes each thread of a program symbolically, into guarded events (`tp_events`).
//!
//! | module | what is in it |
//! |---|---|
//! | `pass`, `knowledge`, `values`, `finish` | every thread executed once, with what earlier passes know of the others; until nothing is new |
//! | `state`, `store` | the path of a thread, and what it knows of memory |
//! | `exec`, `iterations` | functions block by block; paths that meet become one; loops go round within the bound |
//! | `op`, `calls`, `formats`, `numbers`, `copy` | instructions; what functions read that only write text |
//! | `parts`, `access`, `sharing`, `memory` | which cells an access is to; what is an event and what a thread knows without one |
//! | `cases`, `pointer`, `spots` | the values of a term when they are few; where it can point; which parts of objects an access is to |
//! | `ranks`, `reuse` | which of two objects comes first in memory; those that get the address of one that has ended |
//! | `lifetimes` | whether objects are still there: freed memory, locals of functions that have returned |
//! | `leaks` | memory that nothing points to when the program ends |
//! | `touches` | accesses that can be part of a data race |
//! | `steps`, `held` | atomic steps, waiting, starting threads, where paths meet; locks that a thread holds with others |
//!
//! The crate reads no files and prints nothing.

mod access;
mod calls;
mod cases;
mod copy;
mod exec;
mod finish;
mod formats;
mod held;
mod iterations;
mod knowledge;
mod leaks;
mod lifetimes;
mod memory;
mod numbers;
mod op;
mod parts;
mod pass;
mod pointer;
mod ranks;
mod reuse;
mod sharing;
mod spots;
mod state;
mod steps;
mod store;
mod touches;
mod values;

use tp_events::*;

use std::sync::atomic::AtomicBool;
use tp_ir::Program;
use tp_terms::Term;

pub struct Config<'a> {
    /// How often a loop whose end is not decided goes round, and how deep such a recursion goes; at least 1.
    pub bound: u32,
    /// The same for what the first thread does before there are others, if that is more.
    pub bound_alone: u32,
    /// Which properties are claims; of the others, those that end a run stop the thread there.
    pub checks: tp_ir::Checks,
    /// Instructions to execute at most.
    pub max_instructions: u64,
    /// Set from outside to give up.
    pub stop: &'a AtomicBool,
}

impl Config<'_> {
    /// The bound where the program has this state.
    fn bound_in(&self, state: &state::State) -> u32 {
        if state.concurrent { self.bound } else { self.bound.max(self.bound_alone) }
    }
}

/// Why there is no unfolding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Stopped from outside.
    Stopped,
    /// More instructions than allowed.
    TooLarge,
}

/// More passes than this are not made.
const MAX_PASSES: u32 = 200;

/// The stack of the thread that unfolds: calls of the program are calls here.
const STACK: usize = 1 << 30;

/// Executes a whole program, to one bound after the other. What one bound has shown of the cells holds for the next as well,
/// so that the next needs fewer passes.
pub struct Unfolder<'p> {
    program: &'p Program,
    know: knowledge::Knowledge,
}

impl<'p> Unfolder<'p> {
    pub fn new(program: &'p Program) -> Unfolder<'p> {
        Unfolder { program, know: knowledge::Knowledge::new(program.data_model) }
    }

    pub fn unfold(&mut self, config: &Config<'_>) -> Result<EventGraph, Refusal> {
        std::thread::scope(|scope| {
            let work = move || self.unfold_here(config);
            let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            match thread.map(|t| t.join()) {
                Ok(Ok(result)) => result,
                // Without memory for a stack, or after a fault of our own, there is no answer.
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
                Err(_) => Err(Refusal::TooLarge),
            }
        })
    }

    fn unfold_here(&mut self, config: &Config<'_>) -> Result<EventGraph, Refusal> {
        self.know.begin_bound();
        for _ in 0..MAX_PASSES {
            self.know.changed = false;
            self.know.pass += 1;
            let pass = pass::Pass::new(self.program, config, &mut self.know);
            let (unfolded, recut) = pass.run()?;
            if !self.know.changed && !recut {
                return Ok(unfolded.finish());
            }
        }
        Err(Refusal::TooLarge)
    }
}
