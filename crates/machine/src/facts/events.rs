//! The events of a run, when they are recorded.

use crate::decide::WantedInput;
use crate::finding::{Event, What};
use crate::machine::Machine;
use crate::race::{Access, AccessKind};
use crate::thread::Thread;
use crate::value::{ObjectRef, Value};
use tp_ir::{EntityRef, InputKind, ModelEffect, Origin, Type};

impl<'p> Machine<'p, '_> {
    pub(crate) fn note(&mut self, t: &Thread<'p>, what: What) {
        if self.is_internal_to_library(t) {
            return;
        }
        let step = if t.atomic_depth > 0 { self.state.steps + 1 } else { self.state.steps };
        let event = Event {
            step,
            thread: t.number,
            thread_name: self.thread_name(t),
            place: self.user_place(t),
            what,
        };
        self.watch.events.push(event);
    }

    pub(crate) fn in_user_code(&self, t: &Thread<'p>) -> bool {
        t.frames.last().is_some_and(|f| self.program.functions[f.function].origin == Origin::User)
    }

    /// Whether the library's headers do something of their own, which no code of the user's has called.
    fn is_internal_to_library(&self, t: &Thread<'p>) -> bool {
        let has = |wanted| t.frames.iter().any(|f| self.program.functions[f.function].origin == wanted);
        has(Origin::Library) && !has(Origin::User)
    }

    /// Whether the user sees the accesses of the next instruction: in the library's headers only those that are atomic, as
    /// in `std::atomic`.
    fn shows_accesses(&self, t: &Thread<'p>) -> bool {
        let Some(frame) = t.frames.last() else { return false };
        match self.program.functions[frame.function].origin {
            Origin::User => true,
            Origin::Library => {
                let inst = frame.body.blocks[frame.block].insts.get(frame.pc);
                inst.is_some_and(|inst| inst.op.is_atomic_access())
            }
            Origin::Model => false,
        }
    }

    /// Records an access to what other threads can see.
    #[cold]
    pub fn note_access(
        &mut self,
        t: &Thread<'p>,
        (r, offset): (ObjectRef, u64),
        ty: Type,
        value: Value,
        write: bool,
    ) {
        let is_visible = self.state.memory.object(r).reach().is_visible(false);
        if !is_visible || !self.shows_accesses(t) {
            return;
        }
        let width = ty.width(self.program.data_model);
        let text = match value.object() {
            Some(_) if ty == Type::Ptr => format!("&{}", self.describe_pointer(value)),
            _ if width.bits() <= 64 && value.is_uninit() => "?".to_owned(),
            _ => self.number(ty, true, value.wide(width)),
        };
        let object = self.describe(r, offset);
        let what = match write {
            true => What::Write { object, value: text },
            false => What::Read { object, value: text },
        };
        self.note(t, what);
    }

    /// The access that ends the run. The value that it would have written is not known here.
    pub fn note_racing(&mut self, t: &Thread<'p>, r: ObjectRef, access: &Access) {
        if self.config.record_events && self.is_of_library(self.state.memory.object(r).kind) {
            self.note_call(t);
        } else if self.config.record_events {
            let object = self.describe(r, access.offset);
            let value = "…".to_owned();
            let what = match access.kind {
                AccessKind::Read => What::Read { object, value },
                _ => What::Write { object, value },
            };
            self.note(t, what);
        }
    }

    /// The model that an atomic step belongs to, as the user called it.
    pub fn note_call(&mut self, t: &Thread<'p>) {
        if !self.config.record_events || self.in_user_code(t) {
            return;
        }
        let Some(frame) = self.called_by_user(t) else { return };
        if self.program.functions[frame.function].does(ModelEffect::SignalPoint) {
            return;
        }
        let function = self.program.functions[frame.function].name.to_string();
        let pointer = frame.body.params.first().filter(|p| frame.body.regs[**p].ty == Type::Ptr);
        let argument = pointer.map(|p| t.regs[frame.base + p.index()]);
        let argument = argument.filter(|v| v.object().is_some()).map(|v| self.describe_pointer(v));
        self.note(t, What::Call { function, argument });
    }

    pub fn note_input(&mut self, t: &Thread<'p>, wanted: WantedInput, value: Value) {
        let WantedInput { name, ty, signed, kind } = wanted;
        let rare = kind == InputKind::Event;
        let bits = value.wide(ty.width(self.program.data_model));
        if !self.config.record_events || (rare && bits == 0) {
            return;
        }
        match rare {
            true => self.note(t, What::Event { name }),
            false => {
                let value = self.number(ty, signed, bits);
                self.note(t, What::Input { name, value });
            }
        }
    }

    /// An object ends, or its scope does.
    #[inline]
    pub fn note_end(&mut self, t: &Thread<'p>, r: ObjectRef) {
        if self.watch.hindsight.is_some() {
            let moment = self.moment(t);
            if let Some(hindsight) = &mut self.watch.hindsight {
                hindsight.seen.ended.insert(r, moment);
            }
        }
    }

    /// The locals of the returning function end. Private locals are skipped: there are too many.
    #[inline]
    pub fn note_return(&mut self, t: &Thread<'p>) {
        if self.watch.hindsight.is_some() {
            let first = t.frames.last().map_or(0, |f| f.locals);
            for &r in t.locals.get(first..).unwrap_or_default() {
                if self.state.memory.is_live(r) && !self.state.memory.object(r).private {
                    self.note_end(t, r);
                }
            }
        }
    }

    pub fn note_free(&mut self, t: &Thread<'p>, r: ObjectRef) {
        self.note_end(t, r);
        if self.config.record_events && t.atomic_depth == 0 {
            let argument = Some(self.describe(r, 0));
            self.note(t, What::Call { function: "free".to_owned(), argument });
        }
    }
}
