//! Main waits for ever, although other threads go round: in a strongly connected component of states that nothing leaves,
//! main never steps, nor does the thread that it is to join. `tp_machine::Wakers` says the same of a run.

use super::Pass;
use super::search::StateSearch;
use crate::Incomplete;
use crate::confirm::{Confirmation, confirm_main_waits};
use crate::explorer::Over;
use tp_ir::Property;
use tp_machine::{Attempt, ThreadNumber};

const MAIN: ThreadNumber = 0;

/// The threads that have stepped. Those with high numbers share a bit: they count as one that always steps.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
pub struct Movers(u64);

impl Movers {
    pub fn add(&mut self, thread: ThreadNumber) {
        self.0 |= 1 << thread.min(63);
    }

    pub fn add_all(&mut self, others: Movers) {
        self.0 |= others.0;
    }

    fn has(self, thread: ThreadNumber) -> bool {
        thread >= 63 || self.0 >> thread & 1 == 1
    }
}

impl StateSearch<'_, '_, '_> {
    /// The session is in a state of a component that nothing leaves, and in which these threads step. `Some`: the search
    /// begins again.
    pub fn look_at_main(&mut self, movers: Movers) -> Result<Option<Pass>, Over> {
        if !self.search.checks.has(Property::Deadlock) || movers.has(MAIN) || !self.session.is_alive(MAIN) {
            return Ok(None);
        }
        // Which of the interchangeable threads main joins makes a difference now.
        if self.visible.stop_exchanging() {
            return Ok(Some(Pass::Again));
        }
        let depth = self.session.depth();
        if self.waits_for_ever(movers) {
            match confirm_main_waits(self.search, self.session.trace()) {
                Confirmation::Fails(trace, finding) => self.result.found(trace, finding)?,
                Confirmation::Known => {}
                // Threads that were not followed may wake it.
                Confirmation::Nothing if self.bound.is_some() => {}
                Confirmation::Nothing => {
                    self.result.give_up(Incomplete::NotConfirmed(Property::Deadlock));
                }
            }
        }
        self.session.back_to(depth);
        Ok(None)
    }

    /// Whether main waits, and not for something from outside, nor to join a thread that steps.
    fn waits_for_ever(&mut self, movers: Movers) -> bool {
        let mut thread = MAIN;
        for _ in 0..self.session.threads() {
            self.tape.borrow_mut().begin(&[]);
            if self.session.attempt(thread) != Attempt::Waits || self.session.waits_for_outside(thread) {
                return false;
            }
            match self.session.joins(thread) {
                Some(joined) if movers.has(joined) || !self.session.is_alive(joined) => return false,
                Some(joined) => thread = joined,
                None => return true,
            }
        }
        // They join each other, which is a wait cycle.
        false
    }
}
