//! What holds when control is somewhere in a thread.

use crate::address::Base;
use crate::frames::FrameId;
use crate::offset::Offset;
use crate::points::{ObjectId, Points};
use crate::solved::Solved;
use crate::threads::Threads;
use std::collections::BTreeMap;
use tp_ir::{LockMode, Operand, Reg};

/// A lock that there is one of: where it lies.
pub type Lock = (ObjectId, i64);

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct State {
    pub locks: BTreeMap<Lock, Held>,
    /// Locks that are held if a register of a frame is 0.
    pub tried: BTreeMap<(FrameId, Reg), (Lock, Held)>,
    /// Locks that are held at addresses which a frame has computed: which lock it is need not be known.
    pub held_near: BTreeMap<(FrameId, Base, i64), Near>,
    /// How many atomic sections it is in.
    pub atomic: u32,
    /// Threads that this thread has started, or that were started by these, and that may still run.
    pub alive: Threads,
}

/// A lock at an address that was computed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Near {
    pub held: Held,
    /// Of how many bytes it consists.
    pub bytes: u64,
    /// A pointer to it, and the frame that has it.
    pub lock: (FrameId, Operand),
}

impl Near {
    fn is_like(&self, other: &Near) -> bool {
        (self.held, self.bytes) == (other.held, other.bytes)
    }
}

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Held {
    Shared,
    Exclusive,
}

impl From<LockMode> for Held {
    fn from(mode: LockMode) -> Held {
        match mode {
            LockMode::Exclusive => Held::Exclusive,
            LockMode::Shared => Held::Shared,
        }
    }
}

impl State {
    /// What holds on both ways. Whether that is less than before.
    pub fn meet(&mut self, other: &State) -> bool {
        let before = self.size();
        let mut weaker = false;
        self.locks.retain(|lock, held| match other.locks.get(lock) {
            Some(there) => {
                weaker |= there < held;
                *held = (*held).min(*there);
                true
            }
            None => false,
        });
        self.held_near.retain(|key, near| other.held_near.get(key).is_some_and(|there| there.is_like(near)));
        self.tried.retain(|key, what| other.tried.get(key) == Some(what));
        self.atomic = self.atomic.min(other.atomic);
        self.alive.extend(&other.alive);
        weaker || before != self.size()
    }

    fn size(&self) -> (usize, usize, usize, u32, usize) {
        (self.locks.len(), self.held_near.len(), self.tried.len(), self.atomic, self.alive.len())
    }

    /// What was known by way of a register of a frame, which is assigned anew.
    pub fn forget(&mut self, frame: FrameId, reg: Reg) {
        self.held_near.retain(|(f, base, _), _| *f != frame || !base.uses(reg));
    }

    pub fn leave(&mut self, frame: FrameId) {
        self.tried.retain(|(f, _), _| *f != frame);
        self.held_near.retain(|(f, ..), _| *f != frame);
    }

    /// The locks that are held at a distance from an address that a frame has computed.
    pub fn near(
        &self,
        (frame, base, offset): (FrameId, Base, i64),
    ) -> impl Iterator<Item = (i64, Near)> + '_ {
        let same = self.held_near.range((frame, base, i64::MIN)..=(frame, base, i64::MAX));
        same.filter_map(move |((_, _, at), near)| Some((at.checked_sub(offset)?, *near)))
    }

    pub fn lock(&mut self, lock: Lock, held: Held) {
        let now = self.locks.entry(lock).or_insert(held);
        *now = (*now).max(held);
    }

    /// All locks that may be among these are given back.
    pub fn unlock(&mut self, solved: &Solved<'_>, points: &Points) {
        self.held_near.retain(|_, near| {
            let lock = solved.points(near.lock.0, near.lock.1);
            !lock.iter().any(|(a, at)| points.iter().any(|(b, there)| a == b && at.overlaps(1, there, 1)))
        });
        let is_it = |lock: &Lock| {
            points.iter().any(|(object, offset)| object == lock.0 && offset.includes(Offset::exact(lock.1)))
        };
        self.locks.retain(|lock, _| !is_it(lock));
        self.tried.retain(|_, (lock, _)| !is_it(lock));
    }
}

/// The state at a place that one more way leads to. Whether that is less than before.
pub fn meet_into(slot: &mut Option<State>, state: &State) -> bool {
    match slot {
        Some(old) => old.meet(state),
        None => {
            *slot = Some(state.clone());
            true
        }
    }
}
