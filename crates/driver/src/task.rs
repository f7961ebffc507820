//! What is asked of an engine, and what it may use.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tp_explore::ExploreLimits;
use tp_ir::{Checks, Program};
use tp_machine::{ContextBound, Identity, RunLimits};

/// A question: can the program do one of these things?
#[derive(Clone)]
pub struct Task {
    pub program: Arc<Program>,
    /// What is looked for.
    pub checks: Checks,
    /// Properties that may stay undecided: the others get their verdict all the same.
    pub may_stay_open: Checks,
    /// Findings that are known already, and passed over.
    pub known: Vec<Identity>,
    /// Leave a certificate when nothing fails.
    pub certify: bool,
    pub limits: Limits,
}

impl Task {
    /// Whether the program can do one of these things, with the usual limits.
    pub fn new(program: Arc<Program>, checks: Checks) -> Task {
        Task {
            program,
            checks,
            may_stay_open: Checks::NONE,
            known: Vec::new(),
            certify: false,
            limits: Limits::default(),
        }
    }
}

/// What an engine may use, time and its own memory aside.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The largest unwinding bound; `None`: as far as there is time for.
    pub max_unwind: Option<u32>,
    /// The most instructions to execute symbolically for one bound; a program that needs more is too large.
    pub max_instructions: u64,
    /// The most executions to explore.
    pub max_executions: u64,
    /// Runs under random schedules at most.
    pub max_runs: u64,
    /// The context switches of executions that are followed.
    pub contexts: ContextBound,
    /// `lazy` leaves out interleavings that make no difference.
    pub reduces: bool,
    /// `lazy` leaves the tree that it has gone through.
    pub draws: bool,
    pub run: RunLimits,
}

impl Limits {
    /// Those of an engine that explores executions or states, whatever the inputs.
    pub fn of_exploration<'a>(&self, stop: &'a AtomicBool) -> ExploreLimits<'a> {
        ExploreLimits {
            run: self.run,
            max_executions: self.max_executions,
            inputs_below: None,
            contexts: self.contexts,
            stop,
        }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            max_unwind: None,
            max_instructions: 100_000_000,
            max_executions: u64::MAX,
            max_runs: u64::MAX,
            contexts: ContextBound::None,
            reduces: true,
            draws: false,
            run: RunLimits::default(),
        }
    }
}
