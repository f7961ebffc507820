//! Heap memory that is lost: when the program ends, it has not been freed and nothing points to it.
//!
//! The program ends when a thread exits it, or with its last thread. An object is reachable if a variable or a
//! reachable object points to it. An object is lost if there is a set of objects without it that contains everything
//! variables point to and everything its own objects point to. The solver looks for such a set.
//!
//! Some pointers are not followed: those in registers and on stacks, of other threads or of functions that are being
//! executed when the program ends, and addresses that lie in memory in pieces or as part of larger numbers. Where these
//! might keep memory reachable, the answer is left open. Whether all memory was freed (`Cleanup`) is never open.

use crate::knowledge::{ObjectKey, SymbolicObject, ThreadKey};
use crate::lifetimes::MADE;
use crate::memory::Contents;
use crate::pass::{Alive, Pass};
use crate::state::State;
use crate::values::Values;
use crate::*;
use rustc_hash::FxHashSet;
use tp_ir::{MemoryOrder, Origin, Property, Width};

/// The stages of a thread; 0 before it is started.
const STARTED: u128 = 1;
const ENDED: u128 = 2;

/// A heap object at the end of the program.
struct Left {
    object: ObjectId,
    /// It was allocated and not freed.
    is_there: Term,
    /// It is in the set of objects that counts as reachable.
    reached: Term,
    /// A model has allocated it for itself.
    is_record: bool,
}

impl Pass<'_> {
    /// Whether the heap is checked at the end of the program.
    pub fn looks_at_end(&self) -> bool {
        self.config.checks.has(Property::Leak) || self.config.checks.has(Property::Cleanup)
    }

    /// The ghost cell with the stage of a thread.
    fn stage(&mut self, thread: ThreadKey) -> Option<CellId> {
        let object = self.add_object(SymbolicObject::Stage(thread), 1, 1, Contents::Zero, None);
        self.cells_of(object, 0, 1, false).and_then(|cells| cells.iter().next())
    }

    /// Within a step: a thread is started or ends, if a condition holds.
    pub fn note_stage(&mut self, state: &mut State, thread: ThreadKey, condition: Term, ends: bool) {
        if !self.looks_at_end() {
            return;
        }
        let Some(cell) = self.stage(thread) else { return };
        let value = self.out.terms.constant(Width::W8, if ends { ENDED } else { STARTED });
        let mut access = self.begin_access(state, MemoryOrder::Plain);
        self.write_cell(state, cell, condition, value, &mut access);
    }

    /// All other threads have ended or were never started.
    fn is_last(&mut self, state: &mut State) -> Term {
        let mut last = self.out_true();
        let own = self.thread.key;
        for thread in (0..self.know.threads.len() as u32).map(ThreadKey).filter(|t| *t != own) {
            let Some(cell) = self.stage(thread) else { continue };
            let (mut access, always) = (self.begin_access(state, MemoryOrder::Plain), self.out_true());
            let stage = self.peek_cell(state, cell, always, &mut access);
            let rests = if self.know.threads[thread.0 as usize].parent.is_none() {
                self.equals(stage, ENDED)
            } else {
                let runs = self.equals(stage, STARTED);
                self.out.terms.not(runs)
            };
            last = self.out.terms.and(last, rests);
        }
        last
    }

    /// Within the step that exits the program.
    pub fn claim_nothing_lost(&mut self, state: &mut State) -> Alive<()> {
        let left = self.left_at_end(state);
        if left.is_empty() {
            return Ok(Some(()));
        }
        let mut exact = self.is_last(state);
        if self.thread.calls.iter().any(|(f, _)| self.program.functions[*f].origin != Origin::Model) {
            exact = self.out.terms.bool(false);
        }
        let always = self.out_true();
        self.claim_at_end(state, &left, always, exact)
    }

    /// Claims, if the program `ends`, that nothing is left (`Cleanup`) and nothing is lost (`Leak`). Where the latter
    /// is not `exact`, it is a limit instead.
    fn claim_at_end(&mut self, state: &mut State, left: &[Left], ends: Term, exact: Term) -> Alive<()> {
        if self.config.checks.has(Property::Cleanup) {
            let mut any = self.out.terms.bool(false);
            for o in left.iter().filter(|o| !o.is_record) {
                any = self.out.terms.or(any, o.is_there);
            }
            let fails = self.out.terms.and(ends, any);
            let freed = self.out.terms.not(fails);
            if self.claim(state, Property::Cleanup, freed)?.is_none() {
                return Ok(None);
            }
        }
        if !self.config.checks.has(Property::Leak) {
            return Ok(Some(()));
        }
        let lost = self.lost(state, left);
        let lost = self.out.terms.and(ends, lost);
        let exact = if self.know.has_split_addresses { self.out.terms.bool(false) } else { exact };
        let certain = self.out.terms.and(lost, exact);
        let kept = self.out.terms.not(certain);
        if self.claim(state, Property::Leak, kept)?.is_none() {
            return Ok(None);
        }
        self.limit_if(state, lost, LimitKind::Open(Property::Leak, Gap::PointersAtEnd));
        Ok(Some(()))
    }

    /// Within the step that ends a thread, which may be the last one.
    pub fn claim_nothing_lost_with_last(&mut self, state: &mut State) -> Alive<()> {
        let is_first = self.know.threads[self.thread.key.0 as usize].parent.is_none();
        if is_first && !self.know.first_ends {
            self.know.first_ends = true;
            self.know.changed = true;
        }
        if !self.know.first_ends {
            return Ok(Some(()));
        }
        let left = self.left_at_end(state);
        if left.is_empty() {
            return Ok(Some(()));
        }
        let (last, always) = (self.is_last(state), self.out_true());
        self.claim_at_end(state, &left, last, always)
    }

    /// Some heap object was not freed and is outside of a set that contains everything reachable.
    fn lost(&mut self, state: &mut State, left: &[Left]) -> Term {
        let always = self.out_true();
        let mut lost = self.out.terms.bool(false);
        for o in left {
            let outside = self.out.terms.not(o.reached);
            let is_lost = self.out.terms.and(o.is_there, outside);
            lost = self.out.terms.or(lost, is_lost);
        }
        for object in self.variables() {
            lost = self.closed_under(state, object, always, left, lost);
        }
        for o in left {
            let from = self.out.terms.and(o.is_there, o.reached);
            lost = self.closed_under(state, o.object, from, left, lost);
        }
        lost
    }

    /// A value is split, or is part of something larger: if it is a heap address, not all pointers to that object are
    /// seen any more.
    pub fn note_split_address(&mut self, value: Term) {
        if self.know.has_split_addresses || !self.config.checks.has(Property::Leak) {
            return;
        }
        if self.has_address_of_heap(value, &mut FxHashSet::default()) {
            self.know.has_split_addresses = true;
            self.know.changed = true;
        }
    }

    /// Whether a value, or a part of a value wider than an address, can be a heap address.
    fn has_address_of_heap(&mut self, value: Term, seen: &mut FxHashSet<Term>) -> bool {
        let (bits, word) = (self.out.terms.width(value).bits(), self.pointer_width());
        if !seen.insert(value) {
            return false;
        }
        if bits > word.bits()
            && let Some(number) = self.out.terms.as_const(value)
        {
            let words = (0..bits).step_by(word.bits() as usize).map(|low| number >> low);
            let mut addresses = words
                .filter_map(|w| self.know.as_address(tp_ir::eval::truncate(w, word)))
                .collect::<Vec<_>>();
            addresses.retain(|a| self.know.object_near(*a).is_some_and(|key| self.is_of_heap(key)));
            return !addresses.is_empty();
        }
        let all = self.addresses(value);
        let objects = self.know.objects_in(&all);
        let parts: Vec<Term> = match bits > word.bits() {
            true => self.out.terms.kind(value).parts().collect(),
            false => Vec::new(),
        };
        objects.iter().any(|key| self.is_of_heap(*key))
            || parts.into_iter().any(|part| self.has_address_of_heap(part, seen))
    }

    fn is_of_heap(&self, key: ObjectKey) -> bool {
        self.know.objects[key.0 as usize].is_heap
    }

    /// The heap objects that may be left; empty if that is not checked.
    fn left_at_end(&mut self, state: &mut State) -> Vec<Left> {
        if !self.looks_at_end() {
            return Vec::new();
        }
        let keys = (0..self.know.objects.len() as u32).map(ObjectKey);
        let heap: Vec<ObjectKey> = keys.filter(|k| self.know.objects[k.0 as usize].is_heap).collect();
        let is_record =
            |this: &Self, o: ObjectId| this.know.objects[this.objects[o].key.0 as usize].is_record;
        let mut left = Vec::new();
        let always = self.out_true();
        for object in heap.into_iter().filter_map(|key| self.object_with_key(key)).collect::<Vec<_>>() {
            let cell = self.life(object);
            let mut access = self.begin_access(state, MemoryOrder::Plain);
            let life = self.peek_cell(state, cell, always, &mut access);
            let is_there = self.equals(life, MADE);
            if self.out.terms.as_const(is_there) != Some(0)
                && !state.guard.excludes(&mut self.out.terms, is_there)
            {
                // Models keep track of their records, and losing one is no leak of the user's.
                let is_record = is_record(self, object);
                let reached = if is_record { always } else { self.out.terms.variable(Width::BOOL) };
                left.push(Left { object, is_there, reached, is_record });
            }
        }
        left
    }

    /// The global variables, and the thread-local ones of this thread.
    fn variables(&mut self) -> Vec<ObjectId> {
        let rows = self.know.objects.iter().enumerate();
        let variables = rows.filter(|(_, row)| match row.name {
            SymbolicObject::Global(_) => true,
            SymbolicObject::ThreadLocal(thread, _) => thread == self.thread.key,
            _ => false,
        });
        let keys: Vec<ObjectKey> = variables.map(|(i, _)| ObjectKey(i as u32)).collect();
        keys.into_iter().filter_map(|key| self.object_with_key(key)).collect()
    }

    /// `lost`, and the set contains what this object points to if `condition` holds.
    fn closed_under(
        &mut self,
        state: &mut State,
        object: ObjectId,
        condition: Term,
        left: &[Left],
        mut lost: Term,
    ) -> Term {
        for cell in self.cells_of_pointers(object) {
            if state.concurrent && !self.may_point_to(cell, left) {
                continue;
            }
            let (mut access, always) = (self.begin_access(state, MemoryOrder::Plain), self.out_true());
            let pointer = self.peek_cell(state, cell, always, &mut access);
            let targets = self.targets(pointer);
            for target in targets.list.iter() {
                let Some(o) = left.iter().find(|o| o.object == target.object) else { continue };
                let points = self.out.terms.and(condition, target.condition);
                let holds = self.out.terms.implies(points, o.reached);
                lost = self.out.terms.and(lost, holds);
            }
        }
        lost
    }

    /// The cells of an object that were used, and are as long as a pointer.
    fn cells_of_pointers(&mut self, object: ObjectId) -> Vec<CellId> {
        let word = self.pointer_width().bytes();
        let (site, size) = (self.objects[object].site, self.objects[object].size);
        let cuts: Vec<u64> = self.know.cuts.get(&site).into_iter().flatten().copied().collect();
        let parts = cuts.windows(2).map(|ends| (ends[0], ends[1]));
        let used: Vec<(u64, u64)> = parts.filter(|(a, b)| *b <= size && b - a >= word as u64).collect();
        let mut found = Vec::new();
        for (start, end) in used {
            let cells = self.cells_of(object, start, end - start, false);
            found.extend(cells.iter().flat_map(|c| c.iter()).filter(|c| self.out.cells[*c].bytes == word));
        }
        found
    }

    /// Whether a cell can ever hold the address of one of these.
    fn may_point_to(&mut self, cell: CellId, left: &[Left]) -> bool {
        self.known_first(cell);
        let addresses = match &self.facts(cell).values {
            Values::Few(few) => few.iter().filter_map(|v| self.know.as_address(*v)).collect(),
            Values::Any(all) => {
                let in_heap = |key: &ObjectKey| left.iter().any(|o| self.objects[o.object].key == *key);
                if all.objects.iter().any(in_heap) {
                    return true;
                }
                all.exact.clone()
            }
        };
        let mut objects = addresses.into_iter().filter_map(|a: u64| self.know.object_near(a));
        objects.any(|key| left.iter().any(|o| self.objects[o.object].key == key))
    }
}
