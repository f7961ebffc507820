//! The facts that hold at a program point.

use crate::address::AddressBase;
use crate::callgraph::ContextId;
use crate::pointsto::{ObjectId, Offset, PointsTo, PointsToSet};
use crate::threads::AbstractThreads;
use std::collections::BTreeMap;
use tp_ir::{LockMode, Operand, Reg};

/// A lock that exists once: its object and offset.
pub type Lock = (ObjectId, i64);

/// The facts that hold at a program point of a context.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FlowState {
    /// Locks that are held.
    pub locks: BTreeMap<Lock, Hold>,
    /// Locks that are held if a register of a context is 0.
    pub tried: BTreeMap<(ContextId, Reg), (Lock, Hold)>,
    /// Locks that are held at addresses as a context computed them; which lock that is need not be known.
    pub held_near: BTreeMap<(ContextId, AddressBase, i64), NearbyLock>,
    /// The nesting depth of atomic sections.
    pub atomic: u32,
    /// Descendants of this thread that may still run.
    pub alive: AbstractThreads,
}

/// A lock at a computed address.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct NearbyLock {
    pub hold: Hold,
    /// A pointer to it, and the context of that operand.
    pub lock: (ContextId, Operand),
}

/// How a lock is held, and its size in bytes, at most.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Hold {
    pub held: HoldMode,
    pub bytes: u64,
}

/// Shared with other threads, or exclusive. The order is by strength.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum HoldMode {
    Shared,
    Exclusive,
}

impl From<LockMode> for HoldMode {
    fn from(mode: LockMode) -> HoldMode {
        match mode {
            LockMode::Exclusive => HoldMode::Exclusive,
            LockMode::Shared => HoldMode::Shared,
        }
    }
}

impl FlowState {
    /// Keeps what holds on both paths. Returns whether that is weaker than before.
    pub(crate) fn meet(&mut self, other: &FlowState) -> bool {
        let before = self.size();
        let mut weaker = false;
        self.locks.retain(|lock, hold| match other.locks.get(lock) {
            Some(there) => {
                weaker |= there.held < hold.held || there.bytes > hold.bytes;
                *hold = Hold { held: hold.held.min(there.held), bytes: hold.bytes.max(there.bytes) };
                true
            }
            None => false,
        });
        self.held_near
            .retain(|key, near| other.held_near.get(key).is_some_and(|there| there.hold == near.hold));
        self.tried.retain(|key, what| other.tried.get(key) == Some(what));
        self.atomic = self.atomic.min(other.atomic);
        self.alive.extend(&other.alive);
        weaker || before != self.size()
    }

    fn size(&self) -> (usize, usize, usize, u32, usize) {
        (self.locks.len(), self.held_near.len(), self.tried.len(), self.atomic, self.alive.len())
    }

    /// Drops what is known through a register of a context, which is assigned anew.
    pub(crate) fn forget(&mut self, context: ContextId, reg: Reg) {
        self.held_near.retain(|(f, base, _), _| *f != context || !base.uses(reg));
    }

    /// Drops what is known through the registers of a context, which is left or entered anew.
    pub(crate) fn leave(&mut self, context: ContextId) {
        self.tried.retain(|(f, _), _| *f != context);
        self.held_near.retain(|(f, ..), _| *f != context);
    }

    /// The locks that are held at a known distance from an address that a context has computed, with that distance.
    pub fn near(
        &self,
        (context, base, offset): (ContextId, AddressBase, i64),
    ) -> impl Iterator<Item = (i64, NearbyLock)> + '_ {
        let same = self.held_near.range((context, base, i64::MIN)..=(context, base, i64::MAX));
        same.filter_map(move |((_, _, at), near)| Some((at.checked_sub(offset)?, *near)))
    }

    pub(crate) fn lock(&mut self, lock: Lock, hold: Hold) {
        let now = self.locks.entry(lock).or_insert(hold);
        *now = Hold { held: now.held.max(hold.held), bytes: now.bytes.max(hold.bytes) };
    }

    pub(crate) fn holds_something(&self) -> bool {
        !(self.locks.is_empty() && self.held_near.is_empty() && self.tried.is_empty())
    }

    /// Drops all locks that may overlap `len` bytes at these places: they are released or overwritten.
    pub(crate) fn lose(&mut self, points_to: &PointsTo<'_>, points: &PointsToSet, len: u64) {
        let is_hit = |object: ObjectId, at: Offset, hold: &Hold| {
            points.iter().any(|(hit, offset)| hit == object && at.overlaps(hold.bytes, offset, len))
        };
        self.held_near.retain(|_, near| {
            let lock = points_to.targets(near.lock.0, near.lock.1);
            !lock.iter().any(|(object, at)| is_hit(object, at, &near.hold))
        });
        self.locks.retain(|lock, hold| !is_hit(lock.0, Offset::exact(lock.1), hold));
        self.tried.retain(|_, (lock, hold)| !is_hit(lock.0, Offset::exact(lock.1), hold));
    }
}

/// Merges the state of one more path to a program point. Returns whether the result is weaker than before.
pub(crate) fn meet_into(slot: &mut Option<FlowState>, state: &FlowState) -> bool {
    match slot {
        Some(old) => old.meet(state),
        None => {
            *slot = Some(state.clone());
            true
        }
    }
}
