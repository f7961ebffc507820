//! Uses of memory that does not exist: invalid pointers, freed memory, locals of functions that have returned.
//!
//! Whether an object has ended is a ghost cell. Ending the object writes the cell, and an access to the object reads
//! it, in the same step. Where no thread can end the object while another uses it, that costs nothing: the cell is
//! known.

use crate::access::AccessInProgress;
use crate::knowledge::SymbolicObject;
use crate::memory::Contents;
use crate::pass::{Alive, Pass};
use crate::state::State;
use crate::store::Content;
use crate::*;
use tp_ir::{MemoryOrder, Op, Property};

/// The life cell of a heap object that was allocated and has not ended, if the heap is checked at the end; otherwise it
/// stays 0. It is 1 if the object has ended.
pub(crate) const MADE: u128 = 2;

impl Pass<'_> {
    /// The path goes on only where a pointer is `valid`. An invalid one is a violation (a limit if that is not
    /// checked), except where it is `open` whether it is valid.
    pub fn claim_valid(&mut self, state: &mut State, valid: Term, open: Term) -> Alive<()> {
        let is_checked = |p: &Property| self.config.checks.has(*p);
        let property = [Property::InvalidDeref, Property::OutOfBounds].into_iter().find(is_checked);
        let allowed = self.out.terms.or(valid, open);
        if self.claim(state, property.unwrap_or(Property::InvalidDeref), allowed)?.is_none() {
            return Ok(None);
        }
        Ok(state.guard.add(&mut self.out.terms, valid).then_some(()))
    }

    /// Claims that an object, accessed if `condition` holds, has not ended.
    pub fn claim_lives(
        &mut self,
        state: &mut State,
        object: ObjectId,
        condition: Term,
        access: &mut AccessInProgress,
    ) -> Alive<()> {
        if !self.objects[object].can_end {
            return Ok(Some(()));
        }
        self.claim_not_ended(state, (object, condition), Property::UseAfterFree, access)
    }

    /// Claims that an object has not ended, if a condition holds.
    fn claim_not_ended(
        &mut self,
        state: &mut State,
        (object, condition): (ObjectId, Term),
        property: Property,
        access: &mut AccessInProgress,
    ) -> Alive<()> {
        let cell = self.life(object);
        let ended = self.peek_cell(state, cell, condition, access);
        let ended = self.equals(ended, 1);
        let fails = self.out.terms.and(condition, ended);
        let lives = self.out.terms.not(fails);
        self.claim(state, property, lives)
    }

    /// Claims that the bytes of an output are valid memory.
    pub fn claim_output(&mut self, state: &mut State, pointer: Term, len: Term) -> Alive<()> {
        self.by_length(state, len, |this, state, len| {
            if len == 0 {
                return Ok(Some(()));
            }
            let mut access = this.begin_access(state, MemoryOrder::Plain);
            let found = this.locate(state, pointer, len, false, &mut access)?;
            this.end_locally(&access);
            Ok(found.map(|_| ()))
        })
    }

    /// The cell that is 1 when the object has ended.
    pub fn life(&mut self, object: ObjectId) -> CellId {
        let name = SymbolicObject::Life(self.objects[object].key);
        let life = self.add_object(name, 1, 1, Contents::Zero, None);
        self.objects[life].private = self.objects[object].private;
        // The program cannot address it, so it is one cell.
        match self.cells_of(life, 0, 1, false) {
            Some(cells) => cells.iter().next().unwrap_or(CellId::from_u32(0)),
            None => CellId::from_u32(0),
        }
    }

    /// A local ends, or begins again. That is no step of its own.
    pub fn set_ended(&mut self, state: &mut State, object: ObjectId, ended: bool) {
        let always = self.out_true();
        self.set_ended_if(state, object, always, ended);
    }

    fn set_ended_if(&mut self, state: &mut State, object: ObjectId, condition: Term, ended: bool) {
        if !self.objects[object].can_end {
            return;
        }
        let cell = self.life(object);
        let value = self.out.terms.constant(tp_ir::Width::W8, ended as u128);
        let mut access = self.begin_access(state, MemoryOrder::Plain);
        self.write_cell(state, cell, condition, value, &mut access);
        self.end_locally(&access);
    }

    /// A local comes into scope: what it holds is unknown, also if it held something before.
    pub fn begin_scope(&mut self, state: &mut State, p: Term) {
        let Some(object) = self.object_of(p) else { return };
        self.set_ended(state, object, false);
        let begun = self.out.begun.len();
        self.out.begun.push((state.guard.term(), object));
        if !std::mem::replace(&mut self.objects[object].has_begun, true) {
            return;
        }
        let info = &self.objects[object];
        if matches!(info.contents, Contents::Zero) || (state.concurrent && !info.private) {
            // Parts of it that are used only later have lost their contents as well.
            self.cells_of(object, 0, info.size, false);
        }
        let cells: Vec<CellId> = self.objects[object].cells.values().copied().collect();
        let mut access = self.begin_access(state, MemoryOrder::Plain);
        for cell in cells {
            let Cell { offset, bytes, .. } = self.out.cells[cell];
            let value = self.unwritten(object, offset, bytes, Some(begun));
            if self.others_write(state, cell) || self.others_have_written(state, cell) {
                let always = self.out_true();
                self.write_cell(state, cell, always, value, &mut access);
            } else {
                state.store.set(cell, Content::Known(value));
            }
        }
        self.end_locally(&access);
    }

    /// The pointer may be a choice: paths that made the local in different iterations of a loop may have met.
    pub fn end_scope(&mut self, state: &mut State, p: Term) {
        if let Some(object) = self.object_of(p) {
            return self.set_ended(state, object, true);
        }
        for target in self.targets(p).list.iter() {
            self.set_ended_if(state, target.object, target.condition, true);
        }
    }

    /// Ends the locals made after the first `token` ones.
    pub fn end_since(&mut self, state: &mut State, token: Term) {
        let Some(cases) = self.cases(token) else {
            return self.limit(state, LimitKind::Gap(Gap::StackRelease));
        };
        for &(condition, made) in cases.iter() {
            let since = self.thread.locals.get(made as usize..).unwrap_or_default().to_vec();
            for object in since {
                self.set_ended_if(state, object, condition, true);
            }
        }
    }

    /// A thread ends, and with it its locals and thread-local variables.
    pub fn end_thread(&mut self, state: &mut State) {
        let own: Vec<ObjectId> =
            self.thread.locals.iter().chain(self.thread.thread_locals.values()).copied().collect();
        for object in own {
            self.set_ended(state, object, true);
        }
    }

    /// Heap memory has been allocated.
    pub fn begin_life(&mut self, state: &mut State, object: ObjectId) {
        if self.looks_at_end() {
            let cell = self.life(object);
            let made = self.out.terms.constant(tp_ir::Width::W8, MADE);
            let always = self.out_true();
            let mut access = self.begin_access(state, MemoryOrder::Plain);
            self.write_cell(state, cell, always, made, &mut access);
            self.end_locally(&access);
        }
    }

    pub fn free(&mut self, state: &mut State, op: &Op, pointer: Term) -> Alive<()> {
        self.touch_freed(state, pointer);
        let is_alone = self.step_here(state, op);
        let Some(freed) = self.heap_objects(state, pointer)? else { return Ok(None) };
        for (object, condition) in freed {
            if self.end_object(state, object, condition)?.is_none() {
                return Ok(None);
            }
        }
        if is_alone {
            self.commit(state, false);
        }
        Ok(Some(()))
    }

    /// The heap objects to whose start a pointer can point, each with its condition. The path ends where it points
    /// elsewhere.
    fn heap_objects(&mut self, state: &mut State, pointer: Term) -> Alive<Vec<(ObjectId, Term)>> {
        let targets = self.targets_here(state, pointer);
        let mut valid = self.out.terms.bool(false);
        let mut found = Vec::new();
        for target in targets.list.iter() {
            if !self.objects[target.object].is_heap {
                continue;
            }
            let at_start = self.equals(target.offset, 0);
            let condition = self.out.terms.and(target.condition, at_start);
            valid = self.out.terms.or(valid, condition);
            found.push((target.object, condition));
        }
        let allowed = self.out.terms.or(valid, targets.lost);
        if self.claim(state, Property::InvalidFree, allowed)?.is_none() {
            return Ok(None);
        }
        if !state.guard.add(&mut self.out.terms, valid) {
            return Ok(None);
        }
        if let [only] = &mut found[..] {
            only.1 = self.out_true();
        }
        Ok(Some(found))
    }

    /// The size of the heap object to whose start a pointer points. To ask for the size of anything else is as wrong as
    /// to free it.
    pub fn heap_size(&mut self, state: &mut State, pointer: Term) -> Alive<Term> {
        let Some(objects) = self.heap_objects(state, pointer)? else { return Ok(None) };
        let mut access = self.begin_access(state, MemoryOrder::Plain);
        let width = self.pointer_width();
        let mut size = None;
        for (object, condition) in objects {
            let place = (object, condition);
            if self.claim_not_ended(state, place, Property::DoubleFree, &mut access)?.is_none() {
                return Ok(None);
            }
            let own = match self.objects[object].exact_size {
                Some(size) => self.out.terms.resize_unsigned(size, width),
                None => self.out.terms.constant(width, self.objects[object].size as u128),
            };
            size = Some(match size {
                Some(rest) => self.out.terms.ite(condition, own, rest),
                None => own,
            });
        }
        self.end_locally(&access);
        Ok(size)
    }

    /// A heap object ends, within a step; claims that it has not ended before.
    fn end_object(&mut self, state: &mut State, object: ObjectId, condition: Term) -> Alive<()> {
        let cell = self.life(object);
        let mut access = self.begin_access(state, MemoryOrder::Plain);
        let place = (object, condition);
        if self.claim_not_ended(state, place, Property::DoubleFree, &mut access)?.is_none() {
            return Ok(None);
        }
        let one = self.out.terms.constant(tp_ir::Width::W8, 1);
        self.write_cell(state, cell, condition, one, &mut access);
        Ok(Some(()))
    }
}
