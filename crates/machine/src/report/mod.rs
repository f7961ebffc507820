//! What was wrong, in the user's words: places of the user's code, names of variables, threads and locks.

mod cwe;
mod errors;
mod events;
mod misuse;
mod race;
mod remedy;
mod waiting;

use crate::finding::{Moment, StackEntry};
use crate::machine::Machine;
use crate::memory::ObjectKind;
use crate::thread::{Frame, Thread};
use crate::trace::ThreadNumber;
use crate::value::{ObjectRef, Value};
use tp_ir::{BlockId, FuncId, GlobalId, LocalInfo, Op, Origin, PlaceId, Type, eval};

/// A compound literal, or what `alloca` gives.
const UNNAMED: &str = "unnamed local";

/// What the models keep: its names are not the user's.
const OF_LIBRARY: &str = "memory of the C library";

/// Names of what comes from outside of the program that users know from the C standard and POSIX, before a `[` if there is one.
const STANDARD: [&str; 6] = ["stdin", "stdout", "stderr", "errno", "argv", "environ"];

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
            None => self.name_by(number, self.roots.get(&number).copied()),
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

    /// The call of a model that the user's code is in, if it is in one.
    pub(crate) fn called_by_user<'t>(&self, t: &'t Thread<'p>) -> Option<&'t Frame<'p>> {
        let user = t.frames.iter().rposition(|f| self.program.functions[f.function].origin == Origin::User);
        user.and_then(|u| t.frames.get(u + 1))
    }

    pub fn user_place(&self, t: &Thread<'p>) -> Option<PlaceId> {
        let mut calls = t.calls().rev();
        calls.find(|(f, _)| self.program.functions[*f].origin == Origin::User).map(|(_, place)| place)
    }

    /// A thread that waits, at the place where it found out.
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
            locks: t.held.iter().map(|h| self.describe_pointer(h.lock)).collect(),
            started: t.started.to_vec(),
        }
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

    pub(crate) fn place_text(&self, place: PlaceId) -> String {
        let p = &self.program.places[place];
        format!("{}:{}", self.program.files[p.file], p.line)
    }

    /// An object as a whole by its name in the source, ready for a sentence.
    pub(crate) fn describe_whole(&self, r: ObjectRef) -> String {
        let object = self.memory.object(r);
        match object.kind {
            kind if self.is_of_library(kind) => OF_LIBRARY.to_owned(),
            ObjectKind::Heap => self.describe(r, 0),
            ObjectKind::Global(g) | ObjectKind::ThreadLocal(g) => {
                format!("`{}`", self.program.globals[g].name)
            }
            ObjectKind::Local { .. } => match self.local_info(object.kind).and_then(|i| i.name.as_deref()) {
                Some(name) => format!("`{name}`"),
                None => format!("an {UNNAMED}"),
            },
            ObjectKind::Function(f) => format!("`{}`", self.program.functions[f].name),
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
            ObjectKind::Local { function, .. } => self.program.functions[function].origin == Origin::Model,
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

    /// A part of an object by its name in the source.
    pub fn describe(&self, r: ObjectRef, offset: u64) -> String {
        let object = self.memory.object(r);
        let named = |name: &str, ty: Option<tp_ir::SourceTypeId>| {
            let part = match ty {
                Some(ty) => tp_ir::describe_offset(self.program, ty, offset),
                None if offset > 0 => format!("+{offset}"),
                None => String::new(),
            };
            format!("{name}{part}")
        };
        match object.kind {
            kind if self.is_of_library(kind) => OF_LIBRARY.to_owned(),
            ObjectKind::Global(g) if self.is_string_literal(g) => "a string literal".to_owned(),
            ObjectKind::Global(g) | ObjectKind::ThreadLocal(g) => {
                let global = &self.program.globals[g];
                named(&global.name, global.ty)
            }
            ObjectKind::Local { .. } => match self.local_info(object.kind) {
                Some(info) => named(info.name.as_deref().unwrap_or(UNNAMED), info.ty),
                None => named(UNNAMED, None),
            },
            ObjectKind::Heap => {
                let made = match object.made_at {
                    Some(place) => format!("heap memory from {}", self.place_text(place)),
                    None => "heap memory".to_owned(),
                };
                if offset > 0 { format!("{made}, byte {offset}") } else { made }
            }
            ObjectKind::Function(f) => self.program.functions[f].name.to_string(),
        }
    }

    /// The same, ready for a sentence.
    pub(crate) fn quoted(&self, r: ObjectRef, offset: u64) -> String {
        let (name, kind) = (self.describe(r, offset), self.memory.object(r).kind);
        if kind == ObjectKind::Heap || self.is_of_library(kind) { name } else { format!("`{name}`") }
    }

    pub fn describe_pointer(&self, p: Value) -> String {
        match p.object() {
            Some(r) if self.memory.object(r).generation == r.generation() => {
                self.describe(r, p.bits.wrapping_sub(self.memory.object(r).base))
            }
            _ => format!("{:#x}", p.bits),
        }
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

/// The names of locks, ready for a sentence.
fn held(locks: &[String]) -> String {
    match locks {
        [] => "no lock".to_owned(),
        some => some.iter().map(|lock| format!("`{lock}`")).collect::<Vec<_>>().join(" and "),
    }
}
