//! A digest of the state of a run: equal for states from which the program can do the same, up to names of objects.
//!
//! Addresses are not part of it. Variables and functions stand for themselves; all other objects are numbered in the
//! order in which they are reached from variables and from the live registers of threads. A pointer is the number of
//! its object and an offset. So two states are the same if they differ in where objects lie, in what was allocated and
//! freed before, in registers that are never read again, or in objects that nothing points to. That is exact for
//! programs that do not compute with addresses as numbers; the caller has to know that.
//!
//! States in which interchangeable threads have exchanged their parts have the same digest, too (`roles`). A value that depends
//! on inputs is its bits and its term: from states with the same digest, the same decisions depend on inputs in the same way.
//!
//! The digest has 128 bits: two different states of one search have the same one with a probability that is far below
//! that of a defect of the processor. The contents of an object are hashed once for each change (`Digests`).

mod roles;

use crate::memory::{Memory, ObjectKind, ObjectState};
use crate::state::RunState;
use crate::thread::Thread;
use crate::value::{ObjectRef, Value};
use roles::Roles;
use rustc_hash::FxHashMap;
use tp_analysis::liveness::Liveness;
use tp_ir::{BlockId, DataModel, EntityRef, FuncId, Reg, Width};

/// A hash of 128 bits, as two lanes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Hasher(u64, u64);

impl Hasher {
    pub fn new() -> Hasher {
        Hasher(0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344)
    }

    #[inline]
    pub fn add(&mut self, word: u64) {
        let fold = |a: u64, b: u64| {
            let product = a as u128 * b as u128;
            product as u64 ^ (product >> 64) as u64
        };
        self.0 = fold(self.0 ^ word, 0x9e37_79b9_7f4a_7c15).rotate_left(23) ^ self.1;
        self.1 = fold(self.1 ^ word.rotate_left(32), 0xd6e8_feb8_6659_fd93).wrapping_add(word);
    }

    pub fn finish(self) -> u128 {
        let mut last = self;
        last.add(0x0123_4567_89ab_cdef);
        last.add(0xfedc_ba98_7654_3210);
        (last.0 as u128) << 64 | last.1 as u128
    }
}

/// The live registers of a function at an instruction; `true`: inside the call there.
type LiveAt = FxHashMap<(FuncId, BlockId, usize, bool), Box<[u32]>>;

/// What is remembered between digests of one session.
#[derive(Default)]
pub(crate) struct Digests<'p> {
    live: LiveAt,
    liveness: FxHashMap<FuncId, Liveness<'p>>,
    /// By slot: the stretch of the run in which the object was last changed, and the hash of its contents since.
    contents: Vec<Option<(u64, u128)>>,
    /// By slot: the number of the object in the digest with this stamp.
    numbers: Vec<(u64, u32)>,
    stamp: u64,
    /// Objects that are numbered and not hashed yet.
    reached: Vec<ObjectRef>,
    count: u32,
    roles: Roles,
    /// A part of a state is hashed alone: a pointer counts as what it points to.
    is_alone: bool,
}

/// Bytes of an object, and whether they are written.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TrackedBytes {
    pub(crate) object: ObjectRef,
    offset: u64,
    len: u64,
    writes: bool,
}

/// A lock, by the key of its object (see `Touch`) and its offset there.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct LockKey {
    pub object: u64,
    pub offset: u64,
}

/// An access that is part of the state.
#[derive(Copy, Clone, Debug)]
pub struct TrackedAccess<'a> {
    pub bytes: TrackedBytes,
    pub is_first: bool,
    /// Threads that come after it, as bits.
    pub known: u64,
    /// Held during the access.
    pub locks: &'a [LockKey],
}

/// What belongs to a state beside the state of the run.
pub struct Beside<'a> {
    /// By thread, the accesses that count as part of the state.
    pub tracked: &'a [(u32, Vec<TrackedAccess<'a>>)],
    /// How many objects are allocated counts, whether or not something points to them.
    pub counts_heap: bool,
    /// Whether an object with this key differs from objects with others.
    pub has_key: &'a dyn Fn(u64) -> bool,
    /// By thread, the set of interchangeable threads that it belongs to.
    pub sets: &'a [Option<u32>],
}

impl TrackedBytes {
    pub(crate) fn new(object: ObjectRef, (offset, len): (u64, u64), writes: bool) -> TrackedBytes {
        TrackedBytes { object, offset, len, writes }
    }
}

impl<'p> Digests<'p> {
    /// `named`: how many objects stand for themselves.
    pub fn digest(&mut self, state: &RunState<'p>, named: usize, beside: &Beside<'_>) -> u128 {
        self.stamp += 1;
        self.count = 0;
        self.reached.clear();
        self.find_roles(state, named, beside);
        let mut hash = Hasher::new();
        let memory = &state.memory;
        for (r, object) in memory.first_objects(named) {
            let is_elsewhere = object.constant || self.roles.set_of_record(r).is_some();
            if !is_elsewhere && object.state != ObjectState::Dead {
                self.object(memory, named, r, &mut hash);
            }
        }
        hash.add(state.next_number as u64);
        hash.add(state.cut.as_ref().map_or(0, |end| 1 + u64::from(matches!(end, crate::End::Undefined(_)))));
        let mut threads: Vec<&Thread<'p>> = state.threads.iter().flatten().map(|t| &**t).collect();
        threads.sort_unstable_by_key(|t| self.roles.number(t.number));
        for thread in threads {
            hash.add(self.roles.number(thread.number) as u64);
            self.thread(memory, named, thread, &mut hash);
        }
        for i in 0..self.roles.records().len() {
            let r = self.roles.records()[i];
            self.contents_and_pointers(memory, named, r, &mut hash);
        }
        let mut next = 0;
        while let Some(&r) = self.reached.get(next) {
            next += 1;
            hash.add(next as u64);
            let key = memory.object(r).key;
            if (beside.has_key)(key) {
                hash.add(self.roles.key(key));
            }
            self.object(memory, named, r, &mut hash);
        }
        let mut tracked: Vec<_> = beside.tracked.iter().filter(|t| !t.1.is_empty()).collect();
        tracked.sort_unstable_by_key(|t| self.roles.number(t.0));
        for (thread, accesses) in tracked {
            hash.add(1 + self.roles.number(*thread) as u64);
            // A set: the order in which accesses were made does not matter.
            let mut set: Vec<u128> = accesses.iter().map(|a| self.access(memory, named, a)).collect();
            set.sort_unstable();
            set.dedup();
            set.into_iter().for_each(|word| {
                hash.add(word as u64);
                hash.add((word >> 64) as u64);
            });
        }
        if beside.counts_heap {
            hash.add(memory.heap_objects() as u64);
        }
        hash.finish()
    }

    /// The number that this thread has in the latest digest.
    pub fn role(&self, thread: u32) -> u32 {
        self.roles.number(thread)
    }

    fn access(&self, memory: &Memory, named: usize, access: &TrackedAccess<'_>) -> u128 {
        let TrackedBytes { object, offset, len, writes } = access.bytes;
        let of_record = self.roles.owner_of_record(object);
        let number = of_record.map(|owner| roles::RECORD | self.roles.number(owner) as u64);
        let number = number.or_else(|| self.known_number(named, object));
        let number = number.unwrap_or_else(|| u64::MAX ^ self.roles.key(memory.object(object).key));
        let known = self.roles.bits(access.known);
        let mut hash = Hasher::new();
        let flags = u64::from(writes) << 1 | u64::from(access.is_first);
        [number, offset, len, flags, known].into_iter().for_each(|word| hash.add(word));
        for lock in access.locks {
            hash.add(self.roles.key(lock.object));
            hash.add(lock.offset);
        }
        hash.finish()
    }

    fn known_number(&self, named: usize, r: ObjectRef) -> Option<u64> {
        if r.slot() < named {
            return Some(r.slot() as u64);
        }
        let number = self.numbers.get(r.slot()).filter(|n| n.0 == self.stamp)?;
        Some((named + number.1 as usize) as u64)
    }

    /// The number of an object, which is hashed later if it is new.
    fn number(&mut self, named: usize, r: ObjectRef) -> u64 {
        if let Some(number) = self.known_number(named, r) {
            return number;
        }
        if self.numbers.len() <= r.slot() {
            self.numbers.resize(r.slot() + 1, (0, 0));
        }
        self.numbers[r.slot()] = (self.stamp, self.count);
        self.count += 1;
        self.reached.push(r);
        (named as u64) + self.count as u64 - 1
    }

    fn pointer(&mut self, memory: &Memory, named: usize, bits: u64, r: ObjectRef, hash: &mut Hasher) {
        let number = match self.roles.set_of_record(r) {
            Some(set) => roles::RECORD | set as u64,
            None if self.is_alone && memory.object(r).state == ObjectState::Dead => 3,
            None if self.is_alone && r.slot() >= named => self.contents_of(memory, r) as u64,
            None => self.number(named, r),
        };
        hash.add(number);
        hash.add(bits.wrapping_sub(memory.object(r).base));
    }

    fn value(&mut self, memory: &Memory, named: usize, value: Value, is_wide: bool, hash: &mut Hasher) {
        if is_wide {
            let bits = value.wide(Width::MAX);
            hash.add(bits as u64);
            hash.add((bits >> 64) as u64);
        } else if value.is_uninit() {
            hash.add(u64::MAX);
        } else if let Some(r) = value.object() {
            hash.add(2);
            self.pointer(memory, named, value.bits, r, hash);
        } else {
            hash.add(value.term().map_or(1, |term| 4 + term.number() as u64));
            hash.add(value.bits);
        }
    }

    /// All but its number.
    fn thread(&mut self, memory: &Memory, named: usize, thread: &Thread<'p>, hash: &mut Hasher) {
        hash.add((thread.stopped as u64) << 1 | thread.left_scope as u64);
        hash.add(thread.copied);
        let last = thread.frames.len().saturating_sub(1);
        for (i, frame) in thread.frames.iter().enumerate() {
            hash.add((frame.function.index() as u64) << 32 | frame.block.index() as u64);
            hash.add(frame.pc as u64);
            let at = (frame.function, frame.block, frame.pc, i < last);
            if !self.live.contains_key(&at) {
                let liveness =
                    self.liveness.entry(frame.function).or_insert_with(|| Liveness::new(frame.body));
                let live = liveness.registers(frame.block, frame.pc, i < last).map(|r| r as u32).collect();
                self.live.insert(at, live);
            }
            // Taken out and put back, so that the table can be used meanwhile.
            let Some(live) = self.live.get_mut(&at).map(std::mem::take) else { continue };
            for &r in &live {
                let ty = frame.body.regs[Reg::from_u32(r)].ty;
                let is_wide = ty.width(DataModel::Lp64).bits() > 64;
                self.value(memory, named, thread.regs[frame.base + r as usize], is_wide, hash);
            }
            self.live.insert(at, live);
        }
        for held in &thread.held {
            self.value(memory, named, held.lock, false, hash);
            hash.add(held.mode as u64);
        }
        for &(global, r) in &thread.thread_locals {
            hash.add(global.index() as u64);
            self.pointer(memory, named, memory.object(r).base, r, hash);
        }
    }

    fn object(&mut self, memory: &Memory, named: usize, r: ObjectRef, hash: &mut Hasher) {
        if memory.object(r).state == ObjectState::Dead {
            hash.add(3);
            return;
        }
        self.contents_and_pointers(memory, named, r, hash);
        for (at, names, value) in memory.names_in(r).filter(|word| word.2 != 0) {
            hash.add(at);
            hash.add(self.roles.names(names, value));
        }
    }

    /// All but numbers of threads.
    fn contents_and_pointers(&mut self, memory: &Memory, named: usize, r: ObjectRef, hash: &mut Hasher) {
        let contents = self.contents_of(memory, r);
        hash.add(contents as u64);
        hash.add((contents >> 64) as u64);
        for (word, bits, to) in memory.pointers_at(r) {
            hash.add(word as u64);
            self.pointer(memory, named, bits, to, hash);
        }
    }

    /// The hash of everything but pointers and numbers of threads. While a history is kept, an object that changes gets a new
    /// stretch, and one that is restored gets its old one back.
    fn contents_of(&mut self, memory: &Memory, r: ObjectRef) -> u128 {
        let object = memory.object(r);
        if self.contents.len() <= r.slot() {
            self.contents.resize(r.slot() + 1, None);
        }
        let stretch = memory.stretch(r);
        if let Some((known, hash)) = self.contents[r.slot()]
            && known == stretch
        {
            return hash;
        }
        let mut hash = Hasher::new();
        let kind = match object.kind {
            ObjectKind::Global(_) => 0,
            ObjectKind::ThreadLocal(_) => 1,
            ObjectKind::Local { .. } => 2,
            ObjectKind::Heap => 3,
            ObjectKind::Function(_) => 4,
        };
        let flags =
            [object.state == ObjectState::OutOfScope, object.private, object.internal, object.is_record];
        hash.add(object.size);
        hash.add(flags.into_iter().fold(kind, |bits, flag| bits << 1 | u64::from(flag)));
        memory.hash_contents(r, &mut hash);
        let hash = hash.finish();
        self.contents[r.slot()] = Some((stretch, hash));
        hash
    }
}
