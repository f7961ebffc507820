//! Context switches along the path, where they are bounded: which thread is active, and which threads no longer get a turn.

use super::search::{Node, StateSearch};
use super::upcoming::upcoming;
use crate::ends::is_deadlock;
use crate::explorer::Over;
use tp_ir::Property;
use tp_machine::{Attempt, ThreadNumber};

/// Where an execution is in its contexts.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Context {
    /// The thread that has stepped last.
    pub active: ThreadNumber,
    /// How often another thread has stepped than before.
    pub switches: u32,
}

impl Context {
    /// After steps of this thread.
    pub fn then(self, thread: ThreadNumber) -> Context {
        let is_switch = self.active != thread;
        Context { active: thread, switches: self.switches.saturating_add(is_switch.into()) }
    }
}

impl StateSearch<'_, '_, '_> {
    /// Whether a thread may step after this context.
    pub fn has_turn(&self, context: Context, thread: ThreadNumber) -> bool {
        self.bound.is_none_or(|bound| context.then(thread).switches <= bound)
    }

    /// Threads get no turn in this state because of the bound. An execution that ends here in a deadlock has no more switches
    /// all the same: what these threads could do is looked at, and undone.
    pub fn look_at_cut_off(&mut self, node: &mut Node) -> Result<(), Over> {
        // A cycle of threads that wait for each other is new only if the active thread has begun to wait.
        let active = node.context.active;
        let may_close_cycle = self.search.checks.has(Property::Deadlock) && node.waiting.contains(&active);
        for thread in std::mem::take(&mut node.cut_off) {
            if self.result.is_cut && node.is_left && !may_close_cycle {
                break;
            }
            let relocks =
                upcoming(self.search.program, &self.session, thread).is_some_and(|next| next.relocks);
            self.tape.borrow_mut().begin(&[]);
            let attempt = self.session.attempt(thread);
            // With other inputs it may step.
            let asks = !self.tape.borrow().alternatives(0).is_empty();
            match attempt {
                // It waits, and closes a cycle of threads that wait for each other.
                Attempt::Ends(end) if is_deadlock(&end) => {
                    self.ended(*end)?;
                    node.waiting.push(thread);
                }
                Attempt::Waits if !asks => node.waiting.push(thread),
                Attempt::Spins if !asks => node.spins = true,
                Attempt::Taken if !asks => {
                    self.result.is_cut = true;
                    let is_shared = |key| self.visible.is_shared_local(key);
                    // It may be in a loop that waits.
                    match relocks || self.session.changed_only_locals(&is_shared) {
                        true => node.spins = true,
                        false => node.is_left = true,
                    }
                }
                _ => {
                    self.result.is_cut = true;
                    node.is_left = true;
                }
            }
            self.session.back_to(node.depth);
            node.may_move = true;
        }
        Ok(())
    }
}
