//! Undoing a step: the changes of an atomic step are remembered until it is certain to be taken.

use super::*;
use crate::value::ObjectRef;
use tp_ir::PlaceId;

/// One undoable change.
#[derive(Clone)]
pub(super) enum Change {
    Bytes {
        slot: u32,
        offset: u64,
        old: Box<[u8]>,
        written: Box<[bool]>,
        pointers: Vec<(usize, Option<ObjectRef>)>,
        symbols: Vec<(u64, SymbolByte)>,
    },
    Made {
        slot: u32,
    },
    Ended {
        slot: u32,
        old: ObjectState,
        freed_at: Option<(u32, PlaceId)>,
    },
    Scope {
        slot: u32,
        old: ObjectState,
    },
}

/// What `undo` needs: the changes, and the next addresses.
#[derive(Clone)]
pub(super) struct Journal {
    pub(super) changes: Vec<Change>,
    /// Identifies the journal.
    pub(super) number: u64,
    next_heap: u64,
    next_global: u64,
    wrapped: bool,
}

impl Memory {
    /// From here on changes are remembered, until `commit` or `undo`.
    pub fn begin(&mut self) {
        self.journals += 1;
        self.journal = Some(Journal {
            changes: Vec::new(),
            number: self.journals,
            next_heap: self.next_heap,
            next_global: self.next_global,
            wrapped: self.wrapped,
        });
    }

    /// Whether a step is under way that can be undone.
    pub fn in_step(&self) -> bool {
        self.journal.is_some()
    }

    /// Made in the step that is under way: no other thread can have seen it.
    #[inline]
    pub fn is_new(&self, r: ObjectRef) -> bool {
        self.journal.as_ref().is_some_and(|j| j.number == self.objects[r.slot()].made_in)
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
        self.next_global = journal.next_global;
        self.wrapped = journal.wrapped;
        for change in journal.changes.into_iter().rev() {
            match change {
                Change::Bytes { slot, offset, old, written, pointers, symbols } => {
                    let o = &mut self.objects[slot as usize];
                    let size = o.size;
                    o.bytes[offset as usize..offset as usize + old.len()].copy_from_slice(&old);
                    for (i, w) in written.iter().enumerate() {
                        o.written.mark(offset + i as u64, 1, *w, size);
                    }
                    for (i, p) in pointers {
                        o.set_pointer(i, p, self.word);
                    }
                    o.drop_symbols(offset, old.len() as u64);
                    o.symbols.extend(symbols);
                }
                Change::Made { slot } if self.history.is_some() => self.unmake(slot),
                Change::Made { slot } => {
                    // No other thread has seen it: its slot is free at once.
                    self.objects[slot as usize].state = ObjectState::Dead;
                    self.objects[slot as usize].private = true;
                    self.bury(slot);
                }
                Change::Ended { slot, old, freed_at } => {
                    let o = &mut self.objects[slot as usize];
                    o.state = old;
                    o.freed_at = freed_at;
                }
                Change::Scope { slot, old } => {
                    let o = &mut self.objects[slot as usize];
                    o.scope -= (o.state == ObjectState::Live) as u64;
                    o.state = old;
                }
            }
        }
    }

    pub(super) fn journal_bytes(&mut self, slot: usize, offset: u64, len: u64) {
        let Some(journal) = &mut self.journal else { return };
        let o = &self.objects[slot];
        if o.made_in == journal.number {
            return;
        }
        let words = offset / self.word..(offset + len).div_ceil(self.word);
        journal.changes.push(Change::Bytes {
            slot: slot as u32,
            offset,
            old: o.bytes[offset as usize..(offset + len) as usize].into(),
            written: (offset..offset + len).map(|i| o.written.get(i)).collect(),
            pointers: words.map(|w| (w as usize, o.pointers.get(w as usize).copied().flatten())).collect(),
            symbols: o.symbols_in(offset, len),
        });
    }
}
