//! What a step touched, to decide which steps commute.
//!
//! Two steps of different threads commute unless one writes a byte that the other touches: in either order they read
//! the same, write the same and leave both threads in the same states. Objects have keys that are the same in all
//! orders: the number of the global, or the thread that made the object and how many it had made before. Not only
//! accesses count. The end of an object, or of the scope of a local, writes all of it, because an access after it would
//! fail. Starting a thread writes one imaginary object, because threads are numbered in the order of their starts.

use crate::digest::TrackedBytes;
use crate::memory::{Memory, ObjectKind, ObjectState};
use crate::race::{Access, AccessKind};
use crate::trace::ThreadNumber;
use crate::value::ObjectRef;
use tp_ir::MemoryOrder;

/// Bytes of an object, read or written by one step.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Touch {
    /// Identifies the object, in all equivalent runs.
    pub key: u64,
    pub offset: u64,
    /// Never 0.
    pub len: u64,
    pub reads: bool,
    pub writes: bool,
    /// An ordinary access, which can be part of a data race.
    pub plain: bool,
    /// The object ends, or its scope begins or ends.
    pub ends: bool,
    /// The object is a local or a thread's instance of a variable: it ends without an access.
    pub is_scoped: bool,
    /// Fingerprints of the bytes, before this touch and after the step.
    pub seen: u64,
    pub left: u64,
}

/// The key of the imaginary object that every start of a thread writes.
const STARTS: u64 = u64::MAX;

/// The thread that has made the object with this key.
pub fn maker(key: u64) -> Option<ThreadNumber> {
    ((key >> 32) as u32).checked_sub(1).filter(|_| key != STARTS)
}

impl Touch {
    /// `seen` of a step that reads no contents, but finds that the object is live, or that it is not.
    pub const IS_THERE: u64 = u64::MAX - 1;
    pub const IS_GONE: u64 = u64::MAX;

    /// It has found out at most whether the object is live.
    #[inline]
    pub fn reads_no_contents(&self) -> bool {
        !self.reads || self.seen == Touch::IS_THERE || self.seen == Touch::IS_GONE
    }

    /// The object was made by a thread. Globals never end.
    #[inline]
    pub fn may_end(&self) -> bool {
        self.key > u32::MAX as u64 && self.key != STARTS
    }

    #[inline]
    pub fn overlaps(&self, other: &Touch) -> bool {
        self.key == other.key
            && self.offset < other.offset + other.len
            && other.offset < self.offset + self.len
    }

    #[inline]
    pub fn conflicts(&self, other: &Touch) -> bool {
        (self.writes || other.writes) && self.overlaps(other)
    }
}

/// Touches in the order in which they happened; empty unless `recorded`.
#[derive(Default)]
pub(crate) struct Touched {
    pub list: Vec<Touch>,
    objects: Vec<Option<ObjectRef>>,
    pub recorded: bool,
}

impl Touched {
    #[inline]
    pub fn accesses(&mut self, memory: &Memory, r: ObjectRef, access: &Access, order: MemoryOrder) {
        if self.recorded {
            let (reads, writes) = match access.kind {
                AccessKind::Read => (true, false),
                AccessKind::Write | AccessKind::Free => (false, true),
                AccessKind::ReadWrite => (true, true),
            };
            let touch = Touch { plain: order == MemoryOrder::Plain, reads, writes, ..Touch::default() };
            let ends = access.kind == AccessKind::Free;
            self.add(memory, r, Touch { offset: access.offset, len: access.len, ends, ..touch });
        }
    }

    pub fn writes(&mut self, memory: &Memory, r: ObjectRef, offset: u64, len: u64) {
        if self.recorded {
            self.add(memory, r, Touch { offset, len, writes: true, ..Touch::default() });
        }
    }

    /// The object ends, or its scope begins or ends.
    #[inline]
    pub fn ends(&mut self, memory: &Memory, r: ObjectRef) {
        if self.recorded {
            let len = memory.object(r).size;
            self.add(memory, r, Touch { len, writes: true, ends: true, ..Touch::default() });
        }
    }

    /// Its size is asked for, which also shows whether it is live.
    pub fn measures(&mut self, memory: &Memory, r: ObjectRef) {
        if self.recorded {
            let object = memory.object(r);
            let seen = if object.state == ObjectState::Live { Touch::IS_THERE } else { Touch::IS_GONE };
            self.add(memory, r, Touch { len: object.size, reads: true, seen, ..Touch::default() });
        }
    }

    pub fn starts_thread(&mut self, number: u32) {
        if self.recorded {
            let (seen, left) = (number as u64, number as u64 + 1);
            let touch = Touch { key: STARTS, len: 1, reads: true, writes: true, ..Touch::default() };
            self.list.push(Touch { seen, left, ..touch });
            self.objects.push(None);
        }
    }

    /// Those of objects, as parts of a state.
    pub fn tracked(&self) -> impl Iterator<Item = (&Touch, TrackedBytes)> {
        self.list.iter().zip(&self.objects).filter_map(|(touch, object)| {
            let Touch { offset, len, writes, .. } = *touch;
            Some((touch, TrackedBytes::new((*object)?, (offset, len), writes)))
        })
    }

    /// The bytes of objects, in the order in which they were touched.
    pub fn places(&self) -> impl Iterator<Item = (ObjectRef, u64, u64)> {
        self.list.iter().zip(&self.objects).filter_map(|(touch, r)| Some(((*r)?, touch.offset, touch.len)))
    }

    pub fn clear(&mut self) {
        self.list.clear();
        self.objects.clear();
    }

    /// At the end of the step: fills `left` of what it wrote.
    pub fn finish(&mut self, memory: &Memory) {
        for (touch, object) in self.list.iter_mut().zip(&self.objects) {
            if let Some(r) = object
                && touch.writes
            {
                touch.left = memory.fingerprint(*r, touch.offset, touch.len);
            }
        }
    }

    fn add(&mut self, memory: &Memory, r: ObjectRef, mut touch: Touch) {
        let object = memory.object(r);
        if object.private || memory.is_new(r) {
            return;
        }
        if touch.reads && touch.seen == 0 {
            touch.seen = memory.fingerprint(r, touch.offset, touch.len);
        } else if !touch.reads && object.state != ObjectState::Live {
            touch.seen = Touch::IS_GONE;
        }
        touch.key = object.key;
        touch.is_scoped = matches!(object.kind, ObjectKind::Local { .. } | ObjectKind::ThreadLocal(_));
        touch.len = touch.len.max(1);
        if self.list.last() != Some(&touch) {
            self.list.push(touch);
            self.objects.push(Some(r));
        }
    }
}
