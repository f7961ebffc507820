//! The concrete memory: objects of bytes, with what was written, which pointers lie in it, and how to undo a step.
//!
//! Addresses are labels: they are given out in the order of allocation, an address of the heap is not used again while
//! there is room, and an access is checked against the object its pointer belongs to, never against its neighbours.
//! Every change goes through this module, so that the journal can take an atomic step back that turned out to wait.

use crate::race::Shadow;
use crate::value::{ObjectRef, Value};
use std::collections::{BTreeMap, VecDeque};
use tp_ir::{DataModel, FuncId, GlobalId, PlaceId};

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    Global(GlobalId),
    ThreadLocal(GlobalId),
    /// A local of a function; the block and index of its `Alloca` name it.
    Local {
        function: FuncId,
        block: u32,
        index: u32,
    },
    Heap,
    Function(FuncId),
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum State {
    Live,
    /// A local whose scope has ended but may begin again.
    OutOfScope,
    Dead,
}

/// Which bytes were written.
#[derive(Clone, Debug)]
enum Written {
    All,
    Small(u64),
    Large(Vec<u64>),
}

impl Written {
    fn none(size: u64) -> Written {
        match size {
            0 => Written::All,
            1..=64 => Written::Small(0),
            _ => Written::Large(vec![0; (size as usize).div_ceil(64)]),
        }
    }

    #[inline]
    fn mark(&mut self, offset: u64, len: u64, written: bool, size: u64) {
        match self {
            Written::All if written => {}
            Written::All => {
                *self = Written::none(size);
                self.mark(0, offset, true, size);
                self.mark(offset + len, size - offset - len, true, size);
            }
            Written::Small(bits) => {
                let mask = if len >= 64 { u64::MAX } else { ((1u64 << len) - 1) << (offset & 63) };
                *bits = if written { *bits | mask } else { *bits & !mask };
                let all = if size == 64 { u64::MAX } else { (1u64 << size) - 1 };
                if *bits == all {
                    *self = Written::All;
                }
            }
            Written::Large(words) => {
                for i in offset..offset + len {
                    let bit = 1u64 << (i % 64);
                    let word = &mut words[(i / 64) as usize];
                    *word = if written { *word | bit } else { *word & !bit };
                }
            }
        }
    }

    fn get(&self, offset: u64) -> bool {
        match self {
            Written::All => true,
            Written::Small(bits) => bits >> offset & 1 == 1,
            Written::Large(words) => words[(offset / 64) as usize] >> (offset % 64) & 1 == 1,
        }
    }
}

pub struct Object {
    pub base: u64,
    pub size: u64,
    pub generation: u32,
    pub kind: ObjectKind,
    pub state: State,
    /// No other thread can have its address.
    pub private: bool,
    pub constant: bool,
    /// Belongs to the models: its accesses neither race nor synchronise.
    pub internal: bool,
    /// A waiting thread read it: a write may wake that thread.
    pub watched: bool,
    /// The thread that made it, and where; where it was freed.
    pub made_by: u32,
    pub made_at: Option<PlaceId>,
    pub freed_at: Option<PlaceId>,
    bytes: Vec<u8>,
    written: Written,
    /// The objects that pointers stored here belong to, one entry per aligned word; empty while there are none.
    pointers: Vec<Option<ObjectRef>>,
    pub shadow: Shadow,
}

/// Why an access is impossible.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    Null {
        address: u64,
    },
    /// Belongs to no object.
    Wild {
        address: u64,
    },
    Dead {
        object: ObjectRef,
    },
    OutOfScope {
        object: ObjectRef,
    },
    Bounds {
        object: ObjectRef,
        offset: i64,
    },
    ReadOnly {
        object: ObjectRef,
    },
    NotData {
        object: ObjectRef,
    },
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct OutOfMemory;

/// One undoable change.
enum Change {
    Bytes {
        slot: u32,
        offset: u64,
        old: Box<[u8]>,
        written: Box<[bool]>,
        pointers: Vec<(usize, Option<ObjectRef>)>,
    },
    Made {
        slot: u32,
    },
    Ended {
        slot: u32,
        old: State,
        freed_at: Option<PlaceId>,
    },
    Scope {
        slot: u32,
        old: State,
    },
}

/// What `undo` needs: the changes, and where the heap was.
struct Journal {
    changes: Vec<Change>,
    next_heap: u64,
    wrapped: bool,
}

/// Where the kinds of objects lie.
struct Layout {
    functions: u64,
    globals: u64,
    heap: u64,
    heap_end: u64,
    stacks: u64,
    stack_size: u64,
}

const ILP32: Layout = Layout {
    functions: 0x0804_8000,
    globals: 0x0900_0000,
    heap: 0x2000_0000,
    heap_end: 0xa000_0000,
    stacks: 0xa000_0000,
    stack_size: 0x4_0000,
};
const LP64: Layout = Layout {
    functions: 0x0040_0000,
    globals: 0x1000_0000,
    heap: 0x5555_0000_0000,
    heap_end: 0x6555_0000_0000,
    stacks: 0x7000_0000_0000,
    stack_size: 0x1000_0000,
};
/// Below this everything counts as a null pointer with an offset.
const NULL_PAGE: u64 = 4096;
/// Dead objects are remembered until this many others died.
const REMEMBERED: usize = 4096;

pub struct Memory {
    objects: Vec<Object>,
    dead: VecDeque<u32>,
    reusable: Vec<u32>,
    layout: &'static Layout,
    word: u64,
    next_function: u64,
    next_global: u64,
    next_heap: u64,
    wrapped: bool,
    heap: BTreeMap<u64, u64>,
    used: u64,
    limit: u64,
    journal: Option<Journal>,
}

impl Memory {
    pub fn new(data: DataModel, limit: u64) -> Memory {
        let layout = match data {
            DataModel::Ilp32 => &ILP32,
            DataModel::Lp64 => &LP64,
        };
        Memory {
            objects: Vec::new(),
            dead: VecDeque::new(),
            reusable: Vec::new(),
            layout,
            word: data.pointer_width().bytes() as u64,
            next_function: layout.functions,
            next_global: layout.globals,
            next_heap: layout.heap,
            wrapped: false,
            heap: BTreeMap::new(),
            used: 0,
            limit,
            journal: None,
        }
    }

    #[inline(always)]
    pub fn object(&self, r: ObjectRef) -> &Object {
        &self.objects[r.slot()]
    }

    #[inline(always)]
    pub fn object_mut(&mut self, r: ObjectRef) -> &mut Object {
        &mut self.objects[r.slot()]
    }

    /// Live objects in the order of their slots.
    pub fn live(&self) -> impl Iterator<Item = (ObjectRef, &Object)> {
        self.objects.iter().enumerate().skip(1).filter_map(|(i, o)| {
            (o.state != State::Dead).then(|| (ObjectRef::new(i as u32, o.generation), o))
        })
    }

    pub fn is_live(&self, r: ObjectRef) -> bool {
        let o = &self.objects[r.slot()];
        o.generation == r.generation() && o.state != State::Dead
    }

    /// Bytes in live objects.
    pub fn used(&self) -> u64 {
        self.used
    }

    // ── making and ending objects ──────────────────────────────────────────────────────────────────────────────

    pub fn make_function(&mut self, function: FuncId) -> Value {
        let base = self.next_function;
        self.next_function += 16;
        let r = self.insert(ObjectKind::Function(function), base, 1, true, false);
        Value::pointer(base, r)
    }

    pub fn make_global(&mut self, kind: ObjectKind, size: u64, align: u64) -> Result<ObjectRef, OutOfMemory> {
        self.charge(size)?;
        let base = self.next_global.next_multiple_of(align.max(16));
        self.next_global = base + size + 16;
        if self.next_global > self.layout.heap {
            return Err(OutOfMemory);
        }
        Ok(self.insert(kind, base, size, true, false))
    }

    pub fn make_heap(&mut self, size: u64, align: u64) -> Result<ObjectRef, OutOfMemory> {
        self.charge(size)?;
        let base = self.heap_address(size, align.max(16))?;
        self.heap.insert(base, base + size.max(1));
        Ok(self.insert(ObjectKind::Heap, base, size, false, false))
    }

    /// A local at `sp` bytes into the stack of a thread; the new `sp` comes back.
    pub fn make_local(
        &mut self,
        kind: ObjectKind,
        stack: u32,
        sp: u64,
        size: u64,
        align: u64,
        private: bool,
    ) -> Result<(ObjectRef, u64), OutOfMemory> {
        self.charge(size)?;
        let start = self.layout.stacks + stack as u64 * self.layout.stack_size;
        let base = (start + sp).next_multiple_of(align.max(1));
        // One byte of distance, so that the end of one local is not the start of the next.
        let end = base + size + 1 - start;
        if end > self.layout.stack_size {
            let base = self.heap_address(size, align.max(16))?;
            return Ok((self.insert(kind, base, size, false, private), sp));
        }
        Ok((self.insert(kind, base, size, false, private), end))
    }

    fn charge(&mut self, size: u64) -> Result<(), OutOfMemory> {
        let used = self.used.checked_add(size).filter(|&u| u <= self.limit).ok_or(OutOfMemory)?;
        self.used = used;
        Ok(())
    }

    /// Addresses go up; when the space ends they start again from below, around what is live.
    fn heap_address(&mut self, size: u64, align: u64) -> Result<u64, OutOfMemory> {
        loop {
            let base = self.next_heap.next_multiple_of(align);
            let end = base.checked_add(size + 16).ok_or(OutOfMemory)?;
            if end > self.layout.heap_end {
                if self.wrapped && self.next_heap == self.layout.heap {
                    return Err(OutOfMemory);
                }
                self.wrapped = true;
                self.next_heap = self.layout.heap;
                if size + 32 > self.layout.heap_end - self.layout.heap {
                    return Err(OutOfMemory);
                }
                continue;
            }
            if self.wrapped
                && let Some((_, &taken)) = self.heap.range(..end).next_back()
                && taken > base
            {
                self.next_heap = taken + 16;
                continue;
            }
            self.next_heap = end;
            return Ok(base);
        }
    }

    fn insert(&mut self, kind: ObjectKind, base: u64, size: u64, zeroed: bool, private: bool) -> ObjectRef {
        let written = if zeroed { Written::All } else { Written::none(size) };
        let slot = self
            .reusable
            .pop()
            .or_else(|| if self.dead.len() > REMEMBERED { self.dead.pop_front() } else { None });
        let slot = match slot {
            Some(slot) => {
                let o = &mut self.objects[slot as usize];
                let generation = (o.generation + 1) & 0x7fff_ffff;
                o.bytes.clear();
                o.bytes.resize(size as usize, 0);
                o.pointers.clear();
                o.shadow.clear();
                *o = Object {
                    bytes: std::mem::take(&mut o.bytes),
                    pointers: std::mem::take(&mut o.pointers),
                    shadow: std::mem::take(&mut o.shadow),
                    ..Object::new(kind, base, size, generation, written, private)
                };
                slot
            }
            None => {
                if self.objects.is_empty() {
                    // Slot 0 stands for "no object".
                    self.objects.push(Object::new(ObjectKind::Heap, 0, 0, 0, Written::All, false));
                    self.objects[0].state = State::Dead;
                }
                let mut o = Object::new(kind, base, size, 0, written, private);
                o.bytes.resize(size as usize, 0);
                self.objects.push(o);
                (self.objects.len() - 1) as u32
            }
        };
        if let Some(journal) = &mut self.journal {
            journal.changes.push(Change::Made { slot });
        }
        ObjectRef::new(slot, self.objects[slot as usize].generation)
    }

    /// Ends an object. Its contents stay until the step is certain to be taken.
    pub fn end(&mut self, r: ObjectRef, at: Option<PlaceId>) {
        let slot = r.slot() as u32;
        let o = &mut self.objects[r.slot()];
        if o.state == State::Dead {
            return;
        }
        let old = std::mem::replace(&mut o.state, State::Dead);
        let freed_at = std::mem::replace(&mut o.freed_at, at);
        match &mut self.journal {
            Some(journal) => journal.changes.push(Change::Ended { slot, old, freed_at }),
            None => self.bury(slot),
        }
    }

    /// A local's scope begins (contents unknown) or ends.
    pub fn set_scope(&mut self, r: ObjectRef, live: bool) {
        let slot = r.slot();
        let size = self.objects[slot].size;
        if live && !matches!(self.objects[slot].written, Written::Small(0)) {
            self.journal_bytes(slot, 0, size);
            let o = &mut self.objects[slot];
            o.written = Written::none(size);
            o.pointers.clear();
        }
        let o = &mut self.objects[slot];
        let old = std::mem::replace(&mut o.state, if live { State::Live } else { State::OutOfScope });
        if let Some(journal) = &mut self.journal {
            journal.changes.push(Change::Scope { slot: slot as u32, old });
        }
    }

    fn bury(&mut self, slot: u32) {
        let o = &mut self.objects[slot as usize];
        self.used -= o.size;
        if o.kind == ObjectKind::Heap || o.size > 64 {
            o.bytes = Vec::new();
        }
        o.pointers.clear();
        o.shadow.clear();
        if o.kind == ObjectKind::Heap {
            self.heap.remove(&o.base);
        }
        if o.private {
            self.reusable.push(slot);
        } else {
            self.dead.push_back(slot);
        }
    }

    // ── undoing ────────────────────────────────────────────────────────────────────────────────────────────────

    /// From here on changes are remembered, until `commit` or `undo`.
    pub fn begin(&mut self) {
        self.journal =
            Some(Journal { changes: Vec::new(), next_heap: self.next_heap, wrapped: self.wrapped });
    }

    pub fn commit(&mut self) {
        let Some(journal) = self.journal.take() else { return };
        for change in journal.changes {
            if let Change::Ended { slot, .. } = change {
                self.bury(slot);
            }
        }
    }

    pub fn undo(&mut self) {
        let Some(journal) = self.journal.take() else { return };
        self.next_heap = journal.next_heap;
        self.wrapped = journal.wrapped;
        for change in journal.changes.into_iter().rev() {
            match change {
                Change::Bytes { slot, offset, old, written, pointers } => {
                    let o = &mut self.objects[slot as usize];
                    let size = o.size;
                    o.bytes[offset as usize..offset as usize + old.len()].copy_from_slice(&old);
                    for (i, w) in written.iter().enumerate() {
                        o.written.mark(offset + i as u64, 1, *w, size);
                    }
                    for (i, p) in pointers {
                        o.set_pointer(i, p, self.word);
                    }
                }
                Change::Made { slot } => {
                    self.objects[slot as usize].state = State::Dead;
                    self.bury(slot);
                }
                Change::Ended { slot, old, freed_at } => {
                    let o = &mut self.objects[slot as usize];
                    o.state = old;
                    o.freed_at = freed_at;
                }
                Change::Scope { slot, old } => self.objects[slot as usize].state = old,
            }
        }
    }

    fn journal_bytes(&mut self, slot: usize, offset: u64, len: u64) {
        let Some(journal) = &mut self.journal else { return };
        let o = &self.objects[slot];
        let words = offset / self.word..(offset + len).div_ceil(self.word);
        journal.changes.push(Change::Bytes {
            slot: slot as u32,
            offset,
            old: o.bytes[offset as usize..(offset + len) as usize].into(),
            written: (offset..offset + len).map(|i| o.written.get(i)).collect(),
            pointers: words.map(|w| (w as usize, o.pointers.get(w as usize).copied().flatten())).collect(),
        });
    }

    // ── finding ────────────────────────────────────────────────────────────────────────────────────────────────

    /// The object and offset of an access of `len` bytes, or why there is none.
    #[inline]
    pub fn find(&self, pointer: Value, len: u64) -> Result<(ObjectRef, u64), Fault> {
        let r = match pointer.object() {
            Some(r) => r,
            None => self.find_address(pointer.bits)?,
        };
        let o = &self.objects[r.slot()];
        if o.generation != r.generation() || o.state != State::Live {
            return Err(if o.generation == r.generation() && o.state == State::OutOfScope {
                Fault::OutOfScope { object: r }
            } else {
                Fault::Dead { object: r }
            });
        }
        let offset = pointer.bits.wrapping_sub(o.base);
        if offset > o.size || len > o.size - offset {
            let offset = if self.word == 4 { offset as u32 as i32 as i64 } else { offset as i64 };
            return Err(Fault::Bounds { object: r, offset });
        }
        if let ObjectKind::Function(_) = o.kind {
            return Err(Fault::NotData { object: r });
        }
        Ok((r, offset))
    }

    /// An address that was put together from integers belongs to the object that lies there now.
    fn find_address(&self, address: u64) -> Result<ObjectRef, Fault> {
        if address < NULL_PAGE {
            return Err(Fault::Null { address });
        }
        let holds = |o: &Object| address >= o.base && address - o.base < o.size.max(1);
        self.live()
            .find(|(_, o)| o.state == State::Live && holds(o))
            .map(|(r, _)| r)
            .ok_or(Fault::Wild { address })
    }

    pub fn function_at(&self, pointer: Value) -> Option<FuncId> {
        let r = pointer.object().or_else(|| self.find_address(pointer.bits).ok())?;
        let o = self.object(r);
        match o.kind {
            ObjectKind::Function(f) if o.base == pointer.bits => Some(f),
            _ => None,
        }
    }

    // ── reading and writing ────────────────────────────────────────────────────────────────────────────────────

    /// Reads `len` ≤ 16 bytes. The second result tells whether none (`false`) of them was ever written.
    #[inline]
    pub fn read(&self, r: ObjectRef, offset: u64, len: u64) -> (u128, Option<ObjectRef>, bool) {
        let o = &self.objects[r.slot()];
        let start = offset as usize;
        let bits = if len <= 8 {
            let mut word = [0u8; 8];
            word[..len as usize].copy_from_slice(&o.bytes[start..start + len as usize]);
            u64::from_le_bytes(word) as u128
        } else {
            let mut word = [0u8; 16];
            word[..len as usize].copy_from_slice(&o.bytes[start..start + len as usize]);
            u128::from_le_bytes(word)
        };
        let object = if !o.pointers.is_empty() && len >= self.word && offset.is_multiple_of(self.word) {
            o.pointers[(offset / self.word) as usize]
        } else {
            None
        };
        let written = match &o.written {
            Written::All => true,
            w => (offset..offset + len).any(|i| w.get(i)),
        };
        (bits, object, written)
    }

    /// Writes the low `len` ≤ 16 bytes.
    #[inline]
    pub fn write(&mut self, r: ObjectRef, offset: u64, len: u64, bits: u128, object: Option<ObjectRef>) {
        if self.journal.is_some() {
            self.journal_bytes(r.slot(), offset, len);
        }
        let word = self.word;
        let o = &mut self.objects[r.slot()];
        let start = offset as usize;
        if len <= 8 {
            let bytes = (bits as u64).to_le_bytes();
            o.bytes[start..start + len as usize].copy_from_slice(&bytes[..len as usize]);
        } else {
            o.bytes[start..start + len as usize].copy_from_slice(&bits.to_le_bytes()[..len as usize]);
        }
        if !matches!(o.written, Written::All) {
            o.written.mark(offset, len, true, o.size);
        }
        if object.is_some() || !o.pointers.is_empty() {
            for w in offset / word..(offset + len).div_ceil(word) {
                o.set_pointer(w as usize, None, word);
            }
            if object.is_some() && len >= word && offset.is_multiple_of(word) {
                o.set_pointer((offset / word) as usize, object, word);
            }
        }
    }

    /// The initial contents of an object.
    pub fn set_bytes(&mut self, r: ObjectRef, bytes: &[u8]) {
        self.objects[r.slot()].bytes[..bytes.len()].copy_from_slice(bytes);
    }

    /// Makes bytes unwritten again (an uninitialised value was stored there).
    pub fn unwrite(&mut self, r: ObjectRef, offset: u64, len: u64) {
        self.write(r, offset, len, 0, None);
        let o = &mut self.objects[r.slot()];
        o.written.mark(offset, len, false, o.size);
    }

    /// Copies bytes with what is known of them; areas may overlap.
    pub fn copy(&mut self, dst: (ObjectRef, u64), src: (ObjectRef, u64), len: u64) {
        if len == 0 {
            return;
        }
        self.journal_bytes(dst.0.slot(), dst.1, len);
        let word = self.word;
        let from = &self.objects[src.0.slot()];
        let bytes = from.bytes[src.1 as usize..(src.1 + len) as usize].to_vec();
        let written: Option<Vec<bool>> = match &from.written {
            Written::All => None,
            w => Some((src.1..src.1 + len).map(|i| w.get(i)).collect()),
        };
        let pointers: Vec<(u64, ObjectRef)> = (src.1.next_multiple_of(word)
            ..(src.1 + len).saturating_sub(word - 1))
            .step_by(word as usize)
            .filter_map(|at| Some((at - src.1, (*from.pointers.get((at / word) as usize)?)?)))
            .collect();
        let to = &mut self.objects[dst.0.slot()];
        let size = to.size;
        to.bytes[dst.1 as usize..(dst.1 + len) as usize].copy_from_slice(&bytes);
        match written {
            None => to.written.mark(dst.1, len, true, size),
            Some(flags) => {
                for (i, f) in flags.into_iter().enumerate() {
                    to.written.mark(dst.1 + i as u64, 1, f, size);
                }
            }
        }
        for w in dst.1 / word..(dst.1 + len).div_ceil(word) {
            to.set_pointer(w as usize, None, word);
        }
        for (at, object) in pointers {
            if (dst.1 + at).is_multiple_of(word) {
                to.set_pointer(((dst.1 + at) / word) as usize, Some(object), word);
            }
        }
    }

    pub fn fill(&mut self, r: ObjectRef, offset: u64, len: u64, byte: u8) {
        if len == 0 {
            return;
        }
        self.journal_bytes(r.slot(), offset, len);
        let word = self.word;
        let o = &mut self.objects[r.slot()];
        o.bytes[offset as usize..(offset + len) as usize].fill(byte);
        o.written.mark(offset, len, true, o.size);
        for w in offset / word..(offset + len).div_ceil(word) {
            o.set_pointer(w as usize, None, word);
        }
    }

    /// The bytes of an object from an offset on.
    pub fn bytes(&self, r: ObjectRef, offset: u64, len: u64) -> &[u8] {
        &self.objects[r.slot()].bytes[offset as usize..(offset + len) as usize]
    }

    /// The objects that pointers inside an object belong to.
    pub fn pointers_in(&self, r: ObjectRef) -> impl Iterator<Item = ObjectRef> {
        self.objects[r.slot()].pointers.iter().filter_map(|p| *p)
    }

    /// Gives the unwritten bytes of a range these values, without counting as a write of the program.
    pub fn settle(&mut self, r: ObjectRef, offset: u64, len: u64, bits: u128) {
        self.journal_bytes(r.slot(), offset, len);
        let o = &mut self.objects[r.slot()];
        for i in 0..len {
            if !o.written.get(offset + i) {
                o.bytes[(offset + i) as usize] = (bits >> (8 * i)) as u8;
            }
        }
        o.written.mark(offset, len, true, o.size);
    }

    /// An object whose contents are given from outside, any value: reads of it are inputs.
    pub fn forget(&mut self, r: ObjectRef) {
        let o = &mut self.objects[r.slot()];
        o.written = Written::none(o.size);
    }
}

impl Object {
    fn new(
        kind: ObjectKind,
        base: u64,
        size: u64,
        generation: u32,
        written: Written,
        private: bool,
    ) -> Object {
        Object {
            base,
            size,
            generation,
            kind,
            state: State::Live,
            private,
            constant: false,
            internal: false,
            watched: false,
            made_by: 0,
            made_at: None,
            freed_at: None,
            bytes: Vec::new(),
            written,
            pointers: Vec::new(),
            shadow: Shadow::default(),
        }
    }

    fn set_pointer(&mut self, word: usize, object: Option<ObjectRef>, word_size: u64) {
        if self.pointers.is_empty() {
            if object.is_none() {
                return;
            }
            self.pointers = vec![None; self.size.div_ceil(word_size) as usize];
        }
        self.pointers[word] = object;
    }
}
