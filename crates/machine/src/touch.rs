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
    /// A fingerprint of what the bytes were before it, and after the step.
    pub seen: u64,
    pub left: u64,
}

/// The key of what all starts of threads write.
const STARTS: u64 = u64::MAX;

impl Touch {
    /// What is seen by a step that reads no contents, but finds that the object is there.
    pub const IS_THERE: u64 = u64::MAX - 1;

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
    objects: Vec<Option<ObjectRef>>,
    pub recorded: bool,
}

impl Touched {
    #[inline]
    pub fn accesses(&mut self, memory: &Memory, r: ObjectRef, access: &Access, order: Order) {
        if self.recorded {
            let (reads, writes) = match access.kind {
                AccessKind::Read => (true, false),
                AccessKind::Write | AccessKind::Free => (false, true),
                AccessKind::ReadWrite => (true, true),
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
            if let Some(touch) = self.list.last_mut() {
                touch.seen = Touch::IS_THERE;
            }
        }
    }

    pub fn starts_thread(&mut self, number: u32) {
        if self.recorded {
            let (seen, left) = (number as u64, number as u64 + 1);
            self.list.push(Touch {
                key: STARTS,
                offset: 0,
                len: 1,
                reads: true,
                writes: true,
                plain: false,
                seen,
                left,
            });
            self.objects.push(None);
        }
    }

    pub fn clear(&mut self) {
        self.list.clear();
        self.objects.clear();
    }

    /// The step is over: what it wrote is what is there.
    pub fn finish(&mut self, memory: &Memory) {
        for (touch, object) in self.list.iter_mut().zip(&self.objects) {
            if let Some(r) = object
                && touch.writes
            {
                touch.left = memory.fingerprint(*r, touch.offset, touch.len);
            }
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
        let seen = if reads { memory.fingerprint(r, offset, len) } else { 0 };
        let touch = Touch { key: object.key, offset, len: len.max(1), reads, writes, plain, seen, left: 0 };
        if self.list.last() != Some(&touch) {
            self.list.push(touch);
            self.objects.push(Some(r));
        }
    }
}
