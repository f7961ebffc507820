//! Every interleaving with at most so many context switches, one after the other, without any reduction.
//!
//! What optimal reduction explores, one execution of each class, may have more switches than another one of the class. So
//! where switches are bounded, `explore` is this plain search. It is slow, and simple enough to judge the others by: a node is
//! a step, its children are the steps of all threads that can step, and whoever is not the active thread costs a switch. A loop
//! in which a thread only reads is followed for one iteration; other loops are followed as long as they go on.

use crate::confirm::{Confirmation, confirm_stuck};
use crate::explorer::Over;
use crate::tape::Tape;
use crate::{Exploration, Incomplete, Search, Visitor, ends};
use std::cell::RefCell;
use std::sync::atomic::Ordering;
use tp_ir::Property;
use tp_machine::{Attempt, Session, ThreadNumber};

/// The most steps of a loop iteration that is recognised as only waiting.
const LONGEST_ITERATION: usize = 32;

/// The execution before its next step.
struct Node {
    active: ThreadNumber,
    switches: u32,
    /// Threads that were not tried, with the inputs that they are given.
    open: Vec<(ThreadNumber, Vec<u128>)>,
    waiting: Vec<ThreadNumber>,
    spins: bool,
    /// Some thread can step.
    is_left: bool,
}

pub(crate) struct BoundedSearch<'e, 'p, 'r> {
    search: Search<'p>,
    session: Session<'p, 'r>,
    tape: &'e RefCell<Tape>,
    bound: u32,
    result: &'e mut Exploration,
    visitor: &'e mut dyn Visitor,
    path: Vec<Node>,
}

impl<'e, 'p, 'r> BoundedSearch<'e, 'p, 'r> {
    pub fn new(
        (search, bound): (Search<'p>, u32),
        session: Session<'p, 'r>,
        tape: &'e RefCell<Tape>,
        result: &'e mut Exploration,
        visitor: &'e mut dyn Visitor,
    ) -> BoundedSearch<'e, 'p, 'r> {
        BoundedSearch { search, session, tape, bound, result, visitor, path: Vec::new() }
    }

    pub fn run(mut self) -> Result<(), Over> {
        self.enter(0, 0)?;
        while let Some(depth) = self.path.len().checked_sub(1) {
            match self.path[depth].open.pop() {
                Some((thread, given)) => {
                    self.session.back_to(depth);
                    self.step(thread, &given)?;
                }
                None => {
                    self.leave(depth)?;
                    self.path.pop();
                }
            }
        }
        if self.session.has_guessed() {
            self.result.give_up(Incomplete::UnwrittenBits);
        }
        if self.session.has_ordered_objects() {
            self.result.give_up(Incomplete::OrderOfObjects);
        }
        Ok(())
    }

    fn enter(&mut self, active: ThreadNumber, switches: u32) -> Result<(), Over> {
        self.result.steps += 1;
        self.result.threads = self.result.threads.max(self.session.threads());
        if self.result.steps.is_multiple_of(4096) {
            self.visitor.progress(self.result);
        }
        if self.search.limits.stop.load(Ordering::Relaxed) {
            self.result.give_up(Incomplete::Stopped);
            return Err(Over);
        }
        if self.result.traces >= self.search.limits.max_executions {
            self.result.give_up(Incomplete::MoreExecutions(self.result.traces));
            return Err(Over);
        }
        let mut open: Vec<_> = (0..self.session.threads()).rev().map(|t| (t, Vec::new())).collect();
        open.retain(|(t, _)| self.session.is_alive(*t));
        open.sort_by_key(|(t, _)| *t == active);
        self.path.push(Node { active, switches, open, waiting: Vec::new(), spins: false, is_left: false });
        Ok(())
    }

    /// Lets a thread step, if the bound allows that, or only looks whether it could.
    fn step(&mut self, thread: ThreadNumber, given: &[u128]) -> Result<(), Over> {
        let depth = self.session.depth();
        self.tape.borrow_mut().begin(given);
        let attempt = self.session.attempt(thread);
        let others = self.tape.borrow().alternatives(given.len());
        let Some(node) = self.path.last_mut() else { return Ok(()) };
        let switches = node.switches + u32::from(node.active != thread);
        let has_turn = switches <= self.bound;
        node.open.extend(others.into_iter().map(|given| (thread, given)));
        match attempt {
            Attempt::Waits => node.waiting.push(thread),
            Attempt::Spins => node.spins = true,
            Attempt::Ends(end) if ends::is_deadlock(&end) => {
                node.waiting.push(thread);
                self.result.traces += 1;
                ends::ended(self.search, self.session.trace(), *end, self.result)?;
            }
            Attempt::Taken | Attempt::Ends(_) if !has_turn => {
                node.is_left = true;
                self.result.is_cut = true;
            }
            Attempt::Taken => {
                if self.is_iteration(thread, depth) {
                    self.path[depth].spins = true;
                } else {
                    self.path[depth].is_left = true;
                    self.enter(thread, switches)?;
                }
            }
            Attempt::Ends(end) => {
                node.is_left = true;
                self.result.traces += 1;
                ends::ended(self.search, self.session.trace(), *end, self.result)?;
            }
        }
        Ok(())
    }

    /// Whether the thread is where it was some steps ago, all of which were its own and changed nothing.
    fn is_iteration(&mut self, thread: ThreadNumber, depth: usize) -> bool {
        let first = depth.saturating_sub(LONGEST_ITERATION);
        for before in (first..=depth).rev() {
            let is_own = before == depth || self.path[before + 1].active == thread;
            if !is_own || !self.session.was_pure(before) {
                return false;
            }
            if self.session.same_as_before(before) {
                return true;
            }
        }
        false
    }

    /// All threads were tried.
    fn leave(&mut self, depth: usize) -> Result<(), Over> {
        let Some(node) = self.path.last() else { return Ok(()) };
        let (is_left, spins, waiting) = (node.is_left, node.spins, node.waiting.clone());
        self.session.back_to(depth);
        // Threads may wait for each other although others can step: the machine sees that when they try again.
        let looks = self.search.checks.has(Property::Deadlock) && waiting.len() > 1 || !is_left && !spins;
        for &thread in waiting.iter().filter(|_| looks) {
            self.tape.borrow_mut().begin(&[]);
            match self.session.attempt(thread) {
                Attempt::Ends(end) => {
                    ends::ended(self.search, self.session.trace(), *end, self.result)?;
                    break;
                }
                Attempt::Taken => break,
                Attempt::Waits | Attempt::Spins => {}
            }
        }
        if !is_left {
            self.result.traces += 1;
            if spins {
                self.stuck()?;
            } else {
                let end = self.session.nobody_can_step();
                ends::ended(self.search, self.session.trace(), end, self.result)?;
            }
        }
        self.session.back_to(depth);
        Ok(())
    }

    /// All threads wait for ever, some of them in loops.
    fn stuck(&mut self) -> Result<(), Over> {
        if !self.search.checks.has(Property::Stuck) {
            return Ok(());
        }
        match confirm_stuck(self.search, self.session.trace()) {
            Confirmation::Fails(trace, finding) => self.result.found(trace, finding),
            Confirmation::Known => Ok(()),
            Confirmation::Nothing => {
                self.result.give_up(Incomplete::NotConfirmed(Property::Stuck));
                Ok(())
            }
        }
    }
}
