//! The concrete memory: objects of bytes, which of them were written, the pointers in them, and how to undo a step.
//!
//! Addresses are labels: they are given out in the order of allocation, an address of the heap is not used again while
//! there is room, and an access is checked against the object its pointer belongs to, never against its neighbours.
//! Every change goes through this module, so that the journal can undo an atomic step that has to wait.

mod address;
mod contents;
mod history;
mod journal;
mod names;
mod object;

pub use address::Arena;
use address::{AddressSpace, ILP32, LP64};
use history::History;
pub use history::MemoryMark;
use journal::{Change, Journal};
use object::Written;
pub use object::{Object, ObjectKind, ObjectState, SymbolByte};

use crate::value::{ObjectRef, Value};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use tp_ir::{DataModel, FuncId, GlobalId, PlaceId};
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum MemoryFault {
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
/// Below this everything counts as a null pointer with an offset.
const NULL_PAGE: u64 = 4096;
/// Dead objects are remembered until this many others died.
const REMEMBERED: usize = 4096;

#[derive(Clone)]
pub struct Memory {
    /// Each copy of a memory has its own. An `Rc` around each object makes a copy of 10,000 of them 40 times cheaper
    /// (`examples/state.rs`), but steps on shared memory 1 to 4 percent slower (`bench machine`), and those of a `Session`
    /// more, since it allocates each object that it keeps.
    objects: Vec<Object>,
    dead: VecDeque<u32>,
    reusable: Vec<u32>,
    layout: &'static AddressSpace,
    word: u64,
    next_function: u64,
    next_global: u64,
    next_heap: u64,
    wrapped: bool,
    /// Live objects of the heap and of threads: start, end, slot. Copies share it until one of them changes it.
    heap: Rc<BTreeMap<u64, (u64, u32)>>,
    used: u64,
    /// How often contents were changed, and how often those of locals that no other thread has accessed.
    changes: u64,
    changes_of_locals: u64,
    limit: u64,
    journal: Option<Journal>,
    journals: u64,
    history: Option<Box<History>>,
    /// Slots of objects that may have words with numbers of threads, ascending.
    with_names: Vec<u32>,
    /// Grows with each mark and each return to one, so that every stretch of a run has a number of its own.
    stretch: u64,
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
            heap: Rc::default(),
            used: 0,
            limit,
            journal: None,
            journals: 0,
            history: None,
            with_names: Vec::new(),
            stretch: 0,
            changes: 0,
            changes_of_locals: 0,
        }
    }

    #[inline(always)]
    pub fn object(&self, r: ObjectRef) -> &Object {
        &self.objects[r.slot()]
    }

    #[inline(always)]
    pub fn object_mut(&mut self, r: ObjectRef) -> &mut Object {
        self.changing(r.slot())
    }

    fn heap_mut(&mut self) -> &mut BTreeMap<u64, (u64, u32)> {
        Rc::make_mut(&mut self.heap)
    }

    /// Live objects in the order of their slots.
    pub fn live(&self) -> impl Iterator<Item = (ObjectRef, &Object)> {
        let live = self.objects.iter().enumerate().filter(|(_, o)| o.state != ObjectState::Dead);
        live.map(|(i, o)| (ObjectRef::new(i as u32, o.generation), o))
    }

    /// The objects of the first slots, those that have ended as well.
    pub fn first_objects(&self, count: usize) -> impl Iterator<Item = (ObjectRef, &Object)> {
        let first = self.objects.iter().enumerate().skip(1).take(count.saturating_sub(1));
        first.map(|(i, o)| (ObjectRef::new(i as u32, o.generation), o))
    }

    /// Slots in use, also by objects that have ended.
    pub fn slots(&self) -> usize {
        self.objects.len()
    }

    /// Live objects of the heap and of threads.
    pub fn heap_objects(&self) -> usize {
        self.heap.len()
    }

    /// The stretch of the run in which an object was last changed, while a history is kept. The number belongs to its
    /// contents: no other contents of its slot have it after a step.
    pub fn stretch(&self, r: ObjectRef) -> u64 {
        self.objects[r.slot()].changed
    }

    /// Whether it is live, or has ended and its slot was not reused.
    pub fn was_made(&self, r: ObjectRef) -> bool {
        self.objects.get(r.slot()).is_some_and(|o| o.generation == r.generation())
    }

    pub fn is_live(&self, r: ObjectRef) -> bool {
        self.was_made(r) && self.object(r).state != ObjectState::Dead
    }

    /// Bytes of a pointer.
    pub fn word_size(&self) -> u64 {
        self.word
    }

    /// Grows whenever contents change that another thread may have looked at. Copies and fills always count as a change, and so does a new
    /// object on the heap.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Grows whenever contents of locals change that no other thread has accessed.
    pub fn changes_of_locals(&self) -> u64 {
        self.changes_of_locals
    }

    /// A thread has accessed a local of another one. `true`: the first to do so.
    pub fn see_local(&mut self, r: ObjectRef) -> bool {
        !std::mem::replace(&mut self.objects[r.slot()].seen_by_others, true)
    }

    #[inline]
    fn changed(&mut self, r: ObjectRef) {
        match self.objects[r.slot()].is_own_local() {
            true => self.changes_of_locals += 1,
            false => self.changes += 1,
        }
    }

    /// Bytes in live objects.
    pub fn used(&self) -> u64 {
        self.used
    }

    // ── making and ending objects ──────────────────────────────────────────────────────────────────────────────

    pub fn make_function(&mut self, function: FuncId) -> ObjectRef {
        let base = self.next_function;
        self.next_function += 16;
        self.insert(ObjectKind::Function(function), base, 1, true, false)
    }

    /// Moves an object that was just made to this address, if no live object lies there.
    pub fn move_to(&mut self, r: ObjectRef, address: u64) -> bool {
        let (old, size) = (self.object(r).base, self.object(r).size.max(1));
        let Some(end) = address.checked_add(size).filter(|_| address >= NULL_PAGE) else { return false };
        let is_taken = |(other, o): (ObjectRef, &Object)| {
            other != r && o.base < end && address < o.base.saturating_add(o.size.max(1))
        };
        if self.live().any(is_taken) {
            return false;
        }
        if let Some((_, slot)) = self.heap_mut().remove(&old) {
            self.heap_mut().insert(address, (end, slot));
        }
        self.objects[r.slot()].base = address;
        true
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

    pub fn make_heap(&mut self, arena: &mut Arena, size: u64, align: u64) -> Result<ObjectRef, OutOfMemory> {
        self.charge(size)?;
        let base = self.address_in(arena, size, align.max(16))?;
        let r = self.insert(ObjectKind::Heap, base, size, false, false);
        self.changes += 1;
        self.heap_mut().insert(base, (base + size.max(1), r.slot() as u32));
        Ok(r)
    }

    /// A thread's instance of a variable. Threads come and go, so it lies among the objects of the heap.
    pub fn make_thread_local(
        &mut self,
        global: GlobalId,
        arena: &mut Arena,
        size: u64,
        align: u64,
    ) -> Result<ObjectRef, OutOfMemory> {
        self.charge(size)?;
        let base = self.address_in(arena, size, align.max(16))?;
        let r = self.insert(ObjectKind::ThreadLocal(global), base, size, true, false);
        self.heap_mut().insert(base, (base + size.max(1), r.slot() as u32));
        Ok(r)
    }

    /// A local at `sp` bytes into the stack of a thread. Also returns the new `sp`.
    pub fn make_local(
        &mut self,
        kind: ObjectKind,
        (stack, sp): (u32, u64),
        (size, align): (u64, u64),
        private: bool,
    ) -> Result<(ObjectRef, u64), OutOfMemory> {
        self.charge(size)?;
        let start = self.layout.stacks + stack as u64 * self.layout.stack_size;
        let base = (start + sp).next_multiple_of(align.max(1));
        // One byte of distance, so that the end of one local is not the start of the next.
        let end = base + size + 1 - start;
        let last_stack = (self.layout.stacks_end - self.layout.stacks) / self.layout.stack_size;
        if end > self.layout.stack_size || stack as u64 >= last_stack {
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

    fn insert(&mut self, kind: ObjectKind, base: u64, size: u64, zeroed: bool, private: bool) -> ObjectRef {
        let written = if zeroed { Written::All } else { Written::none(size) };
        // Inside an atomic step nothing that died is forgotten: the step may be undone.
        let may_forget = self.journal.is_none() && self.dead.len() > REMEMBERED;
        let slot = match self.history {
            // Going back needs ended objects in their slots.
            Some(_) => None,
            None => self.reusable.pop().or_else(|| if may_forget { self.dead.pop_front() } else { None }),
        };
        let slot = match slot {
            Some(slot) => {
                let o = &mut self.objects[slot as usize];
                let generation = (o.generation + 1) & 0x7fff_ffff;
                if o.bytes.capacity() < size as usize {
                    o.bytes = vec![0; size as usize];
                } else {
                    o.bytes.clear();
                    o.bytes.resize(size as usize, 0);
                }
                o.pointers.clear();
                o.shadow.clear();
                *o = Object {
                    bytes: std::mem::take(&mut o.bytes),
                    pointers: std::mem::take(&mut o.pointers),
                    shadow: std::mem::take(&mut o.shadow),
                    private,
                    ..Object::new(kind, base, size, generation, written)
                };
                slot
            }
            None => {
                if self.objects.is_empty() {
                    // Slot 0 stands for "no object".
                    self.objects.push(Object::new(ObjectKind::Heap, 0, 0, 0, Written::All));
                    self.objects[0].state = ObjectState::Dead;
                }
                let mut o = Object::new(kind, base, size, 0, written);
                o.private = private;
                o.bytes = vec![0; size as usize];
                (o.kept, o.changed) = (self.stretch, self.stretch);
                self.objects.push(o);
                (self.objects.len() - 1) as u32
            }
        };
        if let Some(journal) = &mut self.journal {
            journal.changes.push(Change::Made { slot });
            self.objects[slot as usize].made_in = journal.number;
        }
        ObjectRef::new(slot, self.objects[slot as usize].generation)
    }

    /// Ends an object. Its contents stay until the step is certain to be taken.
    pub fn end(&mut self, r: ObjectRef, at: Option<(u32, PlaceId)>) {
        let slot = r.slot() as u32;
        if self.objects[r.slot()].state == ObjectState::Dead {
            return;
        }
        let o = self.changing(r.slot());
        let old = std::mem::replace(&mut o.state, ObjectState::Dead);
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
            self.journal_contents(slot, 0, size);
            let o = self.changing(slot);
            o.written = Written::none(size);
            o.bytes.fill(0);
            o.pointers.clear();
            o.symbols.clear();
        }
        let o = self.changing(slot);
        o.scope += live as u64;
        let old =
            std::mem::replace(&mut o.state, if live { ObjectState::Live } else { ObjectState::OutOfScope });
        if let Some(journal) = &mut self.journal {
            journal.changes.push(Change::Scope { slot: slot as u32, old });
        }
    }

    /// A local's last scope ends.
    pub fn end_scope(&mut self, r: ObjectRef) {
        self.changing(r.slot()).outlived = true;
        self.end(r, None);
    }

    fn bury(&mut self, slot: u32) {
        self.used -= self.objects[slot as usize].size;
        let o = self.changing(slot as usize);
        if o.kind == ObjectKind::Heap || o.size > 64 {
            o.bytes = Vec::new();
        }
        o.pointers.clear();
        o.shadow.clear();
        o.names.clear();
        let (kind, base, is_forgotten) = (o.kind, o.base, o.private && !o.outlived);
        if matches!(kind, ObjectKind::Heap | ObjectKind::ThreadLocal(_)) {
            self.heap_mut().remove(&base);
        }
        if self.history.is_some() {
            return;
        }
        if is_forgotten {
            self.reusable.push(slot);
        } else {
            self.dead.push_back(slot);
        }
    }

    /// The object and offset of an access of `len` bytes, or why there is none.
    #[inline]
    pub fn find(&self, pointer: Value, len: u64) -> Result<(ObjectRef, u64), MemoryFault> {
        let r = match pointer.object() {
            Some(r) => r,
            None => self.find_address(pointer.bits)?,
        };
        let o = &self.objects[r.slot()];
        if o.generation != r.generation() || o.state != ObjectState::Live {
            return Err(if o.generation == r.generation() && o.state == ObjectState::OutOfScope {
                MemoryFault::OutOfScope { object: r }
            } else {
                MemoryFault::Dead { object: r }
            });
        }
        let offset = pointer.bits.wrapping_sub(o.base);
        if offset > o.size || len > o.size - offset {
            let offset = if self.word == 4 { offset as u32 as i32 as i64 } else { offset as i64 };
            return Err(MemoryFault::Bounds { object: r, offset });
        }
        if let ObjectKind::Function(_) = o.kind {
            return Err(MemoryFault::NotData { object: r });
        }
        Ok((r, offset))
    }

    /// A number as a pointer. It may have been computed from the addresses of several objects: it belongs to the one it
    /// was derived from if that is live and holds the address, otherwise to the object that lies there now.
    pub fn as_pointer(&self, value: Value) -> Value {
        let holds = |r: ObjectRef| {
            let o = &self.objects[r.slot()];
            self.is_live(r) && value.bits >= o.base && value.bits - o.base <= o.size
        };
        match (value.object(), self.find_address(value.bits)) {
            (Some(r), Ok(other)) if !holds(r) => Value::pointer(value.bits, other),
            _ => value,
        }
    }

    /// A number without an object belongs, as an address, to the object that lies there now.
    fn find_address(&self, address: u64) -> Result<ObjectRef, MemoryFault> {
        if address < NULL_PAGE {
            return Err(MemoryFault::Null { address });
        }
        let holds = |o: &Object| address >= o.base && address - o.base < o.size.max(1);
        if let Some((_, &(end, slot))) = self.heap.range(..=address).next_back()
            && address < end
        {
            return Ok(ObjectRef::new(slot, self.objects[slot as usize].generation));
        }
        self.live()
            .find(|(_, o)| o.state == ObjectState::Live && holds(o))
            .map(|(r, _)| r)
            .ok_or(MemoryFault::Wild { address })
    }

    pub fn function_at(&self, pointer: Value) -> Option<FuncId> {
        let r = pointer.object().or_else(|| self.find_address(pointer.bits).ok())?;
        let o = self.object(r);
        match o.kind {
            ObjectKind::Function(f) if o.base == pointer.bits => Some(f),
            _ => None,
        }
    }
}
