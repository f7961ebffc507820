//! Explores a program by executing it.

mod explorer;
mod memo;
mod path;
mod races;
mod tape;
mod touches;
mod tree;

use explorer::{Explorer, Over};
use std::cell::RefCell;
use std::sync::atomic::AtomicBool;
use tape::{Reader, Tape};
use tp_ir::{Checks, Op, Order, Program, Property};
use tp_machine::{Config, End, Finding, Session, Trace};

/// What an exploration may use.
pub struct Limits<'a> {
    /// Steps, jumps and calls of one execution.
    pub max_steps: u64,
    pub max_executions: u64,
    /// Bytes of the program's memory.
    pub max_memory: u64,
    /// Nested calls of one thread.
    pub max_depth: usize,
    /// Set from outside to end it early.
    pub stop: &'a AtomicBool,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// Every execution was explored, and none violates anything.
    Holds,
    /// One that does.
    Violation(Trace, Box<Finding>),
    /// Not everything was explored, and why.
    Unknown(String),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Exploration {
    pub outcome: Outcome,
    /// Executions to their end, no two of which differ only in the order of independent steps.
    pub traces: u64,
    /// Those of them in which a thread waits at the end, or has stopped at an assumption.
    pub blocked: u64,
    /// Executions that were given up because they were found to be like others.
    pub redundant: u64,
    /// Steps executed for the first time; those that lead to where an execution parts from the one before do not count.
    pub steps: u64,
}

impl Exploration {
    pub fn executions(&self) -> u64 {
        self.traces + self.redundant
    }

    fn give_up(&mut self, reason: &str) {
        if self.outcome == Outcome::Holds {
            self.outcome = Outcome::Unknown(reason.to_owned());
        }
    }
}

/// Whoever wants to know what an exploration does.
pub trait Visitor {
    /// This was explored so far; called now and then.
    fn progress(&mut self, _so_far: &Exploration) {}

    /// An execution came to its end; the step that ends the program is missing.
    fn execution(&mut self, _trace: &Trace) {}
}

/// Wants to know nothing.
impl Visitor for () {}

/// Explores all executions, up to the order of independent steps.
pub fn explore(
    program: &Program,
    checks: Checks,
    limits: &Limits<'_>,
    visitor: &mut dyn Visitor,
) -> Exploration {
    let mut result = Exploration { outcome: Outcome::Holds, traces: 0, blocked: 0, redundant: 0, steps: 0 };
    let tape = RefCell::new(Tape::default());
    // Inputs that are asked for before the first step: each choice begins an exploration of its own.
    let mut beginnings = vec![Vec::new()];
    while let Some(given) = beginnings.pop() {
        if explore_from(program, checks, limits, &tape, &given, &mut beginnings, &mut result, visitor)
            .is_err()
        {
            break;
        }
    }
    if let Some(name) = tape.into_inner().sampled {
        result.give_up(&format!("not all values of the input `{name}` were tried"));
    }
    result
}

fn explore_from(
    program: &Program,
    checks: Checks,
    limits: &Limits<'_>,
    tape: &RefCell<Tape>,
    given: &[u128],
    beginnings: &mut Vec<Vec<u128>>,
    result: &mut Exploration,
    visitor: &mut dyn Visitor,
) -> Result<(), Over> {
    // Where all atomics synchronise, a race is there when two accesses come right after one another: no clocks needed.
    let on_the_way = if has_weak_atomics(program) { checks } else { checks.without(Property::Race) };
    let config = Config {
        checks: on_the_way,
        max_steps: limits.max_steps,
        max_memory: limits.max_memory,
        max_depth: limits.max_depth,
        stop: limits.stop,
        record_events: false,
    };
    let mut reader = Reader(tape);
    tape.borrow_mut().begin(given);
    let session = Session::new(program, &config, &mut reader);
    beginnings.extend(tape.borrow().alternatives(given.len()));
    match session {
        Ok(session) => Explorer::new(program, session, tape, checks, limits, result, visitor).run(),
        Err(end) => {
            result.traces += 1;
            match *end {
                End::Violation(finding) => {
                    result.outcome = Outcome::Violation(Trace::default(), finding);
                    Err(Over)
                }
                End::Exited { .. } | End::Assumption => Ok(()),
                _ => {
                    result.give_up("the program cannot be started");
                    Err(Over)
                }
            }
        }
    }
}

/// Whether a value can pass from thread to thread through an atomic without what was written before it.
fn has_weak_atomics(program: &Program) -> bool {
    let weak = |op: &Op| match op {
        Op::Load { order, .. } => !matches!(order, Order::Plain | Order::Acquire | Order::SeqCst),
        Op::Store { order, .. } => !matches!(order, Order::Plain | Order::Release | Order::SeqCst),
        Op::Rmw { order, .. } => !matches!(order, Order::AcqRel | Order::SeqCst),
        Op::CmpXchg { success, failure, .. } => {
            !matches!(success, Order::AcqRel | Order::SeqCst)
                || !matches!(failure, Order::Acquire | Order::SeqCst)
        }
        Op::Fence { .. } => true,
        _ => false,
    };
    let bodies = program.functions.values().filter_map(|f| f.body.as_ref());
    bodies.flat_map(|b| b.blocks.values()).flat_map(|b| &b.insts).any(|i| weak(&i.op))
}
