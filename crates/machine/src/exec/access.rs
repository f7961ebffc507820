//! Accesses to memory: finding the object, whether it is a step, reading, writing, locals and the heap.

use super::Done;
use crate::End;
use crate::decide::{InputSource, WantedInput};
use crate::machine::{Machine, StepStop};
use crate::memory::{MemoryFault, ObjectKind};
use crate::race::{Access, AccessKind};
use crate::thread::Thread;
use crate::value::{ObjectRef, Value};
use tp_ir::{Init, MemoryOrder, Op, Operand, PlaceId, Property, Type, Width, eval};
impl<'p> Machine<'p, '_> {
    /// The value loaded; `None`: it is a step, and the thread may not take one now.
    #[inline]
    pub(crate) fn load(
        &mut self,
        t: &mut Thread<'p>,
        ty: Type,
        ptr: Operand,
        order: MemoryOrder,
        permit: &mut bool,
    ) -> Result<Option<Value>, StepStop> {
        let len = ty.bytes(self.program.data_model) as u64;
        let Some((r, offset)) = self.find(t, ptr, len, false, *permit)? else { return Ok(None) };
        if !self.reach(t, r, Access::new(offset, len, AccessKind::Read, order), permit)? {
            return Ok(None);
        }
        self.read(t, r, offset, ty).map(Some)
    }

    /// `false`: it is a step, and the thread may not take one now.
    #[inline]
    pub(crate) fn store(
        &mut self,
        t: &mut Thread<'p>,
        ty: Type,
        (ptr, value): (Operand, Operand),
        order: MemoryOrder,
        permit: &mut bool,
    ) -> Result<bool, StepStop> {
        let len = ty.bytes(self.program.data_model) as u64;
        let Some((r, offset)) = self.find(t, ptr, len, true, *permit)? else { return Ok(false) };
        if !self.reach(t, r, Access::new(offset, len, AccessKind::Write, order), permit)? {
            return Ok(false);
        }
        let value = self.get(t, value);
        self.write(t, r, offset, ty, value);
        Ok(true)
    }

    /// The object and offset of an access; `None`: the access fails, and the thread may not take a step now.
    #[inline]
    pub(crate) fn find(
        &self,
        t: &Thread<'p>,
        pointer: Operand,
        len: u64,
        write: bool,
        permit: bool,
    ) -> Result<Option<(ObjectRef, u64)>, StepStop> {
        let p = self.used(t, pointer)?;
        match self.state.memory.find(p, len) {
            Ok((r, _)) if write && self.state.memory.object(r).constant => {
                Err(self.fault(t, MemoryFault::ReadOnly { object: r }, len, write))
            }
            Ok(found) => Ok(Some(found)),
            Err(fault) => self.not_found(t, fault, len, write, permit),
        }
    }

    /// Another thread may have ended the object. So an access to an ended object is a step, like one to a live object,
    /// and not part of the step before.
    #[cold]
    fn not_found(
        &self,
        t: &Thread<'p>,
        fault: MemoryFault,
        len: u64,
        write: bool,
        permit: bool,
    ) -> Result<Option<(ObjectRef, u64)>, StepStop> {
        if let MemoryFault::Dead { object } | MemoryFault::OutOfScope { object } = fault {
            if !permit && t.atomic_depth == 0 {
                return Ok(None);
            }
            self.missed.set(Some(object));
        }
        Err(self.fault(t, fault, len, write))
    }

    /// Whether `reach` would let the thread make an access: it is no step of its own, or the thread may take one.
    pub(crate) fn may_access(&self, t: &Thread<'p>, r: ObjectRef, permit: bool) -> bool {
        permit || t.atomic_depth > 0 || !self.state.memory.object(r).reach().is_visible(false)
    }

    /// Accounts for an access that is about to happen. `false`: it is a step, and the thread may not take one now.
    #[inline]
    pub(crate) fn reach(
        &mut self,
        t: &mut Thread<'p>,
        r: ObjectRef,
        access: Access,
        permit: &mut bool,
    ) -> Result<bool, StepStop> {
        let object = self.state.memory.object(r);
        let (reach, in_section) = (object.reach(), t.atomic_depth > 0);
        if !reach.is_visible(in_section) {
            if reach.is_visible(true) {
                // It is part of the step before, but matters for which steps are independent.
                self.watch.touched.accesses(&self.state.memory, r, &access, MemoryOrder::SeqCst);
            }
            return Ok(true);
        }
        if self.state.memory.object(r).is_local_of_another(t.number) {
            self.access_local_of_another(r);
        }
        if in_section {
            let order = access.order.in_section(reach.is_internal);
            self.watch.touched.accesses(&self.state.memory, r, &access, order);
            let is_new = self.state.memory.is_new(r);
            if access.kind != AccessKind::Write && !is_new && self.pending.read.last() != Some(&r) {
                self.pending.read.push(r);
            }
            if access.kind != AccessKind::Read && self.pending.written.last() != Some(&r) {
                self.pending.written.push(r);
            }
            if !is_new {
                self.look_for(t, r, &access);
                let of_section = self.in_user_code(t);
                let at = if of_section { self.user_place(t) } else { None };
                self.pending.accesses.push((r, Access { order, of_section, ..access }, at));
            } else if self.remembers_new && access.kind == AccessKind::Write {
                // No other thread can have accessed it yet: being part of an atomic step orders nothing.
                self.look_for(t, r, &access);
                self.pending.accesses.push((r, Access { order: MemoryOrder::Plain, ..access }, None));
            }
            return Ok(true);
        }
        if !*permit {
            return Ok(false);
        }
        *permit = false;
        self.watch.touched.accesses(&self.state.memory, r, &access, access.order);
        self.look_for(t, r, &access);
        self.single_access(t, r, &access)?;
        Ok(true)
    }

    #[cold]
    fn access_local_of_another(&mut self, r: ObjectRef) {
        if !self.state.memory.object(r).seen_by_others {
            self.pending.others_locals.push(r);
        }
    }

    #[inline]
    pub(crate) fn look_for(&mut self, t: &Thread<'p>, r: ObjectRef, access: &Access) {
        if self.watch.hindsight.is_some() {
            self.look_at(t, r, access);
        }
        self.note_for_races(t, r, access);
    }

    /// A plain read of many bytes in a step that has begun: all of them must have been written.
    pub(crate) fn read_whole(
        &mut self,
        t: &Thread<'p>,
        pointer: Operand,
        r: ObjectRef,
        offset: u64,
        len: u64,
    ) -> Result<(), StepStop> {
        if self.config.checks.has(Property::Uninitialised) && self.state.memory.has_unwritten(r, offset, len)
        {
            self.decided_bytes(r, offset, len);
            return Err(self.uninitialised(t, pointer));
        }
        if self.state.memory.object(r).reach().is_visible(false) {
            let access = Access::new(offset, len, AccessKind::Read, MemoryOrder::Plain);
            self.watch.touched.accesses(&self.state.memory, r, &access, access.order);
            self.look_for(t, r, &access);
            self.pending.accesses.push((r, access, None));
        }
        Ok(())
    }

    /// An instruction that may be a step by itself. `false`: it is, and the thread may not take one now.
    pub(crate) fn step_here(&mut self, t: &mut Thread<'p>, op: &Op, permit: &mut bool) -> bool {
        !op.is_step(t.atomic_depth > 0) || self.begin_step(t, permit)
    }

    /// A step with no access of its own. `false`: the thread may not take one now.
    pub(crate) fn begin_step(&mut self, t: &mut Thread<'p>, permit: &mut bool) -> bool {
        if !*permit {
            return false;
        }
        *permit = false;
        self.begin_atomic(t);
        true
    }

    pub(crate) fn step_done(&mut self, t: &mut Thread<'p>) -> Result<(), StepStop> {
        if t.atomic_depth == 0 { self.commit_atomic(t) } else { Ok(()) }
    }

    #[inline]
    pub(crate) fn read(
        &mut self,
        t: &Thread<'p>,
        r: ObjectRef,
        offset: u64,
        ty: Type,
    ) -> Result<Value, StepStop> {
        let width = ty.width(self.program.data_model);
        let len = width.bytes() as u64;
        let (bits, object, written) = self.state.memory.read(r, offset, len);
        let bits = eval::truncate(bits, width);
        if !written {
            return self.read_unwritten(t, r, offset, ty);
        }
        if self.state.memory.has_unwritten(r, offset, len) {
            if self.is_open(r) {
                self.settle_unwritten(t, r, offset, len)?;
                return self.read(t, r, offset, ty);
            }
            self.state.guessed.set(true);
        }
        let value = if let Some(object) = object
            && width.bits() <= 64
        {
            // Pointers have no terms.
            self.decided_bytes(r, offset, len);
            Value::pointer(bits as u64, object)
        } else if self.state.memory.has_symbols(r) && !self.reads_own_state(t, r, offset, len) {
            self.read_symbols(r, offset, bits, width)
        } else {
            Value::from_wide(bits, width)
        };
        if self.config.record_events {
            self.note_access(t, (r, offset), ty, value, false);
        }
        Ok(value)
    }

    /// A read of unwritten memory: an error when the value is used, or an arbitrary value that stays from then on.
    pub(crate) fn read_unwritten(
        &mut self,
        t: &Thread<'p>,
        r: ObjectRef,
        offset: u64,
        ty: Type,
    ) -> Result<Value, StepStop> {
        let width = ty.width(self.program.data_model);
        if !self.is_open(r) && width.bits() <= 64 {
            self.decided_bytes(r, offset, width.bytes() as u64);
            return Ok(Value::UNINIT);
        }
        let value = self.settle_memory(t, r, offset, ty)?;
        if self.config.record_events {
            self.note_access(t, (r, offset), ty, value, false);
        }
        Ok(value)
    }

    /// Whether unwritten memory of an object has an arbitrary value, instead of being an error.
    pub(crate) fn is_open(&self, r: ObjectRef) -> bool {
        let is_external = match self.state.memory.object(r).kind {
            ObjectKind::Global(global) => self.program.globals[global].init == Init::Unknown,
            _ => false,
        };
        is_external || !self.config.checks.has(Property::Uninitialised)
    }

    /// Where unwritten memory is not an error, gives what a read of this type would find there its value.
    pub(crate) fn settle_open(
        &mut self,
        t: &Thread<'p>,
        r: ObjectRef,
        offset: u64,
        ty: Type,
    ) -> Result<(), StepStop> {
        let len = ty.bytes(self.program.data_model) as u64;
        if !self.is_open(r) {
            return Ok(());
        }
        match self.state.memory.read(r, offset, len) {
            (_, _, false) => self.settle_memory(t, r, offset, ty).map(|_| ()),
            _ => self.settle_unwritten(t, r, offset, len),
        }
    }

    /// Gives the unwritten bytes of a range arbitrary values. A copy does so as well, so that it equals its source.
    pub(crate) fn settle_unwritten(
        &mut self,
        t: &Thread<'p>,
        r: ObjectRef,
        offset: u64,
        len: u64,
    ) -> Result<(), StepStop> {
        let (mut at, end) = (offset, offset + len);
        while let Some((start, bytes)) = self.state.memory.next_unwritten(r, at, end) {
            if let Some(width) = Width::new(8 * bytes as u32) {
                self.settle_memory(t, r, start, Type::Int(width))?;
            }
            at = start + bytes;
        }
        Ok(())
    }

    /// Fixes the value of unwritten memory: the first read decides it for all.
    fn settle_memory(
        &mut self,
        t: &Thread<'p>,
        r: ObjectRef,
        offset: u64,
        ty: Type,
    ) -> Result<Value, StepStop> {
        let width = ty.width(self.program.data_model);
        self.decided_bytes(r, offset, width.bytes() as u64);
        let name = self.describe(r, offset);
        let source = self.source_of(r, offset);
        let value = self.input(t.number, source, WantedInput::unwritten(name, ty))?;
        self.pending.settled.push(r);
        self.watch.touched.writes(&self.state.memory, r, offset, width.bytes() as u64);
        self.state.memory.settle(r, offset, width.bytes() as u64, value.wide(width));
        self.write_symbol(r, offset, width, value);
        Ok(value)
    }

    fn source_of(&self, r: ObjectRef, offset: u64) -> InputSource {
        let object = self.state.memory.object(r);
        match object.kind {
            ObjectKind::Global(global) => InputSource::Global { global, offset },
            ObjectKind::ThreadLocal(global) => {
                InputSource::ThreadLocal { thread: object.made_by, global, offset }
            }
            // Functions are not read.
            ObjectKind::Local { .. } | ObjectKind::Heap | ObjectKind::Function(_) => match object.nth {
                Some(nth) => {
                    InputSource::Memory { made_by: object.made_by, nth, scope: object.scope, offset }
                }
                None => InputSource::Output,
            },
        }
    }

    #[inline]
    pub(crate) fn write(&mut self, t: &Thread<'p>, r: ObjectRef, offset: u64, ty: Type, value: Value) {
        let width = ty.width(self.program.data_model);
        let len = width.bytes() as u64;
        if width.bits() <= 64 && value.is_uninit() {
            self.state.memory.unwrite(r, offset, len);
        } else if width.bits() <= 64 {
            self.state.memory.write(r, offset, len, value.bits as u128, value.object());
            if value.term().is_some() {
                self.write_symbol(r, offset, width, value);
            }
        } else {
            self.state.memory.write(r, offset, len, value.wide(width), None);
        }
        if self.config.record_events {
            self.note_access(t, (r, offset), ty, value, true);
        }
    }

    pub(crate) fn local(
        &mut self,
        t: &mut Thread<'p>,
        size: u64,
        align: u64,
        private: bool,
        at: PlaceId,
    ) -> Result<Value, StepStop> {
        let Some(frame) = t.frames.last() else { return Ok(Value::ZERO) };
        let kind = ObjectKind::Local {
            function: frame.function,
            block: frame.block.as_u32(),
            index: frame.pc as u32,
        };
        let Ok((r, sp)) = self.state.memory.make_local(kind, (t.entry as u32, t.sp), (size, align), private)
        else {
            return Err(End::OutOfMemory { at: self.moment(t) }.into());
        };
        t.sp = sp;
        t.locals.push(r);
        let object = self.state.memory.object_mut(r);
        object.made_by = t.number;
        object.nth = t.count_object();
        object.key = t.next_key();
        object.made_at = Some(at);
        self.apply_layout_made(r);
        Ok(Value::pointer(self.state.memory.object(r).base, r))
    }

    /// The live heap object that starts at an address.
    pub(crate) fn heap_object(&self, t: &Thread<'p>, p: Value) -> Result<ObjectRef, StepStop> {
        match self.state.memory.find(p, 0) {
            Ok((r, 0)) if self.state.memory.object(r).kind == ObjectKind::Heap => Ok(r),
            other => {
                if let Err(MemoryFault::Dead { object }) = other {
                    self.missed.set(Some(object));
                }
                Err(self.bad_free(t, p, other))
            }
        }
    }

    pub(crate) fn free(
        &mut self,
        t: &mut Thread<'p>,
        op: &Op,
        ptr: Operand,
        permit: &mut bool,
    ) -> Result<Done, StepStop> {
        let p = self.used(t, ptr)?;
        if !self.step_here(t, op, permit) {
            return Ok(Done::NotYet);
        }
        let r = self.heap_object(t, p)?;
        let size = self.state.memory.object(r).size;
        let access = Access::new(0, size, AccessKind::Free, MemoryOrder::Plain);
        let order = if t.atomic_depth > 0 { access.order.in_section(false) } else { access.order };
        self.watch.touched.accesses(&self.state.memory, r, &access, order);
        self.look_for(t, r, &access);
        self.pending.written.push(r);
        if t.atomic_depth > 0 {
            let at = self.user_place(t);
            self.pending.accesses.push((r, Access { order, ..access }, at));
        } else {
            self.check_race(t, r, &access, self.state.steps + 1)?;
        }
        let at = self.user_place(t).map(|place| (t.number, place));
        self.note_free(t, r);
        self.state.memory.end(r, at);
        self.step_done(t)?;
        Ok(Done::Yes)
    }
}
