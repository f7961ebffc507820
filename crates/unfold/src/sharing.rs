//! What other threads can do to a cell, and what a thread notes for them.

use crate::knowledge::{FactId, ThreadKey, Writer};
use crate::memory::Contents;
use crate::pass::Pass;
use crate::state::State;
use crate::store::Content;
use crate::values::Values;
use crate::*;
use cranelift_entity::EntityRef;
use rustc_hash::FxHashSet;

/// Notes on cells, of one pass.
#[derive(Default)]
pub(crate) struct CellNotes {
    /// By cell: its facts, and whether these include its initial value.
    facts: Vec<FactId>,
    first_noted: Vec<bool>,
    /// Cells of fresh objects that have been read.
    looked_at: FxHashSet<CellId>,
    /// Cells whose initial value was written by the maker of their object.
    begun: FxHashSet<CellId>,
}

impl CellNotes {
    pub fn add_cell(&mut self, fact: FactId) {
        self.facts.push(fact);
        self.first_noted.push(false);
    }

    pub fn fact(&self, cell: CellId) -> FactId {
        self.facts[cell.index()]
    }

    pub fn look_at(&mut self, cell: CellId) {
        self.looked_at.insert(cell);
    }

    /// The initial values of cells are others from now on.
    pub fn forget_first(&mut self) {
        self.first_noted.fill(false);
    }
}

impl Pass<'_> {
    /// Whether writes of `writer` can happen in parallel with this thread after this state.
    fn may_happen_in_parallel(&self, state: &State, writer: &Writer) -> bool {
        if writer.thread == self.thread.key || state.ended.contains(writer.thread) {
            return false;
        }
        if let Some(child) = self.know.started_by(writer.thread, self.thread.key) {
            return writer.epoch >= self.know.threads[child.0 as usize].number_in_parent;
        }
        match self.know.started_by(self.thread.key, writer.thread) {
            Some(child) => state.started.contains(child),
            None => true,
        }
    }

    pub fn others_write(&self, state: &State, cell: CellId) -> bool {
        let facts = self.facts(cell);
        facts.writers.iter().any(|w| self.may_happen_in_parallel(state, w))
    }

    /// Whether a cell that holds `value` keeps it until this thread writes: no other thread writes the cell from now
    /// on, or those that do only overwrite other values. The owner of a mutex is such a value: a thread that finds the
    /// mutex taken does not write. (By induction over time: if what all threads know holds up to a step, it holds up to
    /// the next.)
    pub fn keeps_value(&self, state: &State, cell: CellId, value: Term) -> bool {
        let facts = self.facts(cell);
        let value = self.out.terms.as_const(value);
        let overwrites = |w: &Writer| match (&w.overwrites, value) {
            (Some(over), Some(value)) => over.binary_search(&value).is_ok(),
            _ => true,
        };
        !facts.writers.iter().any(|w| overwrites(w) && self.may_happen_in_parallel(state, w))
    }

    /// Whether a thread that has ended, or runs now, may have written the cell.
    pub fn others_have_written(&self, state: &State, cell: CellId) -> bool {
        let facts = self.facts(cell);
        facts.writers.iter().any(|w| {
            w.thread != self.thread.key
                && (state.ended.contains(w.thread) || self.may_happen_in_parallel(state, w))
        })
    }

    pub fn others_use(&self, me: ThreadKey, cell: CellId) -> bool {
        let facts = self.facts(cell);
        facts.readers.iter().any(|&t| t != me) || facts.writers.iter().any(|w| w.thread != me)
    }

    /// The only value that a cell ever has, if there is just one.
    pub fn only_value(&self, cell: CellId) -> Option<u128> {
        match &self.facts(cell).values {
            Values::Few(few) => match few[..] {
                [value] => Some(value),
                _ => None,
            },
            Values::Any(_) => None,
        }
    }

    pub fn known_first(&mut self, cell: CellId) {
        if std::mem::replace(&mut self.notes.first_noted[cell.index()], true) {
            return;
        }
        let first = self.first_of(cell);
        let values = self.values_of(first);
        self.know.holds(self.cell_key(cell), &values);
    }

    /// Whether a write gives its cell the initial value: a constant, written first, by the maker of the object on the
    /// path that made it, before any other thread can have the address and before the maker has read the cell. Then
    /// nobody ever sees what was there before.
    pub fn begins(&mut self, state: &State, cell: CellId, value: Term) -> bool {
        let row = self.out.cells[cell];
        if self.objects[row.object].fresh != Some(state.guard.term())
            || state.store.get(cell) != Content::First
        {
            return false;
        }
        let constant = self.out.terms.as_const(value).filter(|_| !self.notes.looked_at.contains(&cell));
        let begins = self.know.begins_with(self.cell_key(cell), constant);
        if begins {
            self.notes.begun.insert(cell);
            self.out.cells[cell].first = value;
            self.notes.first_noted[cell.index()] = false;
        }
        begins
    }

    /// Drops initial values of earlier passes that this pass has not written as such: the object of that name may be
    /// another.
    pub fn check_beginnings(&mut self) {
        for (cell, row) in self.out.cells.iter() {
            let fact = self.notes.fact(cell);
            let is_zero = || matches!(self.objects[row.object].contents, Contents::Zero);
            match self.know.initial(fact) {
                None => {}
                Some(0) if is_zero() => {}
                Some(_) if self.notes.begun.contains(&cell) => {}
                Some(_) => {
                    self.know.begins_with(fact, None);
                }
            }
        }
    }

    /// A value is written where another thread may read it: the objects it points to are no longer fresh.
    pub fn escapes(&mut self, me: ThreadKey, cell: CellId, value: Term) {
        if self.others_use(me, cell) {
            self.publish(value);
        }
    }

    pub fn publish(&mut self, value: Term) {
        let all = self.addresses(value);
        for key in self.know.objects_in(&all) {
            if let Some(object) = self.object_with_key(key) {
                self.objects[object].fresh = None;
            }
        }
    }

    pub fn note_write(&mut self, cell: CellId, value: Term, old: Option<&[u128]>, is_last_step: bool) {
        let key = self.cell_key(cell);
        let constants: Option<Vec<u128>> = self.cases(value).map(|c| c.iter().map(|c| c.1).collect());
        let now = (self.thread.key, self.thread.starts);
        self.know.writes(key, now, (constants.as_deref(), old), is_last_step);
    }
}
