//! The accesses of each thread's last transaction, and which of them a step conflicts with.

use super::upcoming::Site;
use std::rc::Rc;
use tp_machine::{LockKey, ThreadNumber, Touch, TrackedAccess, TrackedBytes};

/// An access of a thread's last transaction.
#[derive(Clone, Debug)]
pub struct Tracked {
    pub touch: Touch,
    pub bytes: TrackedBytes,
    pub site: Site,
    /// Of the first step of the transaction.
    pub is_first: bool,
    /// The locks that the thread held before the step.
    pub locks: Rc<[LockKey]>,
    /// The threads that were started since, or have locked what was held, as bits: it happens before everything that they do.
    pub known: u64,
}

impl Tracked {
    fn in_state(&self) -> TrackedAccess<'_> {
        let Tracked { bytes, is_first, known, locks, .. } = self;
        TrackedAccess { bytes: *bytes, is_first: *is_first, known: *known, locks }
    }
}

/// The accesses of the last transaction of each thread.
#[derive(Clone, Default)]
pub struct Recent {
    threads: Vec<Rc<Vec<Tracked>>>,
    /// Threads that have taken a step, as bits.
    moved: u64,
    /// Threads that have taken no step but the first, as bits.
    young: u64,
    /// For each thread, the set of interchangeable threads that it belongs to.
    sets: Rc<Vec<Option<u32>>>,
    /// Threads that have ended and were not joined. Both follow from the state.
    ended: u64,
    /// What their ends have touched.
    ends: Rc<Vec<(u64, Touch)>>,
}

impl Recent {
    /// A thread begins a transaction.
    pub fn clear(&mut self, thread: ThreadNumber) {
        let slot = thread as usize;
        if self.threads.len() <= slot {
            self.threads.resize(slot + 1, Rc::default());
        }
        self.threads[slot] = Rc::default();
    }

    /// The thread has ended it after this many steps, with these accesses.
    pub fn set(&mut self, thread: ThreadNumber, accesses: Vec<Tracked>, steps: usize) {
        self.threads[thread as usize] = Rc::new(accesses);
        let bit = bit(thread).unwrap_or(0);
        self.young = if self.moved & bit == 0 && steps == 1 { self.young | bit } else { self.young & !bit };
        self.moved |= bit;
    }

    /// Whether a thread has to wait until an interchangeable one, which was started earlier, has taken its first step after
    /// the start.
    pub fn is_held_back(&self, thread: ThreadNumber) -> bool {
        let set_of = |t: ThreadNumber| self.sets.get(t as usize).copied().flatten();
        let is_waiting =
            |t: ThreadNumber| bit(t).is_some_and(|bit| self.moved & bit == 0 || self.young & bit != 0);
        set_of(thread).is_some_and(|set| {
            is_waiting(thread)
                && (0..thread).any(|earlier| set_of(earlier) == Some(set) && is_waiting(earlier))
        })
    }

    /// Whether a thread has not taken a step.
    pub fn is_fresh(&self, thread: ThreadNumber) -> bool {
        bit(thread).is_some_and(|bit| self.moved & bit == 0)
    }

    /// The thread `child` was started by `parent`: what happened before the parent happens before the child.
    pub fn started(&mut self, parent: ThreadNumber, child: ThreadNumber, set: Option<u32>) {
        if set.is_some() {
            let sets = Rc::make_mut(&mut self.sets);
            sets.resize(child as usize + 1, None);
            sets[child as usize] = set;
        }
        let (Some(knows), Some(learns)) = (bit(parent), bit(child)) else { return };
        for accesses in &mut self.threads {
            if accesses.iter().any(|a| a.known & knows != 0) {
                let accesses = Rc::make_mut(accesses);
                accesses.iter_mut().filter(|a| a.known & knows != 0).for_each(|a| a.known |= learns);
            }
        }
    }

    /// A thread has locked these mutexes. What others did while they held them happens before everything that it does now.
    pub fn locked(&mut self, thread: ThreadNumber, locks: impl Iterator<Item = LockKey>) {
        let Some(knows) = bit(thread) else { return };
        for lock in locks {
            let is_before = |a: &Tracked| a.locks.contains(&lock) && a.known & knows == 0;
            for (of, accesses) in self.threads.iter_mut().enumerate() {
                if of != thread as usize && accesses.iter().any(is_before) {
                    let accesses = Rc::make_mut(accesses);
                    accesses.iter_mut().filter(|a| is_before(a)).for_each(|a| a.known |= knows);
                }
            }
        }
    }

    /// A thread has ended with a step that has these touches.
    pub fn end(&mut self, thread: ThreadNumber, touches: &[Touch]) {
        let Some(bit) = bit(thread) else { return };
        self.ended |= bit;
        Rc::make_mut(&mut self.ends).extend(touches.iter().filter(|t| t.writes).map(|t| (bit, *t)));
    }

    /// A join with these touches was taken. Which threads it has joined, as bits.
    pub fn join(&mut self, touches: &[Touch]) -> u64 {
        let joined = self.ends.iter().filter(|(_, end)| touches.iter().any(|t| t.reads && t.overlaps(end)));
        let joined = joined.fold(0, |bits, (bit, _)| bits | bit);
        self.ended &= !joined;
        Rc::make_mut(&mut self.ends).retain(|(bit, _)| joined & bit == 0);
        joined
    }

    /// A thread has joined these threads: what they have done or know of happens before everything that it does now.
    pub fn joined(&mut self, thread: ThreadNumber, joined: u64) {
        let Some(knows) = bit(thread) else { return };
        for (of, accesses) in self.threads.iter_mut().enumerate() {
            let is_joined = bit(of as ThreadNumber).is_some_and(|bit| joined & bit != 0);
            let is_before = |a: &Tracked| (is_joined || a.known & joined != 0) && a.known & knows == 0;
            if accesses.iter().any(is_before) {
                let accesses = Rc::make_mut(accesses);
                accesses.iter_mut().filter(|a| is_before(a)).for_each(|a| a.known |= knows);
            }
        }
    }

    /// Forgets the accesses that happen before everything that other threads do; these are the threads that are alive.
    pub fn forget(&mut self, alive: u64) {
        for (of, accesses) in self.threads.iter_mut().enumerate() {
            let own = bit(of as ThreadNumber).unwrap_or(0);
            let is_known = |a: &Tracked| alive & !own & !a.known == 0;
            if own != 0 && accesses.iter().any(is_known) {
                Rc::make_mut(accesses).retain(|a| !is_known(a));
            }
        }
    }

    /// Threads that have ended and were not joined.
    pub fn ended(&self) -> u64 {
        self.ended
    }

    /// The accesses of other threads with which a step of this thread conflicts, that begins with these locks held. Where both
    /// threads hold a lock, neither step can be taken while the other thread stands before its own.
    pub fn conflicts<'a>(
        &'a self,
        thread: ThreadNumber,
        touches: &'a [Touch],
        locks: &'a [LockKey],
    ) -> impl Iterator<Item = (&'a Tracked, &'a Touch)> {
        let others = self.threads.iter().enumerate().filter(move |(of, _)| *of != thread as usize);
        let accesses = others.flat_map(|(_, accesses)| accesses.iter());
        let unknown = accesses.filter(move |a| {
            bit(thread).is_none_or(|bit| a.known & bit == 0) && !a.locks.iter().any(|l| locks.contains(l))
        });
        unknown.flat_map(move |a| touches.iter().filter(|t| t.conflicts(&a.touch)).map(move |t| (a, t)))
    }

    /// As parts of the state.
    pub fn accesses(&self) -> Vec<(ThreadNumber, Vec<TrackedAccess<'_>>)> {
        let threads = self.threads.iter().enumerate().filter(|(_, accesses)| !accesses.is_empty());
        threads
            .map(|(thread, accesses)| {
                (thread as ThreadNumber, accesses.iter().map(Tracked::in_state).collect())
            })
            .collect()
    }

    /// By thread, the set of interchangeable threads that it belongs to.
    pub fn sets(&self) -> &[Option<u32>] {
        &self.sets
    }
}

pub fn bit(thread: ThreadNumber) -> Option<u64> {
    1u64.checked_shl(thread)
}
