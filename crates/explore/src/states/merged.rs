//! Which threads and objects count as one, where states in which interchangeable threads have exchanged their parts do.

use super::conflicts::bit;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tp_machine::{LockKey, ThreadNumber, Touch, maker};

/// Four bytes of an object.
pub type Granule = (u64, u64);

pub fn granules<'t>(
    merged: &'t Merged,
    touches: impl IntoIterator<Item = &'t Touch>,
) -> impl Iterator<Item = Granule> {
    touches.into_iter().flat_map(|t| {
        let key = merged.key(t.key);
        (t.offset / 4..(t.offset + t.len).div_ceil(4)).map(move |i| (key, i))
    })
}

/// Interchangeable threads. States in which they have exchanged their parts count as one, so what is noted about one of
/// them holds for all, and what is noted about an object of one of them, for the same object of each.
#[derive(Default)]
pub struct Merged {
    /// As bits, by set.
    threads: FxHashMap<u32, u64>,
    /// Whose record has this key.
    records: FxHashMap<u64, ThreadNumber>,
}

/// Whether a thread belonged to its set before.
pub enum Added {
    Before,
    Now,
    /// Its number has stood for a thread of another set, or its record has another key in another execution, so that this key may
    /// be that of any object there: threads cannot be merged.
    Never,
}

/// No thread has this number or a larger one. Objects of interchangeable threads get keys as if such threads had made them.
const NO_THREAD: u64 = 1 << 30;

/// Added to the key of an object for the thread that it belongs to.
const OWN: u64 = 1 << 63;

impl Merged {
    pub fn set_of(&self, thread: ThreadNumber) -> Option<u32> {
        let bit = bit(thread)?;
        self.threads.iter().find(|(_, threads)| *threads & bit != 0).map(|(set, _)| *set)
    }

    /// A thread of a set was started. What was noted so far is not about it if it is new, or if its record has another key
    /// than in other executions.
    pub fn add(&mut self, set: u32, thread: ThreadNumber, record: Option<u64>) -> Added {
        let (Some(bit), Some(record)) = (bit(thread), record) else { return Added::Never };
        if self.threads.iter().any(|(other, threads)| *other != set && threads & bit != 0) {
            return Added::Never;
        }
        let threads = self.threads.entry(set).or_default();
        let is_new = *threads & bit == 0;
        *threads |= bit;
        match (is_new, self.records.insert(record, thread)) {
            (true, None) => Added::Now,
            (false, Some(known)) if known == thread => Added::Before,
            _ => Added::Never,
        }
    }

    /// These threads, and those that are interchangeable with them.
    pub fn with_others(&self, threads: u64) -> u64 {
        self.threads.values().filter(|set| *set & threads != 0).fold(threads, |all, set| all | set)
    }

    /// The interchangeable thread that an object belongs to, which has made it, or whose record it is.
    pub fn owner(&self, key: u64) -> Option<ThreadNumber> {
        if self.threads.is_empty() {
            return None;
        }
        let maker = maker(key).filter(|thread| self.set_of(*thread).is_some());
        maker.or_else(|| self.records.get(&key).copied())
    }

    /// One key for the same object of each thread of a set.
    pub fn key(&self, key: u64) -> u64 {
        let Some(owner) = self.owner(key) else { return key };
        let set = NO_THREAD + 2 * u64::from(self.set_of(owner).unwrap_or_default());
        match self.records.contains_key(&key) {
            true => (set + 1) << 32,
            false => set << 32 | key & u64::from(u32::MAX),
        }
    }

    /// Those of these locks that exclude another thread that holds a lock with the same key while it accesses the same object:
    /// locks that belong to nobody, and those that belong to the thread that the object belongs to. Whose any other lock is
    /// after an exchange is not known.
    pub fn common_locks(&self, object: u64, locks: &Rc<[LockKey]>) -> Rc<[LockKey]> {
        if locks.iter().all(|lock| self.owner(lock.object).is_none()) {
            return locks.clone();
        }
        let owner = self.owner(object);
        let common = locks.iter().filter_map(|lock| match self.owner(lock.object) {
            None => Some(*lock),
            of_lock if of_lock == owner => Some(LockKey { object: self.key(lock.object) | OWN, ..*lock }),
            Some(_) => None,
        });
        common.collect()
    }

    /// The keys by which these threads know an object: the owner by another one than the rest.
    fn keys_for(&self, key: u64, threads: u64) -> impl Iterator<Item = u64> {
        let owner = self.owner(key).map_or(0, |owner| bit(owner).unwrap_or(0));
        let common = self.key(key);
        let own = (threads & owner != 0).then_some(common | OWN);
        own.into_iter().chain((threads & !owner != 0).then_some(common))
    }

    /// What these threads touch.
    pub fn granules_for<'t>(
        &'t self,
        threads: u64,
        touches: impl IntoIterator<Item = &'t Touch>,
    ) -> impl Iterator<Item = Granule> {
        touches.into_iter().flat_map(move |t| {
            let granules = t.offset / 4..(t.offset + t.len).div_ceil(4);
            self.keys_for(t.key, threads).flat_map(move |key| granules.clone().map(move |i| (key, i)))
        })
    }
}
