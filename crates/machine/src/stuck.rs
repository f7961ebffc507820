//! Livelocks: every thread that can step loops for ever, and nothing changes any more.
//!
//! When nothing has changed for a while, every thread that can step is copied. If each of them returns to the state of
//! its copy, and nothing has changed in between, each will do so again: a thread's behaviour depends only on memory and
//! its own state. A store of the value that is there already is no change. Nor is taking or releasing a mutex: who polls
//! a variable under a mutex waits like one who polls an atomic, and is where it was before with the same locks. Trying
//! to take one is a change, since it may fail in one round and succeed in the next.

use crate::cause::Stuck;
use crate::finding::{Cause, Finding};
use crate::machine::Machine;
use crate::thread::Thread;
use crate::trace::ThreadNumber;
use tp_ir::{Property, SyncEffect};

/// Steps without a change, times the threads that have not ended, before the search for a livelock begins.
const PATIENCE: u64 = 4;

/// Everything that can change, except the threads that can step.
#[derive(Copy, Clone, PartialEq, Eq, Default)]
struct ObservedState {
    memory: u64,
    inputs: usize,
    threads: ThreadNumber,
    ended: usize,
}

#[derive(Default)]
pub(crate) struct LivelockWatch<'p> {
    /// State at the last change, and the step count then.
    since: ObservedState,
    begin: u64,
    /// Copies of the threads that have not returned to the state of their copy since.
    apart: Vec<Thread<'p>>,
    /// The next copies are made then.
    next: u64,
}

impl<'p> Machine<'p, '_> {
    /// A step was tried, and perhaps taken. The finding, if all threads that can step loop for ever from now on.
    /// `sync`: what the step did to a lock.
    pub(crate) fn check_livelock(
        &mut self,
        slot: usize,
        taken: bool,
        sync: Option<SyncEffect>,
    ) -> Option<Finding> {
        if !self.config.checks.has(Property::Stuck) {
            return None;
        }
        let now = ObservedState {
            memory: self.state.memory.changes(),
            inputs: self.state.trace.inputs.len(),
            threads: self.state.next_number,
            ended: self.state.ended.iter().flatten().count(),
        };
        // Waiting threads count as well: which threads have tried and wait is not in the trace, so a replay may differ.
        let patience = PATIENCE * self.state.threads.iter().flatten().count() as u64;
        if !taken {
            // The attempt was undone, so its writes are no change.
            self.watch.livelock.since.memory = now.memory;
            // A thread that sleeps has not come back to where it was: it has not moved.
            let sleeps =
                self.state.threads[slot].as_ref().is_some_and(|t| self.state.resting.contains(&t.number));
            return if sleeps { None } else { self.find_livelock(slot) };
        }
        if let Some(SyncEffect::Lock(..) | SyncEffect::Unlock(..)) = sync {
            self.watch.livelock.since.memory = now.memory;
        }
        if now != self.watch.livelock.since || matches!(sync, Some(SyncEffect::Try(..))) {
            let begin = self.state.steps;
            self.watch.livelock =
                LivelockWatch { since: now, begin, next: begin + patience, apart: Vec::new() };
            return None;
        }
        if self.state.steps >= self.watch.livelock.next {
            let threads = self.state.enabled_slots.iter().filter_map(|&s| self.state.threads[s].as_deref());
            self.watch.livelock.apart = threads.map(copy_of).collect();
            self.watch.livelock.next = 2 * self.watch.livelock.next - self.watch.livelock.begin;
            return None;
        }
        self.find_livelock(slot)
    }

    /// The finding, if every copied thread has returned to the state of its copy, or waits.
    fn find_livelock(&mut self, slot: usize) -> Option<Finding> {
        if self.watch.livelock.apart.is_empty() {
            return None;
        }
        let (threads, enabled) = (&self.state.threads, &self.state.enabled);
        self.watch.livelock.apart.retain(|before| {
            let same = before.entry == slot
                && threads[slot].as_ref().is_some_and(|t| t.same_point(before) && t.regs == before.regs);
            !same && enabled.binary_search(&before.number).is_ok()
        });
        // If no thread loops, all wait, which is a deadlock.
        let is_stuck = self.watch.livelock.apart.is_empty()
            && !self.state.enabled.is_empty()
            && self.state.cut.is_none();
        if is_stuck { self.stuck() } else { None }
    }

    /// `None`: no thread can step.
    fn stuck(&self) -> Option<Finding> {
        let mut all: Vec<&Thread<'p>> = self.state.threads.iter().flatten().map(|t| &**t).collect();
        all.sort_by_key(|t| t.number);
        let (spinning, waiting): (Vec<_>, Vec<_>) = all.into_iter().partition(|t| self.is_enabled(t.number));
        let (first, others) = spinning.split_first()?;
        let stuck = Stuck {
            others: others.iter().map(|t| self.moment(t)).collect(),
            waiting: waiting.iter().map(|t| self.waiting_thread(t, first)).collect(),
        };
        Some(Finding { property: Property::Stuck, at: self.moment(first), cause: Cause::Stuck(stuck) })
    }
}

fn copy_of<'p>(thread: &Thread<'p>) -> Thread<'p> {
    let mut copy = Thread::new(thread.number, thread.entry);
    copy.assign(thread);
    copy
}
