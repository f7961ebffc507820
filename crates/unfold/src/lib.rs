//! Executes each thread of a program symbolically, into guarded events (`tp_events`).
//!
//! | module | what is in it |
//! |---|---|
//! | `pass`, `knowledge`, `values`, `finish` | passes over all threads, to a fixpoint of what they know of each other |
//! | `state`, `store` | the path of a thread, and what it knows of memory |
//! | `exec`, `iterations` | functions block by block; paths that meet are merged; loops iterate up to the bound |
//! | `op`, `calls`, `formats`, `numbers`, `copy` | instructions; which memory `printf` and the like read |
//! | `parts`, `access`, `sharing`, `memory` | which cells an access touches; whether it is an event or already known |
//! | `cases`, `pointer`, `spots` | the values of a term, if few; its points-to set; what an access can touch |
//! | `ranks`, `reuse` | which of two objects comes first in memory; objects that get the address of a freed one |
//! | `lifetimes` | whether objects are still alive: freed memory, locals of functions that have returned |
//! | `leaks` | memory that nothing points to when the program ends |
//! | `touches` | accesses that can be part of a data race |
//! | `steps`, `held` | atomic steps, waiting, starting threads, merging paths; locks held in shared mode |
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

pub struct UnfoldConfig<'a> {
    /// Most iterations of a loop whose exit is not decided by constants, and depth of such a recursion; at least 1.
    pub bound: u32,
    /// The same while the first thread is still alone, if that is larger.
    pub bound_alone: u32,
    /// Which properties become claims. Violating another one is a limit if it ends the run, and is ignored otherwise.
    pub checks: tp_ir::Checks,
    /// Most instructions to execute in one pass.
    pub max_instructions: u64,
    /// Set from outside to give up.
    pub stop: &'a AtomicBool,
}

impl UnfoldConfig<'_> {
    /// The bound that applies in this state.
    fn bound_in(&self, state: &state::State) -> u32 {
        if state.concurrent { self.bound } else { self.bound.max(self.bound_alone) }
    }
}

/// Why there is no unfolding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Stopped from outside.
    Stopped,
    /// Too many instructions, cells, addresses or passes, or no memory for the stack.
    TooLarge,
}

/// Most passes for one bound.
const MAX_PASSES: u32 = 200;

/// The stack of the thread that unfolds, which recurses for each call of the program.
const STACK: usize = 1 << 30;

/// Executes a whole program, for increasing bounds. What one bound has learned about cells holds for the next as well,
/// which then needs fewer passes.
pub struct Unfolder<'p> {
    program: &'p Program,
    know: knowledge::Knowledge,
}

impl<'p> Unfolder<'p> {
    pub fn new(program: &'p Program) -> Unfolder<'p> {
        Unfolder { program, know: knowledge::Knowledge::new(program.data_model) }
    }

    pub fn unfold(&mut self, config: &UnfoldConfig<'_>) -> Result<EventGraph, Refusal> {
        std::thread::scope(|scope| {
            let work = move || self.unfold_here(config);
            let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            match thread.map(|t| t.join()) {
                Ok(Ok(result)) => result,
                // A panic of ours is passed on; without memory for the stack there is no unfolding.
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
                Err(_) => Err(Refusal::TooLarge),
            }
        })
    }

    fn unfold_here(&mut self, config: &UnfoldConfig<'_>) -> Result<EventGraph, Refusal> {
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
