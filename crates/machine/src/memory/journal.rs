//! Undoing a step: the changes of an atomic step are remembered until it is certain to be taken.

use super::object::OldContents;
use super::*;
use crate::value::ObjectRef;
use tp_ir::PlaceId;

/// One undoable change.
#[derive(Clone)]
pub(super) enum Change {
    Contents { slot: u32, old: OldContents },
    Made { slot: u32 },
    Ended { slot: u32, old: ObjectState, freed_at: Option<(u32, PlaceId)> },
    Scope { slot: u32, old: ObjectState },
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
                Change::Contents { slot, old } => {
                    self.objects[slot as usize].put_back(old, self.word);
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

    pub(super) fn journal_contents(&mut self, slot: usize, offset: u64, len: u64) {
        let Some(journal) = &mut self.journal else { return };
        let o = &self.objects[slot];
        if o.made_in == journal.number {
            return;
        }
        let old = o.contents_at(offset, len, self.word);
        journal.changes.push(Change::Contents { slot: slot as u32, old });
    }
}
