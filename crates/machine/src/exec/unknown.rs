//! Unknown functions, while it is traced what a run rests on: the bytes that they could have written are marked.
//!
//! An unknown function is taken to change nothing. It could have changed what its arguments point to, what can be
//! reached from there, and the program's variables. These bytes get a mark that stands for the function, until they are
//! written again. Where a value made from them decides something, the run rests on that function. It could also have
//! freed the heap objects that it can reach. What a model of a lock or of another primitive finds in its own state is
//! left out: the program's own calls have made that state.

use crate::machine::Machine;
use crate::memory::{Object, ObjectKind};
use crate::thread::Thread;
use crate::value::{ObjectRef, Value};
use std::collections::HashSet;
use tp_ir::{FuncId, Origin};

/// If there are more bytes to mark, the run is taken to rest on the function.
const MOST_BYTES: u64 = 1 << 20;

impl<'p> Machine<'p, '_> {
    /// At a call of an unknown function, marks what it could write.
    pub(crate) fn mark_written_by(&mut self, function: FuncId, arguments: &[Value]) {
        let Some(symbols) = self.symbols else { return };
        let Some(mark) = symbols.borrow().mark_of(function) else { return };
        let globals = self.state.memory.live().filter(|(_, o)| self.is_variable(o)).map(|(r, _)| r);
        let mut left: Vec<ObjectRef> = globals.chain(arguments.iter().filter_map(|v| v.object())).collect();
        let mut seen = HashSet::new();
        let mut bytes = 0;
        while let Some(r) = left.pop() {
            if !self.state.memory.is_live(r) || !seen.insert(r) {
                continue;
            }
            left.extend(self.state.memory.pointers_in(r));
            let object = self.state.memory.object(r);
            if object.constant || object.internal || matches!(object.kind, ObjectKind::Function(_)) {
                continue;
            }
            if object.kind == ObjectKind::Heap && !object.is_record {
                symbols.borrow_mut().note_heap(function);
            }
            let size = object.size;
            bytes += size;
            if bytes > MOST_BYTES {
                symbols.borrow_mut().decide(mark, 0);
                return;
            }
            for offset in 0..size {
                self.state.memory.set_symbol(r, offset, 1, mark);
            }
        }
    }

    fn is_variable(&self, object: &Object) -> bool {
        match object.kind {
            ObjectKind::Global(global) | ObjectKind::ThreadLocal(global) => {
                self.program.globals[global].origin == Origin::User
            }
            _ => false,
        }
    }

    /// Whether a model reads its own state in an atomic section, from bytes that have no terms but those of unknown
    /// functions.
    pub(crate) fn reads_own_state(&self, t: &Thread<'p>, r: ObjectRef, offset: u64, len: u64) -> bool {
        let Some(symbols) = self.symbols.map(|s| s.borrow()) else { return false };
        let in_model = || {
            let frame = t.frames.last();
            frame.is_some_and(|f| self.program.functions[f.function].origin == Origin::Model)
        };
        let is_mark = |at: u64| {
            self.state.memory.symbol_at(r, at).is_none_or(|byte| symbols.is_written_by_unknown(byte.term))
        };
        symbols.has_functions() && t.atomic_depth > 0 && in_model() && (offset..offset + len).all(is_mark)
    }
}
