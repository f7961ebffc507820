//! What a step touched, for those who ask which steps commute.
//!
//! Two steps of different threads commute if no byte is touched by both that one of them writes: in either order they read
//! the same, write the same and leave both threads where they were. Objects have keys that are the same in all orders: the
//! number of the global, or the thread that made the object and how many it had made before. Not only accesses count: the
//! end of an object, or of the scope of a local, is a write of all of it, because an access after it would fail; what it
//! costs to find a thread's number is a write of one imaginary object, because numbers go by the order of the starts.

use crate::memory::Memory;
use crate::race::{Access, AccessKind};
use crate::value::ObjectRef;
use tp_ir::Order;

/// Bytes of an object, read or written by one step.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Touch {
    /// The object, the same in equivalent runs.
    pub key: u64,
    pub offset: u64,
    /// Never 0.
    pub len: u64,
    pub reads: bool,
    pub writes: bool,
    /// An ordinary access, which can be part of a data race.
    pub plain: bool,
}

/// The key of what all starts of threads write.
const STARTS: u64 = u64::MAX;

impl Touch {
    pub fn overlaps(&self, other: &Touch) -> bool {
        self.key == other.key
            && self.offset < other.offset + other.len
            && other.offset < self.offset + self.len
    }

    pub fn conflicts(&self, other: &Touch) -> bool {
        (self.writes || other.writes) && self.overlaps(other)
    }
}

/// Touches in the order in which they happened; nothing while they are not recorded.
#[derive(Default)]
pub(crate) struct Touched {
    pub list: Vec<Touch>,
    pub recorded: bool,
}

impl Touched {
    #[inline]
    pub fn accesses(&mut self, memory: &Memory, r: ObjectRef, access: &Access, order: Order) {
        if self.recorded {
            let (reads, writes) = match access.kind {
                AccessKind::Read => (true, false),
                AccessKind::Write => (false, true),
                // What frees an object finds out whether it is there.
                AccessKind::ReadWrite | AccessKind::Free => (true, true),
            };
            let plain = order == Order::Plain;
            self.add(memory, r, (access.offset, access.len), (reads, writes), plain);
        }
    }

    pub fn writes(&mut self, memory: &Memory, r: ObjectRef, offset: u64, len: u64) {
        if self.recorded {
            self.add(memory, r, (offset, len), (false, true), false);
        }
    }

    /// The object ends, or its scope begins or ends.
    #[inline]
    pub fn ends(&mut self, memory: &Memory, r: ObjectRef) {
        if self.recorded {
            self.add(memory, r, (0, memory.object(r).size), (false, true), false);
        }
    }

    /// Its size is asked for, and with that whether it is there.
    pub fn measures(&mut self, memory: &Memory, r: ObjectRef) {
        if self.recorded {
            self.add(memory, r, (0, memory.object(r).size), (true, false), false);
        }
    }

    pub fn starts_thread(&mut self) {
        if self.recorded {
            let touch = Touch { key: STARTS, offset: 0, len: 1, reads: true, writes: true, plain: false };
            self.list.push(touch);
        }
    }

    fn add(
        &mut self,
        memory: &Memory,
        r: ObjectRef,
        (offset, len): (u64, u64),
        (reads, writes): (bool, bool),
        plain: bool,
    ) {
        let object = memory.object(r);
        if object.private || memory.is_new(r) {
            return;
        }
        let touch = Touch { key: object.key, offset, len: len.max(1), reads, writes, plain };
        if self.list.last() != Some(&touch) {
            self.list.push(touch);
        }
    }
}
