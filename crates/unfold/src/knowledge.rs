//! What is known of the whole program while one thread is executed.
//!
//! Threads are executed one after the other, but what a thread reads depends on what the others write. So the program is
//! executed in passes: a pass uses what all passes so far have seen, and adds to it. Everything here only grows, and the
//! first pass in which nothing was added has seen every write it relied on. That pass is the result; the earlier ones
//! assumed too little and are thrown away.
//!
//! Names of threads and objects stay the same from pass to pass, and so do the addresses of objects. A larger bound
//! starts with what is known: it includes all executions of the smaller one, and knowing too much does no harm.

use crate::values::{FEW, OUTSIDE, Values};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tp_ir::{DataModel, FuncId, GlobalId};

#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct ThreadKey(pub u32);

#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct ObjectKey(pub u32);

/// Where something is made: the instruction, and the call sites in models that lead there from the user's code.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct CreationSite(pub u64);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum SymbolicObject {
    Global(GlobalId),
    ThreadLocal(ThreadKey, GlobalId),
    Function(FuncId),
    /// `nth` counts what the thread has made at this site, of any size.
    Made {
        thread: ThreadKey,
        site: CreationSite,
        nth: u32,
        size: u64,
    },
    /// Ghost: whether another object has ended.
    Life(ObjectKey),
    /// Ghost: whether the program is still running.
    Running,
    /// Ghost: whether a thread has been started, and whether it has ended.
    Stage(ThreadKey),
}

pub(crate) struct ThreadRow {
    pub parent: Option<ThreadKey>,
    /// Where it is started.
    site: CreationSite,
    /// 1 for the first thread that its parent starts.
    pub number_in_parent: u32,
}

pub(crate) struct ObjectRow {
    pub name: SymbolicObject,
    pub base: u64,
    pub size: u64,
    /// Allocated on the heap.
    pub is_heap: bool,
    /// Allocated by a model for itself.
    pub is_record: bool,
    /// Its size is not the same in all executions.
    pub is_open: bool,
    /// It may get the address of a freed object.
    pub may_reuse: bool,
}

pub(crate) struct Writer {
    pub thread: ThreadKey,
    /// How many threads it had started before its latest write.
    pub epoch: u32,
    /// The values it writes, each with whether only its last step writes it. `None`: any.
    pub values: Option<Vec<(u128, bool)>>,
    /// The values that it can overwrite, ascending. `None`: any.
    pub overwrites: Option<Vec<u128>>,
}

/// What a cell holds before any thread but the maker of its object can have the address.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Initial {
    NotSeen,
    Constant(u128),
    Varies,
}

/// A cell, the same in all passes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct FactId(u32);

pub(crate) struct CellFacts {
    initial: Initial,
    pub writers: Vec<Writer>,
    pub readers: Vec<ThreadKey>,
    pub values: Values,
    /// In how many passes the values have grown, and the latest of these.
    pub grown: (u32, u32),
}

impl Default for CellFacts {
    fn default() -> Self {
        CellFacts {
            initial: Initial::NotSeen,
            writers: Vec::new(),
            readers: Vec::new(),
            values: Values::Few(Vec::new()),
            grown: (0, 0),
        }
    }
}

pub(crate) struct Knowledge {
    pub threads: Vec<ThreadRow>,
    thread_index: FxHashMap<(Option<ThreadKey>, CreationSite, u32), ThreadKey>,
    /// Sorted by address: these are given out in ascending order.
    pub objects: Vec<ObjectRow>,
    object_index: FxHashMap<SymbolicObject, ObjectKey>,
    pub next_address: u64,
    pub last_address: u64,
    /// By object, offset and length: later passes may cut an object into other cells.
    cell_index: FxHashMap<(ObjectKey, u64, u32), FactId>,
    cells: Vec<CellFacts>,
    /// Where accesses to the objects made at a site begin and end.
    pub cuts: FxHashMap<CreationSite, BTreeSet<u64>>,
    /// The number of the pass.
    pub pass: u32,
    /// Something was added since this was last set to false.
    pub changed: bool,
    /// Addresses ran out.
    pub full: bool,
    /// The user's code computes with addresses as numbers.
    pub sees_addresses: bool,
    /// It depends on where objects lie in another way: it compares an address with a number, or subtracts addresses of
    /// two objects.
    pub layout_matters: bool,
    /// Races are checked, and not all atomics acquire and release.
    pub has_weak_atomics: bool,
    /// Some heap address may have been split, or be part of a wider value.
    pub has_split_addresses: bool,
    /// The first thread may end before the program does.
    pub first_ends: bool,
}

impl Knowledge {
    pub fn new(data: DataModel) -> Knowledge {
        let (first, last) = match data {
            DataModel::Ilp32 => (0x1000_0000, 0xf000_0000),
            DataModel::Lp64 => (0x1000_0000_0000, 0x7000_0000_0000),
        };
        Knowledge {
            threads: Vec::new(),
            thread_index: FxHashMap::default(),
            objects: Vec::new(),
            object_index: FxHashMap::default(),
            next_address: first,
            last_address: last,
            cell_index: FxHashMap::default(),
            cells: Vec::new(),
            cuts: FxHashMap::default(),
            pass: 0,
            changed: false,
            full: false,
            sees_addresses: false,
            layout_matters: false,
            has_weak_atomics: false,
            has_split_addresses: false,
            first_ends: false,
        }
    }

    /// With a larger bound values grow again, so the counts of passes in which they grew start anew.
    pub fn begin_bound(&mut self) {
        self.cells.iter_mut().for_each(|facts| facts.grown = (0, 0));
    }

    pub fn thread(&mut self, parent: Option<(ThreadKey, u32)>, site: CreationSite, nth: u32) -> ThreadKey {
        let key = ThreadKey(self.threads.len() as u32);
        let known = *self.thread_index.entry((parent.map(|p| p.0), site, nth)).or_insert(key);
        let number_in_parent = parent.map_or(0, |p| p.1);
        if known == key {
            self.threads.push(ThreadRow { parent: parent.map(|p| p.0), site, number_in_parent });
            self.changed = true;
        } else {
            let row = &mut self.threads[known.0 as usize];
            if number_in_parent < row.number_in_parent {
                // Writes of the parent after the earliest start count as concurrent.
                row.number_in_parent = number_in_parent;
                self.changed = true;
            }
        }
        known
    }

    /// Notes what is known of an object only where it is made; threads executed earlier may use it already.
    pub fn note_made(&mut self, key: ObjectKey, is_heap: bool, is_record: bool, is_open: bool) {
        let row = &mut self.objects[key.0 as usize];
        if (row.is_heap, row.is_record, row.is_open) != (is_heap, is_record, is_open) {
            (row.is_heap, row.is_record, row.is_open) = (is_heap, is_record, is_open);
            self.changed = true;
        }
    }

    pub fn object(&mut self, name: SymbolicObject, size: u64, align: u64) -> ObjectKey {
        if let Some(&known) = self.object_index.get(&name) {
            return known;
        }
        let key = ObjectKey(self.objects.len() as u32);
        let base = self.next_address.next_multiple_of(align.clamp(64, 1 << 20));
        match base.checked_add(size).and_then(|end| end.checked_add(2 * OUTSIDE)) {
            Some(next) if next < self.last_address => self.next_address = next,
            _ => self.full = true,
        }
        self.object_index.insert(name.clone(), key);
        self.objects.push(ObjectRow {
            name,
            base,
            size,
            is_heap: false,
            is_record: false,
            is_open: false,
            may_reuse: false,
        });
        key
    }

    /// Whether the thread or one of its ancestors was started at this site.
    pub fn descends_from_site(&self, thread: ThreadKey, site: CreationSite) -> bool {
        let mut at = Some(thread);
        while let Some(row) = at.map(|t| &self.threads[t.0 as usize]) {
            if row.site == site {
                return true;
            }
            at = row.parent;
        }
        false
    }

    /// The child of `ancestor` that is `thread` or one of its ancestors, if there is one.
    pub fn started_by(&self, ancestor: ThreadKey, thread: ThreadKey) -> Option<ThreadKey> {
        let mut at = thread;
        while let Some(parent) = self.threads[at.0 as usize].parent {
            if parent == ancestor {
                return Some(at);
            }
            at = parent;
        }
        None
    }

    pub fn fact(&mut self, cell: (ObjectKey, u64, u32)) -> FactId {
        let next = FactId(self.cells.len() as u32);
        let known = *self.cell_index.entry(cell).or_insert(next);
        if known == next {
            self.cells.push(CellFacts::default());
        }
        known
    }

    pub fn facts_of(&self, cell: FactId) -> &CellFacts {
        &self.cells[cell.0 as usize]
    }

    pub fn facts_mut(&mut self, cell: FactId) -> &mut CellFacts {
        &mut self.cells[cell.0 as usize]
    }

    /// The constant that a cell holds when others first see it, if its maker has written that.
    pub fn initial(&self, cell: FactId) -> Option<u128> {
        match self.facts_of(cell).initial {
            Initial::Constant(value) => Some(value),
            Initial::NotSeen | Initial::Varies => None,
        }
    }

    /// The maker of an object writes a cell of it, before others can see it: a constant, or something else (`None`).
    /// Returns whether that counts as the initial value of the cell.
    pub fn begins_with(&mut self, cell: FactId, value: Option<u128>) -> bool {
        let initial = &mut self.cells[cell.0 as usize].initial;
        let next = match (*initial, value) {
            (Initial::NotSeen, Some(v)) => Initial::Constant(v),
            (Initial::Constant(known), Some(v)) if known == v => *initial,
            _ => Initial::Varies,
        };
        if std::mem::replace(initial, next) != next {
            self.changed = true;
        }
        next != Initial::Varies
    }

    pub fn reads(&mut self, cell: FactId, thread: ThreadKey) {
        let facts = &mut self.cells[cell.0 as usize];
        if !facts.readers.contains(&thread) {
            facts.readers.push(thread);
            self.changed = true;
        }
    }

    /// `value`: the constants that may be written; `old`: the values that they may overwrite. `None`: any.
    pub fn writes(
        &mut self,
        cell: FactId,
        (thread, epoch): (ThreadKey, u32),
        (value, old): (Option<&[u128]>, Option<&[u128]>),
        is_last_step: bool,
    ) {
        let facts = &mut self.cells[cell.0 as usize];
        let writer = match facts.writers.iter_mut().find(|w| w.thread == thread) {
            Some(writer) => writer,
            None => {
                self.changed = true;
                facts.writers.push(Writer {
                    thread,
                    epoch,
                    values: Some(Vec::new()),
                    overwrites: Some(Vec::new()),
                });
                // Just pushed.
                let last = facts.writers.len() - 1;
                &mut facts.writers[last]
            }
        };
        if epoch > writer.epoch {
            writer.epoch = epoch;
            self.changed = true;
        }
        match (&mut writer.overwrites, old) {
            (Some(known), Some(old)) => {
                for &v in old {
                    if let Err(at) = known.binary_search(&v) {
                        known.insert(at, v);
                        self.changed = true;
                    }
                }
            }
            (Some(_), None) => {
                writer.overwrites = None;
                self.changed = true;
            }
            (None, _) => {}
        }
        let Some(known) = &mut writer.values else { return };
        let Some(value) = value else {
            writer.values = None;
            self.changed = true;
            return;
        };
        for &v in value {
            match known.iter_mut().find(|(k, _)| *k == v) {
                Some((_, last)) if *last && !is_last_step => {
                    *last = false;
                    self.changed = true;
                }
                Some(_) => {}
                None => {
                    known.push((v, is_last_step));
                    self.changed = true;
                }
            }
        }
        if known.len() > FEW {
            writer.values = None;
        }
    }
}
