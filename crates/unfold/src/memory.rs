//! Objects and the cells they are cut into. Objects have the same address in every pass.

use crate::knowledge::{CellFacts, CreationSite, FactId, ObjectKey, SymbolicObject, ThreadKey};
use crate::pass::Pass;
use crate::*;
use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use tp_ir::{Const, ConstId, FuncId, GlobalId, Init, Program, Width};

/// Objects and constants made so far, used only in this module.
pub(crate) struct Interned {
    objects: FxHashMap<ObjectKey, ObjectId>,
    constants: Vec<Option<Term>>,
}

impl Interned {
    pub fn new(program: &Program) -> Interned {
        Interned { objects: FxHashMap::default(), constants: vec![None; program.constants.len()] }
    }
}

pub(crate) enum Contents {
    /// Never written: any value.
    Unwritten,
    Zero,
    Global(GlobalId),
}

/// What a pass knows of an object.
pub(crate) struct ObjectInfo {
    pub key: ObjectKey,
    pub site: CreationSite,
    pub base: u64,
    pub size: u64,
    pub contents: Contents,
    pub function: Option<FuncId>,
    /// Only the thread that made it can reach it.
    pub private: bool,
    pub constant: bool,
    /// A variable that only the models touch: an access outside an atomic section is no step.
    pub internal: bool,
    pub cells: BTreeMap<u64, CellId>,
    /// The path condition of its maker. `None`: it exists from the start, or its maker has not been executed yet.
    pub made: Option<Term>,
    /// The same if it was made while other threads existed, until another thread may have its address.
    pub fresh: Option<Term>,
    /// Allocated on the heap.
    pub is_heap: bool,
    /// Its lifetime is tracked.
    pub can_end: bool,
    /// Its size, if that is not constant; `size` is then the largest that is followed.
    pub exact_size: Option<Term>,
    /// Of a local: its scope has begun before.
    pub has_begun: bool,
}

/// Longer parts, which are only copied or filled, are cut into words.
pub(crate) const LONGEST_CELL: u64 = 16;

/// The cells of an access, mostly one.
pub(crate) struct Cells {
    first: CellId,
    others: Vec<CellId>,
}

impl Cells {
    pub fn is_one(&self) -> bool {
        self.others.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = CellId> + '_ {
        std::iter::once(self.first).chain(self.others.iter().copied())
    }
}

impl Pass<'_> {
    pub fn pointer_width(&self) -> Width {
        self.program.data_model.pointer_width()
    }

    pub fn add_object(
        &mut self,
        name: SymbolicObject,
        size: u64,
        align: u64,
        contents: Contents,
        made_by: Option<ThreadId>,
    ) -> ObjectId {
        let site = match &name {
            SymbolicObject::Made { site, .. } => *site,
            SymbolicObject::Global(g) | SymbolicObject::ThreadLocal(_, g) => {
                CreationSite(g.as_u32() as u64 * 2 + 1)
            }
            SymbolicObject::Function(_)
            | SymbolicObject::Life(_)
            | SymbolicObject::Running
            | SymbolicObject::Stage(_) => CreationSite(0),
        };
        let function = match &name {
            SymbolicObject::Function(f) => Some(*f),
            _ => None,
        };
        let global = match &name {
            SymbolicObject::Global(g) | SymbolicObject::ThreadLocal(_, g) => Some(*g),
            _ => None,
        };
        let key = self.know.object(name, size, align);
        if let Some(&id) = self.interned.objects.get(&key) {
            let object = &mut self.out.objects[id];
            object.made_by = object.made_by.or(made_by);
            return id;
        }
        let row = &self.know.objects[key.0 as usize];
        let (base, is_heap) = (row.base, row.is_heap);
        let can_end = matches!(row.name, SymbolicObject::Made { .. } | SymbolicObject::ThreadLocal(..));
        self.out.objects.push(GraphObject { made_by, global, function, base, size, rank: None });
        let id = self.objects.push(ObjectInfo {
            key,
            site,
            base,
            size,
            contents,
            function,
            private: false,
            constant: false,
            internal: false,
            cells: BTreeMap::new(),
            made: None,
            fresh: None,
            is_heap,
            can_end,
            exact_size: None,
            has_begun: false,
        });
        self.interned.objects.insert(key, id);
        id
    }

    /// The object with this key. It may belong to a thread that is executed later in this pass.
    pub fn object_with_key(&mut self, key: ObjectKey) -> Option<ObjectId> {
        if let Some(&id) = self.interned.objects.get(&key) {
            return Some(id);
        }
        let row = &self.know.objects[key.0 as usize];
        let size = row.size;
        Some(match row.name.clone() {
            SymbolicObject::Global(global) => self.global(global, None),
            SymbolicObject::ThreadLocal(thread, global) => self.global(global, Some((thread, None))),
            SymbolicObject::Function(function) => self.function(function),
            name @ SymbolicObject::Made { .. } => self.add_object(name, size, 1, Contents::Unwritten, None),
            SymbolicObject::Life(_) | SymbolicObject::Running | SymbolicObject::Stage(_) => return None,
        })
    }

    pub fn global(&mut self, global: GlobalId, thread: Option<(ThreadKey, Option<ThreadId>)>) -> ObjectId {
        let g = &self.program.globals[global];
        let name = match thread {
            Some((key, _)) => SymbolicObject::ThreadLocal(key, global),
            None => SymbolicObject::Global(global),
        };
        let contents = if g.init == Init::Zero { Contents::Zero } else { Contents::Global(global) };
        let id = self.add_object(name, g.size, g.align as u64, contents, thread.and_then(|t| t.1));
        let info = &mut self.objects[id];
        info.constant = g.constant;
        info.internal = g.internal;
        info.private = g.thread_local && g.internal;
        id
    }

    pub fn function(&mut self, function: FuncId) -> ObjectId {
        let id = self.add_object(SymbolicObject::Function(function), 1, 16, Contents::Zero, None);
        self.objects[id].constant = true;
        id
    }

    pub fn constant(&mut self, id: ConstId) -> Term {
        if let Some(term) = self.interned.constants[id.index()] {
            return term;
        }
        let pointer = self.pointer_width();
        let term = match self.program.constants[id] {
            Const::Int { width, bits } => self.out.terms.constant(width, bits),
            Const::F32(bits) => self.out.terms.constant(Width::W32, bits as u128),
            Const::F64(bits) => self.out.terms.constant(Width::W64, bits as u128),
            Const::Null => self.out.terms.constant(pointer, 0),
            Const::Function(f) => {
                let object = self.function(f);
                self.address(object, 0)
            }
            Const::Global { global, offset } => {
                if self.program.globals[global].thread_local {
                    self.out.terms.constant(pointer, 0)
                } else {
                    let object = self.global(global, None);
                    self.address(object, offset)
                }
            }
        };
        self.interned.constants[id.index()] = Some(term);
        term
    }

    pub fn address(&mut self, object: ObjectId, offset: i64) -> Term {
        let base = self.objects[object].base;
        self.out.terms.constant(self.pointer_width(), base.wrapping_add(offset as u64) as u128)
    }

    /// The cells that an access touches, in order. `None`: this pass has cut the object differently.
    pub fn cells_of(&mut self, object: ObjectId, offset: u64, len: u64, is_access: bool) -> Option<Cells> {
        if let Some(&cell) = self.objects[object].cells.get(&offset)
            && self.out.cells[cell].bytes as u64 == len
        {
            return Some(Cells { first: cell, others: Vec::new() });
        }
        let site = self.objects[object].site;
        let cuts = self.know.cuts.entry(site).or_default();
        if is_access {
            // Objects of this site that exist already may be cut differently; that shows when they are used.
            cuts.extend([offset, offset + len]);
        }
        let mut pieces: Vec<u64> = cuts.range(offset + 1..offset + len).copied().collect();
        pieces.push(offset + len);
        let word = self.pointer_width().bytes() as u64;
        let mut found = Vec::new();
        let mut at = offset;
        for end in pieces {
            let is_long = end - at > LONGEST_CELL;
            while at < end {
                let next = if is_long { (at + 1).next_multiple_of(word).min(end) } else { end };
                found.push(self.cell(object, at, (next - at) as u32)?);
                at = next;
            }
        }
        let mut found = found.into_iter();
        Some(Cells { first: found.next()?, others: found.collect() })
    }

    fn cell(&mut self, object: ObjectId, offset: u64, bytes: u32) -> Option<CellId> {
        let info = &self.objects[object];
        if let Some(&cell) = info.cells.get(&offset)
            && self.out.cells[cell].bytes == bytes
        {
            return Some(cell);
        }
        let before = info.cells.range(..offset + bytes as u64).next_back();
        if let Some((&start, &cell)) = before
            && start + self.out.cells[cell].bytes as u64 > offset
        {
            self.recut = true;
            return None;
        }
        let fact = self.know.fact((self.objects[object].key, offset, bytes));
        let first = match (self.know.initial(fact), Width::new(bytes * 8)) {
            (Some(value), Some(width)) => self.out.terms.constant(width, value),
            _ => self.first_value(object, offset, bytes),
        };
        let cell = self.out.cells.push(Cell { object, offset, bytes, first });
        self.objects[object].cells.insert(offset, cell);
        self.notes.add_cell(fact);
        Some(cell)
    }

    /// The initial value of a part of an object.
    pub fn first_value(&mut self, object: ObjectId, offset: u64, bytes: u32) -> Term {
        let width = Width::new(bytes * 8).unwrap_or(Width::W8);
        match self.objects[object].contents {
            Contents::Zero => self.out.terms.constant(width, 0),
            Contents::Unwritten => self.unwritten(object, offset, bytes, None),
            Contents::Global(global) => {
                let program = self.program;
                let Init::Bytes { bytes: data, pointers } = &program.globals[global].init else {
                    return self.unwritten(object, offset, bytes, None);
                };
                let word = self.pointer_width().bytes() as u64;
                let inside = |p: &&(u64, ConstId)| p.0 < offset + bytes as u64 && offset < p.0 + word;
                if let Some(&(at, constant)) = pointers.iter().find(inside) {
                    let value = self.constant(constant);
                    if at == offset && word == bytes as u64 {
                        return value;
                    }
                }
                let mut value = 0u128;
                for i in (0..bytes as u64).rev() {
                    let at = offset + i;
                    let pointer = pointers.iter().find(|p| p.0 <= at && at < p.0 + word);
                    let byte = match pointer {
                        Some(&(start, constant)) => {
                            let whole = self.constant(constant);
                            let bits = self.out.terms.as_const(whole).unwrap_or(0);
                            (bits >> (8 * (at - start))) as u8
                        }
                        None => data.get(at as usize).copied().unwrap_or(0),
                    };
                    value = value << 8 | byte as u128;
                }
                self.out.terms.constant(width, value)
            }
        }
    }

    /// Any value, for memory that nobody has written since its scope began.
    pub fn unwritten(&mut self, object: ObjectId, offset: u64, bytes: u32, begun: Option<usize>) -> Term {
        let value = self.out.terms.variable(Width::new(bytes * 8).unwrap_or(Width::W8));
        self.out.unwritten.push(Unwritten { object, offset, bytes, value, begun });
        self.values.set_unwritten(value);
        value
    }

    pub fn cell_key(&self, cell: CellId) -> FactId {
        self.notes.fact(cell)
    }

    pub fn facts(&self, cell: CellId) -> &CellFacts {
        self.know.facts_of(self.cell_key(cell))
    }
}
