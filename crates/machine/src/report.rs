//! What was wrong, in the user's words: places of the user's code, names of variables, threads and locks.

use crate::finding::{End, Event, Finding, Label, Moment, StackEntry, What};
use crate::leak;
use crate::machine::{Machine, Probe, Stop};
use crate::memory::{Fault, ObjectKind};
use crate::race::{Access, AccessKind, Earlier};
use crate::thread::{Thread, Waiting};
use crate::trace::ThreadNumber;
use crate::value::{ObjectRef, Value};
use tp_ir::{
    BinOp, BlockId, EntityRef, Op, Operand, OperandKind, Origin, PlaceId, Property, Type, WaitKind, Width,
    eval,
};

type Found = Result<(ObjectRef, u64), Fault>;

impl<'p> Machine<'p, '_> {
    // ── who and where ──────────────────────────────────────────────────────────────────────────────────────────

    pub fn thread_name(&self, t: &Thread<'p>) -> String {
        match t.root {
            _ if t.number == 0 => "main".to_owned(),
            Some(f) => format!("{}#{}", self.program.functions[f].name, t.number),
            None => format!("thread#{}", t.number),
        }
    }

    fn name_of(&self, number: ThreadNumber, current: &Thread<'p>) -> String {
        if number == current.number {
            return self.thread_name(current);
        }
        self.thread_numbered(number).map_or_else(|| format!("thread#{number}"), |t| self.thread_name(t))
    }

    /// The user's calls, innermost first.
    pub fn user_stack(&self, t: &Thread<'p>) -> Vec<StackEntry> {
        let frames = t.frames.iter().rev().filter_map(|frame| {
            let f = &self.program.functions[frame.function];
            let block = &frame.body.blocks[frame.block];
            let place = block.insts.get(frame.pc).map_or(block.terminator_place, |i| i.place);
            (f.origin == Origin::User).then(|| StackEntry { function: f.name.to_string(), place })
        });
        frames.collect()
    }

    pub fn user_place(&self, t: &Thread<'p>) -> Option<PlaceId> {
        t.frames.iter().rev().find_map(|frame| {
            let block = &frame.body.blocks[frame.block];
            let place = block.insts.get(frame.pc).map_or(block.terminator_place, |i| i.place);
            (self.program.functions[frame.function].origin == Origin::User).then_some(place)
        })
    }

    pub fn moment(&self, t: &Thread<'p>) -> Moment {
        Moment {
            thread: t.number,
            thread_name: self.thread_name(t),
            stack: self.user_stack(t),
            locks: t.held.iter().map(|h| self.describe_pointer(h.lock)).collect(),
            started: t.started.clone(),
        }
    }

    /// Before the program runs.
    pub fn nowhere(&self) -> Moment {
        Moment { thread: 0, thread_name: "main".to_owned(), stack: vec![], locks: vec![], started: vec![] }
    }

    fn at_place(&self, thread: ThreadNumber, place: PlaceId, current: &Thread<'p>) -> Moment {
        Moment {
            thread,
            thread_name: self.name_of(thread, current),
            stack: vec![StackEntry { function: String::new(), place }],
            locks: vec![],
            started: vec![],
        }
    }

    fn place_text(&self, place: PlaceId) -> String {
        let p = &self.program.places[place];
        format!("{}:{}", self.program.files[p.file], p.line)
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
            ObjectKind::Global(g) | ObjectKind::ThreadLocal(g) => {
                let global = &self.program.globals[g];
                named(&global.name, global.ty)
            }
            ObjectKind::Local { function, block, index } => {
                let body = self.program.functions[function].body.as_ref();
                let block = body.and_then(|b| b.blocks.get(BlockId::from_u32(block)));
                match block.and_then(|b| b.insts.get(index as usize)).map(|i| &i.op) {
                    Some(Op::Alloca { info, .. }) => named(info.name.as_deref().unwrap_or("local"), info.ty),
                    _ => named("local", None),
                }
            }
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

    pub fn describe_pointer(&self, p: Value) -> String {
        match p.object() {
            Some(r) if self.memory.is_live(r) => {
                self.describe(r, p.bits.wrapping_sub(self.memory.object(r).base))
            }
            _ => format!("{:#x}", p.bits),
        }
    }

    fn number(&self, ty: Type, signed: bool, bits: u128) -> String {
        let width = ty.width(self.program.data_model);
        match ty {
            Type::F32 | Type::F64 => eval::to_f64(ty, bits as u64).to_string(),
            Type::Ptr => format!("{bits:#x}"),
            Type::Int(_) if signed => (eval::sign_extend(bits, width) as i128).to_string(),
            Type::Int(_) => bits.to_string(),
        }
    }

    // ── ends ───────────────────────────────────────────────────────────────────────────────────────────────────

    /// A violation if it was to be checked; otherwise the run only cannot go on.
    pub fn ended_by(&self, finding: Finding) -> End {
        if self.config.checks.has(finding.property) {
            End::Violation(Box::new(finding))
        } else {
            End::Undefined(Box::new(finding))
        }
    }

    fn wrong(&self, t: &Thread<'p>, property: Property, message: String, label: &str) -> Finding {
        let label = Label { text: label.to_owned(), moment: self.moment(t) };
        Finding { property, message, labels: vec![label], notes: vec![] }
    }

    fn stop(&self, t: &Thread<'p>, property: Property, message: String, label: &str) -> Stop {
        self.ended_by(self.wrong(t, property, message, label)).into()
    }

    pub fn uninitialised(&self, t: &Thread<'p>, operand: Operand) -> Stop {
        let name = match operand.kind() {
            OperandKind::Reg(r) => t.frames.last().and_then(|f| f.body.regs.get(r)?.name.clone()),
            OperandKind::Const(_) => None,
        };
        let what = name.map_or("a value".to_owned(), |n| format!("`{n}`"));
        self.stop(t, Property::Uninitialised, format!("{what} is used but was never written"), "used here")
    }

    pub fn unreachable_code(&self, t: &Thread<'p>) -> Stop {
        let message = "control reaches code that the program declares unreachable".to_owned();
        End::Undefined(Box::new(self.wrong(t, Property::Assert, message, "reached here"))).into()
    }

    pub fn arithmetic_error(
        &self,
        t: &Thread<'p>,
        error: Property,
        op: BinOp,
        width: Width,
        a: u128,
        b: u128,
    ) -> Result<Value, Stop> {
        if !self.config.checks.has(error) && error != Property::DivisionByZero {
            return Ok(Value::from_wide(eval::binary_after_error(op, width, a, b), width));
        }
        let signed = |v| eval::sign_extend(v, width) as i128;
        let bits = width.bits();
        let (message, label) = match error {
            Property::DivisionByZero => (format!("{} is divided by zero", signed(a)), "division by zero"),
            Property::Shift => {
                (format!("a value of {bits} bits is shifted by {}", signed(b)), "shift out of range")
            }
            _ => {
                let sign = match op {
                    BinOp::Add => "+",
                    BinOp::Sub => "-",
                    BinOp::Mul => "*",
                    BinOp::SRem => "%",
                    _ => "/",
                };
                (
                    format!("{} {sign} {} does not fit into {bits} bits", signed(a), signed(b)),
                    "signed overflow",
                )
            }
        };
        Err(self.stop(t, error, message, label))
    }

    pub fn conversion_error(
        &self,
        t: &Thread<'p>,
        error: Property,
        from: Type,
        to: Type,
        bits: u128,
    ) -> Stop {
        let value = eval::to_f64(from, bits as u64);
        let width = to.width(self.program.data_model).bits();
        self.stop(t, error, format!("{value} does not fit into an integer of {width} bits"), "converted here")
    }

    pub fn overlapping_copy(&self, t: &Thread<'p>) -> Stop {
        let message = "memory is copied onto a part of itself, which only memmove allows".to_owned();
        self.stop(t, Property::OutOfBounds, message, "copied here")
    }

    pub fn fault(&self, t: &Thread<'p>, fault: Fault, len: u64, write: bool) -> Stop {
        let verb = if write { "written" } else { "read" };
        let bytes = if len == 1 { "1 byte".to_owned() } else { format!("{len} bytes") };
        let label = if write { "written here" } else { "read here" };
        let (property, message, object) = match fault {
            Fault::Null { address: 0 } => {
                (Property::InvalidDeref, "a null pointer is dereferenced".to_owned(), None)
            }
            Fault::Null { address } => (
                Property::InvalidDeref,
                format!("a null pointer with offset {address} is dereferenced"),
                None,
            ),
            Fault::Wild { address } => (
                Property::InvalidDeref,
                format!("{address:#x} is dereferenced, but no object is there"),
                None,
            ),
            Fault::Dead { object } => {
                let name = self.dead_name(object);
                let message = match self.memory.object(object).kind {
                    ObjectKind::Heap => format!("{name} is {verb} after it was freed"),
                    _ => format!("{name} is {verb} after it has ceased to exist"),
                };
                (Property::UseAfterFree, message, Some(object))
            }
            Fault::OutOfScope { object } => {
                let name = self.describe(object, 0);
                (Property::UseAfterFree, format!("`{name}` is {verb} outside its scope"), Some(object))
            }
            Fault::Bounds { object, offset } => {
                let size = self.memory.object(object).size;
                let name = self.describe(object, 0);
                let message =
                    format!("{bytes} at offset {offset} of `{name}` are {verb}, which has {size} bytes");
                (Property::OutOfBounds, message, Some(object))
            }
            Fault::ReadOnly { object } => (
                Property::InvalidDeref,
                format!("constant `{}` is written", self.describe(object, 0)),
                Some(object),
            ),
            Fault::NotData { object } => {
                let name = self.describe(object, 0);
                (Property::InvalidDeref, format!("function `{name}` is {verb} as if it were data"), None)
            }
        };
        let mut finding = self.wrong(t, property, message, label);
        if let Some(r) = object {
            self.add_history(t, r, &mut finding);
        }
        self.ended_by(finding).into()
    }

    /// Something that is gone may have given its slot to another object.
    fn dead_name(&self, r: ObjectRef) -> String {
        if self.memory.object(r).generation != r.generation() {
            return "an object".to_owned();
        }
        match self.memory.object(r).kind {
            ObjectKind::Heap => self.describe(r, 0),
            _ => format!("`{}`", self.describe(r, 0)),
        }
    }

    /// Where an object was made and freed.
    fn add_history(&self, t: &Thread<'p>, r: ObjectRef, finding: &mut Finding) {
        let object = self.memory.object(r);
        if object.generation != r.generation() {
            return;
        }
        if let Some(place) = object.freed_at {
            let moment = self.at_place(t.number, place, t);
            finding.labels.push(Label { text: "freed here".to_owned(), moment });
        }
        if let Some(place) = object.made_at
            && object.kind == ObjectKind::Heap
        {
            let moment = self.at_place(object.made_by, place, t);
            finding.labels.push(Label { text: "allocated here".to_owned(), moment });
        }
    }

    pub fn bad_free(&self, t: &Thread<'p>, p: Value, found: Found) -> Stop {
        let (property, message, object) = match found {
            Ok((r, 0)) => (
                Property::InvalidFree,
                format!("`{}` is freed but is not heap memory", self.describe(r, 0)),
                None,
            ),
            Ok((r, offset)) => {
                let name = self.describe(r, 0);
                (Property::InvalidFree, format!("a pointer {offset} bytes into {name} is freed"), Some(r))
            }
            Err(Fault::Dead { object }) if self.is_heap(object) => {
                (Property::DoubleFree, format!("{} is freed again", self.dead_name(object)), Some(object))
            }
            Err(Fault::Bounds { object, .. }) => {
                let name = self.describe(object, 0);
                (Property::InvalidFree, format!("a pointer outside of {name} is freed"), Some(object))
            }
            Err(_) => (Property::InvalidFree, format!("{:#x} is freed but is no heap memory", p.bits), None),
        };
        let mut finding = self.wrong(t, property, message, "freed here");
        if let Some(r) = object {
            if let Some(label) = finding.labels.first_mut() {
                label.text = if property == Property::DoubleFree { "freed again here" } else { "freed here" }
                    .to_owned();
            }
            self.add_history(t, r, &mut finding);
        }
        self.ended_by(finding).into()
    }

    fn is_heap(&self, r: ObjectRef) -> bool {
        let object = self.memory.object(r);
        object.generation != r.generation() || object.kind == ObjectKind::Heap
    }

    pub fn bad_call(&self, t: &Thread<'p>, p: Value) -> Stop {
        let message = if p.bits == 0 {
            "a null pointer is called".to_owned()
        } else {
            format!("`{}` is called but is not a function", self.describe_pointer(p))
        };
        self.stop(t, Property::InvalidDeref, message, "called here")
    }

    pub fn assertion_failed(&self, t: &Thread<'p>, property: Property, message: String) -> Result<(), Stop> {
        let checked = self.config.checks.has(property);
        match property {
            // Without the check, the program goes on as it would by itself: an assertion aborts it.
            Property::Assert if !checked => Err(End::Exited { status: 134 }.into()),
            Property::ReachError if !checked => Ok(()),
            Property::Assert => {
                Err(self.stop(t, property, format!("assertion `{message}` fails"), "this does not hold"))
            }
            Property::ReachError => Err(self.stop(t, property, message, "called here")),
            _ => Err(self.stop(t, property, message, "here")),
        }
    }

    pub fn exit(&self, t: &Thread<'p>, status: i32) -> Stop {
        match self.leak(Some(t)) {
            Some(finding) => End::Violation(Box::new(finding)).into(),
            None => End::Exited { status }.into(),
        }
    }

    fn leak(&self, current: Option<&Thread<'p>>) -> Option<Finding> {
        if !self.config.checks.has(Property::Leak) {
            return None;
        }
        let threads = self.threads.iter().flatten().map(|t| &**t).chain(current);
        let lost = leak::unreachable(&self.memory, threads);
        let &first = lost.first()?;
        let object = self.memory.object(first);
        let size = object.size;
        let moment = match (object.made_at, current) {
            (Some(place), Some(t)) => self.at_place(object.made_by, place, t),
            (Some(place), None) => {
                let stack = vec![StackEntry { function: String::new(), place }];
                Moment { thread: object.made_by, stack, ..self.nowhere() }
            }
            _ => self.nowhere(),
        };
        let notes = match lost.len() {
            1 => vec![],
            n => vec![format!("{} more like it", n - 1)],
        };
        Some(Finding {
            property: Property::Leak,
            message: format!(
                "{size} bytes of heap memory are lost: nothing points to them when the program ends"
            ),
            labels: vec![Label { text: "allocated here".to_owned(), moment }],
            notes,
        })
    }

    // ── races ──────────────────────────────────────────────────────────────────────────────────────────────────

    fn access_text(&self, t: &Thread<'p>, access: &Access) -> String {
        let locks: Vec<String> =
            t.held.iter().map(|h| format!("`{}`", self.describe_pointer(h.lock))).collect();
        let locks = if locks.is_empty() { "no lock".to_owned() } else { locks.join(" and ") };
        let atomic = if access.order.is_atomic() { "atomic " } else { "" };
        let verb = match access.kind {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
            AccessKind::ReadWrite => "update",
        };
        format!("{atomic}{verb} by thread `{}`, holding {locks}", self.thread_name(t))
    }

    pub fn earlier_label(&self, t: &Thread<'p>, access: &Access) -> Label {
        Label { text: format!("(1) {}", self.access_text(t, access)), moment: self.moment(t) }
    }

    pub fn race(&mut self, t: &Thread<'p>, r: ObjectRef, access: &Access, earlier: Earlier) -> Stop {
        let object = self.memory.object(r);
        let address = object.base + earlier.offset;
        self.earlier = Some(Probe { step: earlier.step, address, len: earlier.len, write: earlier.write });
        let name = self.describe(r, earlier.offset.max(access.offset));
        let name = if object.kind == ObjectKind::Heap { name } else { format!("`{name}`") };
        let one = if earlier.write && access.kind != AccessKind::Read {
            "both write"
        } else {
            "one of them writes"
        };
        Stop::from(End::Violation(Box::new(Finding {
            property: Property::Race,
            message: format!("two threads access {name} at the same time, {one}"),
            labels: vec![Label {
                text: format!("(2) {}", self.access_text(t, access)),
                moment: self.moment(t),
            }],
            notes: vec!["the two accesses are not ordered by any lock, join, or atomic".to_owned()],
        })))
    }

    // ── waiting ────────────────────────────────────────────────────────────────────────────────────────────────

    fn waiting_text(&self, t: &Thread<'p>, current: &Thread<'p>) -> String {
        let name = self.thread_name(t);
        let Some(Waiting { kind, object, owner }) = t.waiting else {
            return format!("thread `{name}` waits here");
        };
        let what = self.describe_pointer(object);
        let held = match owner {
            Some(o) if o == t.number => ", which it holds itself".to_owned(),
            Some(o) => format!(", held by thread `{}`", self.name_of(o, current)),
            None => String::new(),
        };
        match kind {
            WaitKind::Mutex => format!("thread `{name}` waits for mutex `{what}`{held}"),
            WaitKind::ReadLock => format!("thread `{name}` waits to read-lock `{what}`{held}"),
            WaitKind::WriteLock => format!("thread `{name}` waits to write-lock `{what}`{held}"),
            WaitKind::SpinLock => format!("thread `{name}` spins on `{what}`{held}"),
            WaitKind::Condition => format!("thread `{name}` waits for a signal on `{what}`"),
            WaitKind::Join => {
                let other =
                    owner.map_or("a thread".to_owned(), |o| format!("thread `{}`", self.name_of(o, current)));
                format!("thread `{name}` waits for {other} to end")
            }
            WaitKind::Barrier => format!("thread `{name}` waits for others at barrier `{what}`"),
            WaitKind::Semaphore => format!("thread `{name}` waits for semaphore `{what}`"),
            WaitKind::Once => format!("thread `{name}` waits for the initialisation `{what}`{held}"),
        }
    }

    /// The circle of threads that wait for each other which `last` has just closed.
    pub fn wait_cycle(&self, last: &Thread<'p>) -> Option<Finding> {
        if !self.config.checks.has(Property::Deadlock) {
            return None;
        }
        let mut cycle = vec![last];
        loop {
            let owner = cycle.last()?.waiting?.owner?;
            if owner == last.number {
                break;
            }
            let next = self.thread_numbered(owner)?;
            if self.is_enabled(owner) || cycle.iter().any(|t| t.number == owner) {
                return None;
            }
            cycle.push(next);
        }
        let others = self.threads.iter().flatten().any(|t| self.is_enabled(t.number));
        let message = match (cycle.len(), others) {
            (1, _) => format!("thread `{}` waits for itself", self.thread_name(last)),
            (n, false) => format!("{n} threads wait for each other"),
            (n, true) => format!("{n} threads wait for each other, while others go on"),
        };
        Some(self.deadlock(message, &cycle, last))
    }

    fn deadlock(&self, message: String, threads: &[&Thread<'p>], current: &Thread<'p>) -> Finding {
        let label = |t: &&Thread<'p>| Label { text: self.waiting_text(t, current), moment: self.moment(t) };
        let notes = threads.iter().filter(|t| !t.held.is_empty()).map(|t| {
            let locks: Vec<String> =
                t.held.iter().map(|h| format!("`{}`", self.describe_pointer(h.lock))).collect();
            format!("thread `{}` holds {}", self.thread_name(t), locks.join(" and "))
        });
        Finding {
            property: Property::Deadlock,
            message,
            labels: threads.iter().map(label).collect(),
            notes: notes.collect(),
        }
    }

    /// No thread can take a step.
    pub fn nobody_can_step(&mut self) -> End {
        let waiting: Vec<&Thread<'p>> = self.threads.iter().flatten().map(|t| &**t).collect();
        let Some(first) = waiting.first() else {
            return match self.leak(None) {
                Some(finding) => End::Violation(Box::new(finding)),
                None => End::Exited { status: 0 },
            };
        };
        if waiting.iter().any(|t| t.blocked_by_input) {
            return End::Assumption;
        }
        let message = match waiting.len() {
            1 => {
                format!("thread `{}` waits, and no other thread is left to wake it", self.thread_name(first))
            }
            n => format!("all {n} threads wait, and none is left to wake them"),
        };
        self.ended_by(self.deadlock(message, &waiting, first))
    }

    // ── events, when they are recorded ─────────────────────────────────────────────────────────────────────────

    fn note(&mut self, t: &Thread<'p>, what: What) {
        let step = if t.atomic_depth > 0 { self.steps + 1 } else { self.steps };
        let event = Event {
            step,
            thread: t.number,
            thread_name: self.thread_name(t),
            place: self.user_place(t),
            what,
        };
        self.events.push(event);
    }

    fn in_user_code(&self, t: &Thread<'p>) -> bool {
        t.frames.last().is_some_and(|f| self.program.functions[f.function].origin == Origin::User)
    }

    #[inline]
    pub fn note_access(
        &mut self,
        t: &Thread<'p>,
        r: ObjectRef,
        offset: u64,
        ty: Type,
        value: Value,
        write: bool,
    ) {
        if self.config.record_events {
            let o = self.memory.object(r);
            if !o.private && !o.constant && !o.internal && self.in_user_code(t) {
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
        }
    }

    /// The model that an atomic step belongs to, as the user called it.
    pub fn note_call(&mut self, t: &Thread<'p>) {
        if !self.config.record_events || self.in_user_code(t) {
            return;
        }
        let user = t.frames.iter().rposition(|f| self.program.functions[f.function].origin == Origin::User);
        let Some(frame) = t.frames.get(user.map_or(0, |u| u + 1)) else { return };
        let function = self.program.functions[frame.function].name.to_string();
        let argument = frame.body.params.first().map(|p| t.regs[frame.base + p.index()]);
        let argument = argument.filter(|v| v.object().is_some()).map(|v| self.describe_pointer(v));
        self.note(t, What::Call { function, argument });
    }

    pub fn note_input(&mut self, t: &Thread<'p>, name: String, ty: Type, signed: bool, value: Value) {
        if self.config.record_events {
            let width = ty.width(self.program.data_model);
            let value = self.number(ty, signed, value.wide(width));
            self.note(t, What::Input { name, value });
        }
    }

    pub fn note_free(&mut self, t: &Thread<'p>, r: ObjectRef) {
        if self.config.record_events {
            let argument = Some(self.describe(r, 0));
            self.note(t, What::Call { function: "free".to_owned(), argument });
        }
    }
}
