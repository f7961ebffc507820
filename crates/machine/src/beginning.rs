//! The beginning of a run: variables, constants, and where objects lie.

use crate::finding::End;
use crate::layout::ObjectName;
use crate::machine::{Machine, StepStop};
use crate::memory::{Arena, ObjectKind};
use crate::thread::Thread;
use crate::trace::ThreadNumber;
use crate::value::{ObjectRef, Value};
use tp_ir::{Const, EntityRef, GlobalId, Init};

impl<'p> Machine<'p, '_> {
    pub(crate) fn start(&mut self) -> Result<(), StepStop> {
        self.make_globals()?;
        let entry = self.program.entry;
        let (slot, _) = self.new_thread(None)?;
        let Some(mut thread) = self.state.threads[slot].take() else { return Ok(()) };
        self.enter(&mut thread, entry, &[], false)?;
        self.run_to_first_step(thread)
    }

    pub(crate) fn make_globals(&mut self) -> Result<(), StepStop> {
        for (id, global) in &self.program.globals {
            if !global.thread_local {
                let r = self.make_global_object(id, None)?;
                self.state.global_objects[id.index()] = Some(r);
            }
        }
        let mut functions = vec![None; self.program.functions.len()];
        for constant in self.program.constants.values() {
            let value = match *constant {
                Const::Int { width, bits } => Value::from_wide(bits, width),
                Const::F32(bits) => Value::int(bits as u64),
                Const::F64(bits) => Value::int(bits),
                Const::Null => Value::ZERO,
                Const::Function(f) => match functions[f.index()] {
                    Some(known) => known,
                    None => {
                        let r = self.state.memory.make_function(f);
                        self.apply_layout(ObjectName::Function(f), r);
                        *functions[f.index()].insert(Value::pointer(self.state.memory.object(r).base, r))
                    }
                },
                Const::Global { global, offset } => match self.state.global_objects[global.index()] {
                    Some(r) => {
                        let mask = tp_ir::eval::mask::<u64>(self.program.data_model.pointer_width());
                        Value::pointer(self.state.memory.object(r).base.wrapping_add(offset as u64) & mask, r)
                    }
                    None => Value::ZERO,
                },
            };
            self.state.constants.push(value);
        }
        for (id, _) in &self.program.globals {
            if let Some(r) = self.state.global_objects[id.index()] {
                self.initialise(id, r);
            }
        }
        Ok(())
    }

    /// Moves an object that was just made to the address that was decided for it, if any.
    pub(crate) fn apply_layout(&mut self, name: ObjectName, r: ObjectRef) {
        if let Some(address) = self.inputs.address(name)
            && self.state.memory.move_to(r, address)
        {
            self.state.trace.layout.insert(name, address);
        }
    }

    /// The same for an object on the stack or the heap.
    pub(crate) fn apply_layout_made(&mut self, r: ObjectRef) {
        let object = self.state.memory.object(r);
        if let Some(nth) = object.nth {
            self.apply_layout(ObjectName::Made(object.made_by, nth), r);
        }
    }

    /// A variable, or a thread's instance of it, which lies in the arena of the thread.
    pub(crate) fn make_global_object(
        &mut self,
        id: GlobalId,
        of_thread: Option<(ThreadNumber, &mut Arena)>,
    ) -> Result<ObjectRef, StepStop> {
        let global = &self.program.globals[id];
        let (size, align) = (global.size, global.align as u64);
        let name = match &of_thread {
            Some((thread, _)) => ObjectName::ThreadLocal(*thread, id),
            None => ObjectName::Global(id),
        };
        let made = match of_thread {
            Some((_, arena)) => self.state.memory.make_thread_local(id, arena, size, align),
            None => self.state.memory.make_global(ObjectKind::Global(id), size, align),
        };
        let Ok(r) = made else {
            return Err(End::OutOfMemory { at: self.nowhere() }.into());
        };
        self.apply_layout(name, r);
        let object = self.state.memory.object_mut(r);
        object.constant = global.constant;
        object.internal = global.internal;
        object.private = global.thread_local && global.internal;
        object.key = id.index() as u64;
        Ok(r)
    }

    pub(crate) fn initialise(&mut self, id: GlobalId, r: ObjectRef) {
        match &self.program.globals[id].init {
            Init::Zero => {}
            Init::Unknown => self.state.memory.forget(r),
            Init::Bytes { bytes, pointers } => {
                let size = self.state.memory.object(r).size;
                self.state.memory.set_bytes(r, &bytes[..bytes.len().min(size as usize)]);
                let word = self.program.data_model.pointer_width().bytes() as u64;
                for &(offset, constant) in pointers {
                    let value = self.state.constants[constant.index()];
                    if offset + word <= size {
                        self.state.memory.write(r, offset, word, value.bits as u128, value.object());
                    }
                }
            }
        }
    }

    /// This thread's instance of a thread-local variable.
    pub fn thread_local(&mut self, t: &mut Thread<'p>, global: GlobalId) -> Result<Value, StepStop> {
        let r = match t.thread_locals.iter().find(|(g, _)| *g == global) {
            Some((_, r)) => *r,
            None => {
                let r = self.make_global_object(global, Some((t.number, &mut t.arena)))?;
                self.initialise(global, r);
                let object = self.state.memory.object_mut(r);
                object.made_by = t.number;
                object.key = t.next_key();
                t.thread_locals.push((global, r));
                r
            }
        };
        Ok(Value::pointer(self.state.memory.object(r).base, r))
    }
}
