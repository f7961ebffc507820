//! Where threads stand after their steps, as far as the search has to know it.
//!
//! What a thread does is decided by what it has read (`State`). So a step that the machine has executed once is taken
//! without it the next time; the machine stays behind and catches up when it is asked for something new.

use crate::explorer::{Explorer, Over};
use crate::memo::ReadFingerprint;
use crate::path::Path;
use crate::wakeup_tree::Branch;
use std::rc::Rc;
use tp_machine::{NextStepKind, ThreadNumber};

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ThreadStatus {
    /// It is about to take a step.
    Runs,
    /// Its next step ends the program.
    Exits,
    /// It will never step again, though it has not ended.
    Stopped,
    Ended,
}

#[derive(Copy, Clone, Debug)]
pub struct ThreadPosition {
    pub life: ThreadStatus,
    /// Whether what its next step touches, or whether it is enabled, depends on what it reads. Accesses in loops count
    /// as varying: the iteration may turn out to change nothing.
    pub varying: bool,
    /// A fingerprint of the place in the program, registers aside.
    pub place: u64,
}

/// What a step leads to.
#[derive(Debug)]
pub struct After {
    pub stand: ThreadPosition,
    /// The threads that it started.
    pub started: Vec<ThreadPosition>,
    /// The steps, jumps and calls that it uses.
    pub cost: u64,
}

impl Explorer<'_, '_, '_> {
    /// Where a thread of the machine stands.
    pub fn stand_of(&mut self, thread: ThreadNumber) -> ThreadPosition {
        let kind = self.session.next_step_kind(thread);
        let life = match kind {
            None => ThreadStatus::Ended,
            Some(_) if !self.session.is_alive(thread) => ThreadStatus::Stopped,
            Some(NextStepKind::Exit) => ThreadStatus::Exits,
            Some(_) => ThreadStatus::Runs,
        };
        let varying = life == ThreadStatus::Runs && self.is_varying(thread);
        ThreadPosition { life, varying, place: self.session.place(thread) }
    }

    /// What the step that the machine has just taken led to; `left` and `threads` are from before the step.
    pub fn after(&mut self, thread: ThreadNumber, left: u64, threads: ThreadNumber) -> Rc<After> {
        let stand = self.stand_of(thread);
        let started = (threads..self.session.threads()).map(|t| self.stand_of(t)).collect();
        Rc::new(After { stand, started, cost: left - self.session.left() })
    }

    /// Takes a step of which everything is known; `Some(false)`: it has to wait; `None`: the machine has to be asked.
    pub fn take_known(
        &mut self,
        thread: ThreadNumber,
        given: &[u128],
        state: ReadFingerprint,
        tree: &mut Vec<Branch>,
    ) -> Result<Option<bool>, Over> {
        let depth = self.path.len();
        let Some(answer) = self.memo.find(state, &self.path, None) else { return Ok(None) };
        let Some(step) = answer.steps().find(|s| s.label[..] == *given) else {
            if answer.step.is_none() {
                let waits = answer.clone();
                self.races_of_an_iteration(&waits)?;
                self.nodes[depth].waiting.push(Rc::new(waits));
                return Ok(Some(false));
            }
            return Ok(None);
        };
        if !step.label.is_empty() && !self.nodes[depth].varied.contains(&thread) {
            return Ok(None);
        }
        let next = state.after(step);
        let Some(after) = self.memo.after(next) else { return Ok(None) };
        if self.path.cost() + after.cost > self.allowed {
            return Ok(None);
        }
        let step = step.clone();
        self.push(step, next, after, std::mem::take(tree))?;
        Ok(Some(true))
    }
}

impl Path {
    /// Whether an event may have left memory unchanged. The first write to some bytes may: what they held is not known.
    pub fn may_be_pure(&self, at: usize) -> bool {
        let event = &self.events[at];
        let changes = |i: usize| {
            let touch = &event.step.touches.list[i];
            let own = event.step.touches.list[..i].iter().any(|t| t.writes && t.overlaps(touch));
            touch.writes && !own && self.before_event(at, touch).is_some_and(|old| old != touch.left)
        };
        event.step.label.is_empty()
            && event.after.started.is_empty()
            && !(0..event.step.touches.list.len()).any(changes)
    }
}
