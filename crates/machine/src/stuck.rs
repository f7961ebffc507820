//! Livelocks: every thread that can step loops for ever, and nothing changes any more.
//!
//! When nothing has changed for a while, every thread is copied. If each of them returns to the state of its copy, or has
//! to wait, and nothing has changed in between, each will do so again: a thread's behaviour depends only on memory and
//! its own state. A store of the value that is there already is no change.
//!
//! Nor is taking or releasing a lock: who polls a variable under a mutex waits like one who polls an atomic, and is where
//! it was before with the same locks. But a thread that waits for a lock that another one takes and releases in each
//! round does not wait for ever: it has to return to the state of its copy as well. Trying to take a lock is a change,
//! since it may fail in one round and succeed in the next.
//!
//! Nor are changes to a local that no other thread has accessed: what lies in it belongs to the state of its thread.
//!
//! Which threads have tried to step and wait is not in the trace. So nothing here depends on it but whether threads that
//! have not returned wait now, and a trace ends with an attempt of each (`record_waiting`).

use crate::cause::Stuck;
use crate::digest::Hasher;
use crate::finding::{Cause, Finding};
use crate::machine::Machine;
use crate::memory::{Memory, ObjectState};
use crate::thread::Thread;
use crate::trace::ThreadNumber;
use crate::value::{ObjectRef, Value};
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
    apart: Vec<ThreadCopy<'p>>,
    /// Threads whose copies are not needed any more; the next ones are made in their memory.
    unused: Vec<Thread<'p>>,
    /// Changes to locals up to the last step or attempt, and whether a step has made one since.
    locals: u64,
    locals_changed: bool,
    /// The objects with locks that were taken or released since.
    relocked: Vec<ObjectRef>,
    /// The next copies are made then.
    next: u64,
}

/// A thread as it was, with a hash of what lay in its locals.
struct ThreadCopy<'p> {
    thread: Thread<'p>,
    locals: u128,
}

impl<'p> LivelockWatch<'p> {
    /// Something has changed.
    fn begin_anew(&mut self, now: ObservedState, steps: u64, patience: u64) {
        self.since = now;
        self.begin = steps;
        self.next = steps + patience;
        self.locals_changed = false;
        self.relocked.clear();
        self.unused.extend(self.apart.drain(..).map(|copy| copy.thread));
    }

    /// Copies all threads that go on. The next copies are made after twice as many steps.
    fn copy<'t>(&mut self, threads: impl Iterator<Item = &'t Thread<'p>>, memory: &Memory)
    where
        'p: 't,
    {
        self.unused.extend(self.apart.drain(..).map(|copy| copy.thread));
        for thread in threads {
            let mut copy = self.unused.pop().unwrap_or_else(|| Thread::new(thread.number, thread.entry));
            copy.assign(thread);
            self.apart.push(ThreadCopy { thread: copy, locals: hash_of_locals(thread, memory) });
        }
        self.relocked.clear();
        self.next = 2 * self.next - self.begin;
    }

    /// A step that takes or releases a lock writes these objects.
    pub fn relocks(&mut self, written: &[ObjectRef]) {
        if !self.apart.is_empty() {
            let new = written.iter().filter(|r| !self.relocked.contains(r)).copied().collect::<Vec<_>>();
            self.relocked.extend(new);
        }
    }
}

impl<'p> Machine<'p, '_> {
    /// A step was tried, and perhaps taken. The finding, if all threads that can step loop for ever from now on.
    pub(crate) fn check_livelock(&mut self, slot: usize, taken: bool) -> Option<Finding> {
        if !self.config.checks.has(Property::Stuck) {
            return None;
        }
        let now = ObservedState {
            memory: self.state.memory.changes(),
            inputs: self.state.trace.inputs.len().wrapping_sub(self.unwritten),
            threads: self.state.next_number,
            ended: self.state.ended.iter().flatten().count(),
        };
        let locals =
            std::mem::replace(&mut self.watch.livelock.locals, self.state.memory.changes_of_locals());
        if !taken {
            // The attempt was undone, so its writes are no change.
            self.watch.livelock.since.memory = now.memory;
            // A thread that sleeps has not come back to where it was: it has not moved.
            let sleeps =
                self.state.threads[slot].as_ref().is_some_and(|t| self.state.resting.contains(&t.number));
            return if sleeps { None } else { self.find_livelock(None) };
        }
        self.watch.livelock.locals_changed |= locals != self.watch.livelock.locals;
        let sync = self.pending.sync;
        if let Some(SyncEffect::Lock(..) | SyncEffect::Unlock(..)) = sync {
            self.watch.livelock.since.memory = now.memory;
        }
        let is_other = now != self.watch.livelock.since || matches!(sync, Some(SyncEffect::Try(..)));
        if self.see_locals_of_others() || is_other {
            // Waiting threads count as well: which threads have tried and wait is not in the trace, so a replay may differ.
            let patience = PATIENCE * self.state.threads.iter().flatten().count() as u64;
            self.watch.livelock.begin_anew(now, self.state.steps, patience);
            return None;
        }
        if self.state.steps >= self.watch.livelock.next {
            let threads = self.state.threads.iter().flatten().filter(|t| !t.stopped);
            self.watch.livelock.copy(threads.map(|t| &**t), &self.state.memory);
            return None;
        }
        self.find_livelock(Some(slot))
    }

    /// The step that was taken may have accessed locals of other threads. Whether one of them is new; its changes were not
    /// counted so far.
    fn see_locals_of_others(&mut self) -> bool {
        if self.pending.others_locals.is_empty() {
            return false;
        }
        let mut is_new = false;
        for r in self.pending.others_locals.drain(..) {
            is_new |= self.state.memory.see_local(r);
        }
        is_new
    }

    /// The finding, if every copied thread has returned to the state of its copy, or waits for ever. `moved`: has taken a
    /// step.
    fn find_livelock(&mut self, moved: Option<usize>) -> Option<Finding> {
        if self.watch.livelock.apart.is_empty() {
            return None;
        }
        let (threads, memory) = (&self.state.threads, &self.state.memory);
        if let Some(slot) = moved {
            let has_returned = |before: &mut ThreadCopy<'p>| {
                let is_mover = before.thread.entry == slot;
                is_mover && threads[slot].as_deref().is_some_and(|t| before.is_state_of(t, memory))
            };
            let LivelockWatch { apart, unused, .. } = &mut self.watch.livelock;
            let count = apart.len();
            unused.extend(apart.extract_if(.., has_returned).map(|copy| copy.thread));
            // A step that leads to no earlier state makes nobody wait.
            if apart.len() == count {
                return None;
            }
        }
        // Only when all others have gone round it is known which locks they take and release.
        let others_wait =
            self.watch.livelock.apart.iter().all(|before| self.waits_for_ever(before.thread.entry));
        // If no thread loops, all wait, which is a deadlock.
        let is_stuck = others_wait && !self.state.enabled.is_empty() && self.state.cut.is_none();
        if is_stuck { self.stuck() } else { None }
    }

    /// Whether a thread waits, and not just for a lock that a looping thread holds now and will release, nor for a change of a
    /// local that another thread changes.
    fn waits_for_ever(&self, slot: usize) -> bool {
        let Some(thread) = &self.state.threads[slot] else { return true };
        let is_held = |r: &ObjectRef| {
            let others = self.state.threads.iter().flatten().filter(|t| t.number != thread.number);
            others.flat_map(|t| &t.held).any(|held| held.lock.object() == Some(*r))
        };
        let LivelockWatch { relocked, locals_changed, .. } = &self.watch.livelock;
        let may_change = |r: &ObjectRef| {
            *locals_changed && self.state.memory.object(*r).is_local_of_another(thread.number)
        };
        let may_end = |r: &ObjectRef| relocked.contains(r) && is_held(r) || may_change(r);
        !self.is_enabled(thread.number) && !thread.watches.iter().any(may_end)
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

impl<'p> ThreadCopy<'p> {
    /// Whether the thread is in this state again. Its locals may be other objects now, in calls that it has made again.
    fn is_state_of(&self, now: &Thread<'p>, memory: &Memory) -> bool {
        let before = &self.thread;
        let place = |t: &Thread<'p>, r: ObjectRef| t.locals.iter().position(|local| *local == r);
        let is_same = |a: &Value, b: &Value| {
            let is_same_local =
                |a: ObjectRef, b: ObjectRef| place(before, a).is_some() && place(before, a) == place(now, b);
            a == b || a.bits == b.bits && a.object().zip(b.object()).is_some_and(|(a, b)| is_same_local(a, b))
        };
        now.same_place(before)
            && now.regs.len() == before.regs.len()
            && before.regs.iter().zip(&now.regs).all(|(a, b)| is_same(a, b))
            && hash_of_locals(now, memory) == self.locals
    }
}

/// What lies in the locals of a thread. They count by their places among them.
fn hash_of_locals(thread: &Thread<'_>, memory: &Memory) -> u128 {
    let mut hash = Hasher::new();
    for &r in thread.locals.iter().filter(|r| memory.is_live(**r)) {
        let object = memory.object(r);
        hash.add(object.base);
        if object.state != ObjectState::Live {
            continue;
        }
        memory.hash_contents(r, &mut hash);
        for (word, bits, to) in memory.pointers_at(r) {
            let local = thread.locals.iter().position(|local| *local == to);
            hash.add(word as u64);
            hash.add(bits);
            hash.add(local.map_or(memory.object(to).key, |i| i as u64));
        }
    }
    hash.finish()
}
