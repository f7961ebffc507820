//! Which accesses may race: two to the same memory, one of which writes and not both of which are atomic, by two
//! threads that may run in parallel, without a lock that excludes one of them.

use crate::accesses::{AbstractAccess, Accesses};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use tp_analysis::lockset::{HoldMode, Lock};
use tp_analysis::mhp::Mhp;
use tp_analysis::pointsto::ObjectId;

pub struct Pairs<'a, 'p> {
    pub mhp: Mhp<'a, 'p>,
    pub broken: BTreeSet<Lock>,
}

impl Pairs<'_, '_> {
    /// All pairs that may race, unless it is stopped.
    pub fn all(
        &self,
        accesses: &Accesses<'_, '_>,
        stop: &AtomicBool,
    ) -> Vec<(ObjectId, AbstractAccess, AbstractAccess)> {
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

    fn may_race(&self, a: &AbstractAccess, b: &AbstractAccess) -> bool {
        (a.is_write || b.is_write)
            && !(a.is_atomic && b.is_atomic)
            && a.offset.overlaps(a.len, b.offset, b.len)
            && self.mhp.may_happen_in_parallel(a.running(), b.running())
            && !self.excluded(a, b)
    }

    fn excluded(&self, a: &AbstractAccess, b: &AbstractAccess) -> bool {
        a.at.locks.iter().any(|(lock, here)| {
            let there = b.at.locks.get(lock);
            there.is_some_and(|there| {
                let is_alone = here.held == HoldMode::Exclusive || there.held == HoldMode::Exclusive;
                is_alone && !self.broken.contains(lock)
            })
        })
    }
}

/// Whether a lock at the same distance from both addresses excludes one of the accesses. Accesses that overlap have the
/// same address, so that is the same lock.
fn is_excluded_near(
    accesses: &Accesses<'_, '_>,
    object: ObjectId,
    a: &AbstractAccess,
    b: &AbstractAccess,
) -> bool {
    a.offset.is_same_if_overlaps(a.len, b.offset, b.len)
        && a.near.iter().any(|(apart, here)| {
            b.near.get(apart).is_some_and(|there| {
                let is_alone = here.held == HoldMode::Exclusive || there.held == HoldMode::Exclusive;
                let (place, bytes) = (a.offset.join(b.offset).plus(*apart), here.bytes.max(there.bytes));
                is_alone && !accesses.is_broken(object, place, bytes)
            })
        })
}
