//! Collects the facts of what was wrong: places of the user's code, names of variables, threads and locks.

mod errors;
mod events;
mod misuse;
mod race;
mod waiting;

use crate::finding::{HeldLock, Moment, StackEntry};
use crate::machine::Machine;
use crate::memory::ObjectKind;
use crate::named::NamedObject;
use crate::thread::{Frame, HeldByThread, Thread};
use crate::trace::ThreadNumber;
use crate::value::{ObjectRef, Value};
use tp_ir::{BlockId, FuncId, GlobalId, LocalInfo, ModelEffect, Op, Origin, PlaceId, SyncEffect, Type, eval};

/// Variables of the models that users know from the C standard and POSIX; a name counts up to its first `[`.
const STANDARD: [&str; 9] = [
    "stdin",
    "stdout",
    "stderr",
    "errno",
    "argv",
    "environ",
    "standard_input",
    "standard_output",
    "standard_error",
];

impl<'p> Machine<'p, '_> {
    // ── who and where ──────────────────────────────────────────────────────────────────────────────────────────

    pub fn thread_name(&self, t: &Thread<'p>) -> String {
        self.name_by(t.number, t.root)
    }

    fn name_by(&self, number: ThreadNumber, root: Option<FuncId>) -> String {
        match root {
            _ if number == 0 => "main".to_owned(),
            Some(f) => format!("{}#{number}", self.program.functions[f].name),
            None => format!("thread#{number}"),
        }
    }

    pub(crate) fn name_of(&self, number: ThreadNumber, current: &Thread<'p>) -> String {
        if number == current.number {
            return self.thread_name(current);
        }
        match self.thread_numbered(number) {
            Some(t) => self.thread_name(t),
            None => self.name_by(number, self.state.roots.get(&number).copied()),
        }
    }

    /// The user's calls, innermost first.
    pub fn user_stack(&self, t: &Thread<'p>) -> Vec<StackEntry> {
        self.user_calls(t.calls().rev())
    }

    fn user_calls(&self, calls: impl Iterator<Item = (FuncId, PlaceId)>) -> Vec<StackEntry> {
        let users = calls.filter(|(f, _)| self.program.functions[*f].origin == Origin::User);
        users
            .map(|(f, place)| StackEntry { function: self.program.functions[f].name.to_string(), place })
            .collect()
    }

    /// The frame of the model that the innermost user function has called, itself or through headers of the library.
    pub(crate) fn called_by_user<'t>(&self, t: &'t Thread<'p>) -> Option<&'t Frame<'p>> {
        self.model_frames(t).next()
    }

    /// The frames of models that the innermost user function has called, outermost first.
    fn model_frames<'t>(&self, t: &'t Thread<'p>) -> impl Iterator<Item = &'t Frame<'p>> {
        let origin = |f: &Frame<'_>| self.program.functions[f.function].origin;
        let user = t.frames.iter().rposition(|f| origin(f) == Origin::User).unwrap_or(t.frames.len());
        t.frames[user..].iter().filter(move |f| origin(f) == Origin::Model)
    }

    /// The first of them that does not only forward to another one: its effects are those of the call.
    pub(crate) fn doing_for_user<'t>(&self, t: &'t Thread<'p>) -> Option<&'t Frame<'p>> {
        self.model_frames(t).find(|f| !self.program.functions[f.function].does(ModelEffect::Forward))
    }

    /// If the next step is a section: what the function that the user calls does in it.
    pub(crate) fn section_sync(&self, t: &Thread<'p>) -> Option<SyncEffect> {
        let top = t.frames.last()?;
        let next = top.body.blocks[top.block].insts.get(top.pc)?;
        if !matches!(next.op, Op::AtomicBegin) {
            return None;
        }
        self.sync_of_call(t)
    }

    /// What the model that the user has called does to locks and threads.
    pub(crate) fn sync_of_call(&self, t: &Thread<'p>) -> Option<SyncEffect> {
        let called = self.doing_for_user(t)?;
        self.program.functions[called.function].trusted_effects().iter().find_map(|effect| match effect {
            ModelEffect::Sync(sync) => Some(*sync),
            _ => None,
        })
    }

    pub fn user_place(&self, t: &Thread<'p>) -> Option<PlaceId> {
        let mut calls = t.calls().rev();
        calls.find(|(f, _)| self.program.functions[*f].origin == Origin::User).map(|(_, place)| place)
    }

    /// A waiting thread, at the place where it blocked.
    pub(crate) fn waiting_moment(&self, t: &Thread<'p>) -> Moment {
        Moment { stack: self.user_calls(t.blocked_at.iter().rev().copied()), ..self.moment(t) }
    }

    pub fn moment(&self, t: &Thread<'p>) -> Moment {
        let mut stack = self.user_stack(t);
        if let (Some(innermost), Some(place)) = (stack.first_mut(), self.made_at) {
            innermost.place = place;
        }
        Moment {
            thread: t.number,
            thread_name: self.thread_name(t),
            stack,
            locks: self.held_locks(t),
            started: t.started.to_vec(),
        }
    }

    fn held_locks(&self, t: &Thread<'p>) -> Vec<HeldLock> {
        let held = |h: &HeldByThread| HeldLock {
            lock: self.pointed_to(h.lock),
            address: h.lock.bits,
            mode: h.mode,
            taken_at: h.at,
        };
        t.held.iter().map(held).collect()
    }

    /// Before the program runs.
    pub fn nowhere(&self) -> Moment {
        Moment { thread: 0, thread_name: "main".to_owned(), stack: vec![], locks: vec![], started: vec![] }
    }

    pub(crate) fn at_place(&self, thread: ThreadNumber, place: PlaceId, current: &Thread<'p>) -> Moment {
        Moment {
            thread,
            thread_name: self.name_of(thread, current),
            stack: vec![StackEntry { function: String::new(), place }],
            locks: vec![],
            started: vec![],
        }
    }

    /// An object as a whole.
    pub(crate) fn whole(&self, r: ObjectRef) -> NamedObject {
        let object = self.state.memory.object(r);
        match object.kind {
            kind if self.is_of_library(kind) => NamedObject::OfLibrary,
            ObjectKind::Global(g) if self.is_string_literal(g) => NamedObject::StringLiteral,
            ObjectKind::Global(g) | ObjectKind::ThreadLocal(g) => {
                NamedObject::Variable { name: self.program.globals[g].name.to_string(), part: String::new() }
            }
            ObjectKind::Local { .. } => self.named_local(object.kind, String::new()),
            ObjectKind::Heap => NamedObject::Heap { made_at: object.made_at, offset: 0 },
            ObjectKind::Function(f) => NamedObject::Function(self.program.functions[f].name.to_string()),
        }
    }

    /// `None`: another object has taken its place.
    pub(crate) fn whole_if_remembered(&self, r: ObjectRef) -> Option<NamedObject> {
        (self.state.memory.object(r).generation == r.generation()).then(|| self.whole(r))
    }

    fn named_local(&self, kind: ObjectKind, part: String) -> NamedObject {
        match self.local_info(kind).and_then(|info| info.name.as_deref()) {
            Some(name) => NamedObject::Variable { name: name.to_owned(), part },
            None => NamedObject::UnnamedLocal { part },
        }
    }

    /// A variable of the models, which has no name for the user.
    pub(crate) fn is_of_library(&self, kind: ObjectKind) -> bool {
        match kind {
            ObjectKind::Global(g) | ObjectKind::ThreadLocal(g) => {
                let global = &self.program.globals[g];
                let name = global.name.split('[').next().unwrap_or_default();
                global.origin == Origin::Model && !STANDARD.contains(&name)
            }
            ObjectKind::Local { function, .. } => self.program.functions[function].origin != Origin::User,
            ObjectKind::Heap | ObjectKind::Function(_) => false,
        }
    }

    /// A constant that the compiler has named, not the user.
    fn is_string_literal(&self, global: GlobalId) -> bool {
        self.program.globals[global].name.starts_with(".str")
    }

    pub(crate) fn has_name(&self, local: ObjectKind) -> bool {
        self.local_info(local).is_some_and(|info| info.name.is_some())
    }

    fn local_info(&self, kind: ObjectKind) -> Option<&'p LocalInfo> {
        let ObjectKind::Local { function, block, index } = kind else { return None };
        let body = self.program.functions[function].body.as_ref()?;
        match &body.blocks.get(BlockId::from_u32(block))?.insts.get(index as usize)?.op {
            Op::Alloca { info, .. } => Some(info),
            _ => None,
        }
    }

    /// The part of an object at an offset.
    pub(crate) fn part(&self, r: ObjectRef, offset: u64) -> NamedObject {
        let object = self.state.memory.object(r);
        let part = |ty: Option<tp_ir::SourceTypeId>| match ty {
            Some(ty) => tp_ir::describe_offset(self.program, ty, offset),
            None if offset > 0 => format!("+{offset}"),
            None => String::new(),
        };
        match object.kind {
            kind if self.is_of_library(kind) => NamedObject::OfLibrary,
            ObjectKind::Global(g) if self.is_string_literal(g) => NamedObject::StringLiteral,
            ObjectKind::Global(g) | ObjectKind::ThreadLocal(g) => {
                let global = &self.program.globals[g];
                NamedObject::Variable { name: global.name.to_string(), part: part(global.ty) }
            }
            kind @ ObjectKind::Local { .. } => {
                self.named_local(kind, part(self.local_info(kind).and_then(|info| info.ty)))
            }
            ObjectKind::Heap => NamedObject::Heap { made_at: object.made_at, offset },
            ObjectKind::Function(f) => NamedObject::Function(self.program.functions[f].name.to_string()),
        }
    }

    /// The name of that part.
    pub fn describe(&self, r: ObjectRef, offset: u64) -> String {
        self.part(r, offset).name(self.program)
    }

    /// What a pointer points to.
    pub(crate) fn pointed_to(&self, p: Value) -> NamedObject {
        match p.object() {
            Some(r) if self.state.memory.object(r).generation == r.generation() => {
                self.part(r, p.bits.wrapping_sub(self.state.memory.object(r).base))
            }
            _ => NamedObject::Address(p.bits),
        }
    }

    pub(crate) fn describe_pointer(&self, p: Value) -> String {
        self.pointed_to(p).name(self.program)
    }

    pub(crate) fn number(&self, ty: Type, signed: bool, bits: u128) -> String {
        let width = ty.width(self.program.data_model);
        match ty {
            Type::F32 | Type::F64 => eval::to_f64(ty, bits as u64).to_string(),
            Type::Ptr => format!("{bits:#x}"),
            Type::Int(_) if signed => (eval::sign_extend(bits, width) as i128).to_string(),
            Type::Int(_) => bits.to_string(),
        }
    }
}
