//! Facts for a report that a run did not record: the run is repeated with the same decisions, and observed.
//!
//! Nothing about stacks, locks or calls is stored for accesses that never race or for signals that are never missed.
//! When a run has ended with a finding, the same decisions lead there again, and on the way these facts are noted.

use crate::cause::{NotedBy, RacingAccess};
use crate::finding::{HeldLock, Moment};
use crate::known::Line;
use crate::named::NamedObject;
use crate::race::{Access, AccessKind, StepNumber, VectorClock};
use crate::trace::ThreadNumber;
use crate::value::{ObjectRef, Value};
use std::collections::BTreeMap;
use tp_ir::{MemoryOrder, PlaceId};

/// What to look for when a run is repeated.
#[derive(Clone, Debug)]
pub enum HindsightQuestion {
    /// The earlier of two accesses that race: its step, and the bytes.
    Race { step: StepNumber, address: u64, len: u64, write: bool },
    /// Where locks were taken or destroyed and memory was freed, and which threads signalled.
    Locks,
}

/// The earlier access of a race.
#[derive(Clone, Debug)]
pub struct EarlierAccess {
    /// Its thread's entry in vector clocks.
    pub entry: usize,
    pub at: Moment,
    pub access: RacingAccess,
}

/// A lock, and the number of lines accessing the raced memory at which it was held every time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guarding {
    pub lock: NamedObject,
    pub address: u64,
    pub lines: usize,
}

/// What is accessed atomically.
#[derive(Copy, Clone, Debug)]
pub struct Atomic {
    pub object: ObjectRef,
    pub address: u64,
    /// The user's code chooses its memory order.
    pub by_user: bool,
}

/// What a noted call does.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CallKind {
    /// A condition variable is signalled.
    Wakes,
    /// An object of the library is destroyed.
    Destroys,
}

#[derive(Clone, Debug)]
pub struct NotedCall {
    pub kind: CallKind,
    /// The address of the object that is signalled or destroyed.
    pub object: u64,
    pub step: StepNumber,
    pub thread_name: String,
    pub place: Option<PlaceId>,
}

impl NotedCall {
    pub fn by(&self) -> NotedBy {
        NotedBy { thread_name: self.thread_name.clone(), place: self.place }
    }
}

/// What was noted while a run was repeated.
#[derive(Default, Debug)]
pub struct Seen {
    pub earlier: Option<EarlierAccess>,
    /// The lines that accessed the same bytes outside of atomic sections, once there was more than one thread, each
    /// with the locks held at all of its accesses.
    pub lines: Vec<(Option<Line>, Vec<HeldLock>)>,
    /// The vector clocks that there would be if no atomic were relaxed: of threads, by entry, and published by atomics,
    /// by address.
    known: BTreeMap<usize, VectorClock>,
    published: BTreeMap<u64, VectorClock>,
    /// For threads that the earlier access would happen before if no atomic were relaxed: the atomic at which that
    /// ordering is lost. By thread, and by the address of an atomic that such a thread has written.
    lost: BTreeMap<usize, (ObjectRef, u64)>,
    lost_before: BTreeMap<u64, (ObjectRef, u64)>,
    pub calls: Vec<NotedCall>,
    /// The moment at which each object ended, by `free` or otherwise.
    pub ended: BTreeMap<ObjectRef, Moment>,
    /// The latest step of each thread.
    pub last_steps: BTreeMap<ThreadNumber, StepNumber>,
}

/// A run that is repeated, and what was seen in it so far.
#[derive(Debug)]
pub struct Hindsight {
    pub question: HindsightQuestion,
    pub seen: Seen,
}

impl Hindsight {
    pub fn new(question: HindsightQuestion) -> Hindsight {
        Hindsight { question, seen: Seen::default() }
    }

    /// The locks held at the largest number of lines, in the order in which they were first seen; several if equal.
    pub fn usual_locks(&self) -> Vec<Guarding> {
        let mut all: Vec<Guarding> = Vec::new();
        for HeldLock { address, lock, .. } in self.seen.lines.iter().flat_map(|(_, locks)| locks) {
            match all.iter_mut().find(|g| g.address == *address) {
                Some(guarding) => guarding.lines += 1,
                None => all.push(Guarding { address: *address, lock: lock.clone(), lines: 1 }),
            }
        }
        let most = all.iter().map(|g| g.lines).max();
        all.retain(|g| Some(g.lines) == most);
        all
    }

    /// Counts an access to the raced bytes.
    pub fn count(&mut self, line: Option<Line>, locks: Vec<HeldLock>) {
        match self.seen.lines.iter_mut().find(|(known, _)| *known == line) {
            Some((_, held)) => held.retain(|h| locks.iter().any(|lock| lock.address == h.address)),
            None => self.seen.lines.push((line, locks)),
        }
    }

    /// An atomic access in a step of the thread in `entry`, whose clock is `now`.
    pub fn atomic(
        &mut self,
        (entry, step): (usize, StepNumber),
        now: &VectorClock,
        Atomic { object, address, by_user }: Atomic,
        access: &Access,
    ) {
        let earlier = match (&self.question, &self.seen.earlier) {
            (HindsightQuestion::Race { step, .. }, Some(earlier)) => Some((earlier.entry, *step)),
            _ => None,
        };
        let knows = |clock: &VectorClock| earlier.is_some_and(|(of, step)| clock.get(of) >= step);
        let known = self.seen.known.entry(entry).or_default();
        known.join(now);
        known.set(entry, step);
        let published = self.seen.published.entry(address).or_default();
        if access.kind != AccessKind::Write && !access.order.is_quiet() {
            let is_new = !knows(known) && knows(published);
            let before = self.seen.lost_before.get(&address).copied();
            let lost = before.or(by_user.then_some((object, access.offset)));
            if let Some(lost) = lost.filter(|_| is_new) {
                self.seen.lost.insert(entry, lost);
            }
            // Where the library adds no ordering, no memory order in the user's code would.
            if !is_new || lost.is_some() {
                known.join(published);
            }
        }
        if access.kind != AccessKind::Read && access.order != MemoryOrder::Quiet {
            if access.kind == AccessKind::Write {
                *published = known.clone();
            } else {
                published.join(known);
            }
            match self.seen.lost.get(&entry) {
                Some(lost) if !knows(now) => {
                    self.seen.lost_before.insert(address, *lost);
                }
                _ if access.kind == AccessKind::Write || knows(now) => {
                    self.seen.lost_before.remove(&address);
                }
                _ => {}
            }
        }
    }

    /// Whether a step of another thread would happen before a thread's next one if no atomic were relaxed.
    pub fn would_happen_before(&self, entry: usize, of: usize, step: StepNumber) -> bool {
        self.seen.known.get(&entry).is_some_and(|known| known.get(of) >= step)
    }

    /// The atomic at which the ordering of a thread after the earlier access is lost.
    pub fn lost_at(&self, entry: usize) -> Option<(ObjectRef, u64)> {
        self.seen.lost.get(&entry).copied()
    }

    /// The last call of this kind for an object.
    pub fn last_call(&self, kind: CallKind, object: Value) -> Option<&NotedCall> {
        let mut calls = self.seen.calls.iter().rev();
        calls.find(|c| c.object == object.bits && c.kind == kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tp_ir::{FileId, LockMode};

    /// Thread 1 makes the earlier access in step 1, then writes an atomic in step 2; thread 2 reads it in step 3.
    fn lost(order: MemoryOrder, by_user: bool) -> Option<(ObjectRef, u64)> {
        let mut hindsight =
            Hindsight::new(HindsightQuestion::Race { step: 1, address: 64, len: 4, write: true });
        let access = RacingAccess { kind: AccessKind::Write, len: 4, atomic: false };
        let at = Moment {
            thread: 1,
            thread_name: "a#1".to_owned(),
            stack: Vec::new(),
            locks: Vec::new(),
            started: Vec::new(),
        };
        hindsight.seen.earlier = Some(EarlierAccess { entry: 1, at, access });
        let atomic = Atomic { object: ObjectRef::new(3, 0), address: 128, by_user };
        for (entry, step, kind) in [(1, 2, AccessKind::Write), (2, 3, AccessKind::Read)] {
            let mut now = VectorClock::default();
            now.set(entry, step);
            let access = Access::new(0, 4, kind, order);
            hindsight.atomic((entry, step), &now, atomic, &access);
        }
        hindsight.lost_at(2).filter(|_| hindsight.would_happen_before(2, 1, 1))
    }

    /// Each lock, and the lines at which it is held.
    #[test]
    fn the_usual_locks_are_held_at_most_lines() {
        let usual = |guarding: &[(u64, u32)]| {
            let mut hindsight = Hindsight::new(HindsightQuestion::Locks);
            for &(address, lines) in guarding {
                for _ in 0..lines {
                    let lock = NamedObject::Address(address);
                    let held = HeldLock { lock, address, mode: LockMode::Exclusive, taken_at: None };
                    let line = Some((FileId::from_u32(0), hindsight.seen.lines.len() as u32));
                    // Twice: a line that reads and writes counts once.
                    (0..2).for_each(|_| hindsight.count(line, vec![held.clone()]));
                }
            }
            hindsight.count(None, Vec::new());
            let usual = hindsight.usual_locks();
            (usual.iter().map(|g| (g.address, g.lines)).collect::<Vec<_>>(), hindsight.seen.lines.len())
        };
        assert_eq!(usual(&[]), (vec![], 1));
        assert_eq!(usual(&[(1, 4)]), (vec![(1, 4)], 5));
        assert_eq!(usual(&[(1, 1), (2, 2)]), (vec![(2, 2)], 4));
        assert_eq!(usual(&[(1, 1), (2, 1)]), (vec![(1, 1), (2, 1)], 3));
    }

    #[test]
    fn only_memory_orders_that_the_user_chooses_are_too_weak() {
        assert_eq!(lost(MemoryOrder::Relaxed, true), Some((ObjectRef::new(3, 0), 0)));
        assert_eq!(lost(MemoryOrder::Relaxed, false), None);
        assert_eq!(lost(MemoryOrder::Quiet, false), None);
    }
}
