//! Which accesses may race: two to the same memory, one of which writes and not both of which are atomic, by two threads
//! that may run at the same time, without a lock that keeps one of them out.

use crate::accesses::{Access, Accesses};
use crate::flow::Flow;
use crate::frames::{Frames, ThreadId};
use crate::points::ObjectId;
use crate::state::{Held, Lock};
use crate::threads::ThreadFacts;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};

pub struct Pairs<'a, 'p> {
    pub frames: &'a Frames<'p>,
    pub facts: &'a ThreadFacts,
    pub flow: &'a Flow<'a, 'p>,
    pub broken: BTreeSet<Lock>,
}

impl Pairs<'_, '_> {
    /// All of them, unless it is stopped.
    pub fn all(&self, accesses: &Accesses<'_, '_>, stop: &AtomicBool) -> Vec<(ObjectId, Access, Access)> {
        let mut pairs = Vec::new();
        for (&object, list) in &accesses.by_object {
            if !list.iter().any(|a| a.is_write) {
                continue;
            }
            for (i, a) in list.iter().enumerate() {
                if stop.load(Ordering::Relaxed) {
                    return pairs;
                }
                for b in &list[i..] {
                    if self.may_race(a, b) && !is_excluded_near(accesses, object, a, b) {
                        pairs.push((object, a.clone(), b.clone()));
                    }
                }
            }
        }
        pairs
    }

    fn may_race(&self, a: &Access, b: &Access) -> bool {
        (a.is_write || b.is_write)
            && !(a.is_atomic && b.is_atomic)
            && a.offset.overlaps(a.len, b.offset, b.len)
            && self.parallel(a, b)
            && !self.excluded(a, b)
    }

    fn excluded(&self, a: &Access, b: &Access) -> bool {
        a.at.locks.iter().any(|(lock, here)| {
            let there = b.at.locks.get(lock);
            there.is_some_and(|there| {
                let is_alone = here.held == Held::Exclusive || there.held == Held::Exclusive;
                is_alone && !self.broken.contains(lock)
            })
        })
    }

    /// Whether the two may happen in different threads, neither before the other.
    fn parallel(&self, a: &Access, b: &Access) -> bool {
        if a.thread == b.thread {
            return !self.facts.is_single(a.thread);
        }
        if self.frames.leads_to(a.thread, b.thread) {
            return !self.facts.is_single(a.thread) || a.at.alive.contains(&b.thread);
        }
        if self.frames.leads_to(b.thread, a.thread) {
            return !self.facts.is_single(b.thread) || b.at.alive.contains(&a.thread);
        }
        let Some((common, of_a, of_b)) = self.fork(a.thread, b.thread) else { return true };
        // One of the two branches was over before the other began.
        !self.facts.is_single(common)
            || self.flow.before_start[of_b.0 as usize].contains(&a.thread)
            || self.flow.before_start[of_a.0 as usize].contains(&b.thread)
    }

    /// The last thread that led to both, and what it started to lead to each.
    fn fork(&self, a: ThreadId, b: ThreadId) -> Option<(ThreadId, ThreadId, ThreadId)> {
        let mut of_a: BTreeMap<ThreadId, ThreadId> = BTreeMap::new();
        let mut at = a;
        while let Some(parent) = self.frames.thread(at).parent {
            of_a.insert(parent, at);
            at = parent;
        }
        let mut at = b;
        while let Some(parent) = self.frames.thread(at).parent {
            if let Some(&started) = of_a.get(&parent) {
                return Some((parent, started, at));
            }
            at = parent;
        }
        None
    }
}

/// Whether a lock keeps one of them out that lies at the same distance from the address of both. If the accesses have a byte
/// in common they are to the same address, so that is the same lock.
fn is_excluded_near(accesses: &Accesses<'_, '_>, object: ObjectId, a: &Access, b: &Access) -> bool {
    a.offset.is_same_if_overlaps(a.len, b.offset, b.len)
        && a.near.iter().any(|(apart, here)| {
            b.near.get(apart).is_some_and(|there| {
                let is_alone = here.held == Held::Exclusive || there.held == Held::Exclusive;
                let (place, bytes) = (a.offset.join(b.offset).plus(*apart), here.bytes.max(there.bytes));
                is_alone && !accesses.is_broken(object, place, bytes)
            })
        })
}
