//! One thread, instruction by instruction, up to its next step.
//!
//! `advance` is the interpreter's loop. What instructions compute is `tp_ir::eval`; what memory does is `memory`; this
//! file connects them, decides what is a step, and keeps account of what each access means for other threads.

use crate::machine::{Machine, Pause, Stop};
use crate::memory::{ObjectKind, State};
use crate::race::{Access, AccessKind};
use crate::thread::{Held, Thread, Waiting};
use crate::value::{ObjectRef, Value};
use crate::{End, float_text};
use tp_ir::{
    BinOp, Call, Callee, CastOp, CmpOp, Inst, Op, Operand, Order, PlaceId, Property, RmwOp, Target,
    Terminator, Type, Width, eval,
};

/// Whether an instruction was executed or is a step that has to wait for its turn.
#[derive(PartialEq, Eq)]
enum Done {
    Yes,
    /// It is executed again: a long copy has more to do.
    Again,
    /// The frame at the top is another one.
    OtherFrame,
    NotYet,
    ThreadEnded,
}

/// A copy that others can watch goes in pieces: words, or this many pieces if it is long.
const COPY_PIECES: u64 = 32;
const LONGEST_TEXT: u64 = 4096;

impl<'p> Machine<'p, '_> {
    /// Executes a thread until it stands before a step that it may not take yet. With `permit` it may take one.
    pub fn advance(&mut self, t: &mut Thread<'p>, mut permit: bool) -> Result<Pause, Stop> {
        'frames: loop {
            let Some(&frame) = t.frames.last() else { return Ok(Pause::Ended) };
            let top = t.frames.len() - 1;
            let base = frame.base;
            let body = frame.body;
            let mut block = &body.blocks[frame.block];
            let mut pc = frame.pc;
            loop {
                let Some(inst) = block.insts.get(pc) else {
                    t.frames[top].pc = pc;
                    self.spend()?;
                    let target = match &block.terminator {
                        Terminator::Jump(target) => target,
                        Terminator::Branch { cond, then, otherwise } => {
                            let c = t.get(base, &self.constants, *cond);
                            if c.is_uninit() {
                                return Err(self.uninitialised(t, *cond));
                            }
                            if c.bits & 1 == 1 { then } else { otherwise }
                        }
                        Terminator::Switch(switch) => {
                            let v = t.get(base, &self.constants, switch.value);
                            if switch.width.bits() <= 64 && v.is_uninit() {
                                return Err(self.uninitialised(t, switch.value));
                            }
                            let v = v.wide(switch.width);
                            switch
                                .cases
                                .iter()
                                .find(|(case, _)| *case == v)
                                .map_or(&switch.default, |(_, target)| target)
                        }
                        Terminator::Return(values) => {
                            self.leave(t, values);
                            continue 'frames;
                        }
                        Terminator::Unreachable => return Err(self.unreachable_code(t)),
                    };
                    self.jump(t, base, target);
                    t.frames[top].block = target.block;
                    block = &body.blocks[target.block];
                    pc = 0;
                    continue;
                };
                self.instructions += 1;
                let value = match &inst.op {
                    Op::Binary { op, width, a, b, checked } if width.bits() <= 64 => {
                        let (x, y) = (t.get(base, &self.constants, *a), t.get(base, &self.constants, *b));
                        if x.is_plain() && y.is_plain() {
                            match eval::binary::<u64>(*op, *width, x.bits, y.bits, *checked) {
                                Ok(v) => Value::int(v),
                                Err(error) => {
                                    t.frames[top].pc = pc;
                                    self.arithmetic_error(
                                        t,
                                        error,
                                        *op,
                                        *width,
                                        x.wide(*width),
                                        y.wide(*width),
                                    )?
                                }
                            }
                        } else {
                            t.frames[top].pc = pc;
                            self.binary_on_addresses(t, (*op, *width, *checked), (*a, x), (*b, y))?
                        }
                    }
                    Op::Cmp { op, width, a, b } if width.bits() <= 64 => {
                        let (x, y) = (t.get(base, &self.constants, *a), t.get(base, &self.constants, *b));
                        if x.is_uninit() || y.is_uninit() {
                            t.frames[top].pc = pc;
                            return Err(self.uninitialised(t, if x.is_uninit() { *a } else { *b }));
                        }
                        Value::int(eval::compare::<u64>(*op, *width, x.bits, y.bits) as u64)
                    }
                    Op::Cast { op: CastOp::Trunc, to: Type::Int(to), from: Type::Int(from), a }
                        if from.bits() <= 64 =>
                    {
                        let v = t.get(base, &self.constants, *a);
                        let bits = eval::truncate(v.bits, *to);
                        if v.is_uninit() || to.bits() >= 32 { v.with_bits(bits) } else { Value::int(bits) }
                    }
                    Op::Cast { op: CastOp::ZExt, to: Type::Int(to), a, .. } if to.bits() <= 64 => {
                        t.get(base, &self.constants, *a)
                    }
                    Op::Cast { op: CastOp::SExt, to: Type::Int(to), from: Type::Int(from), a }
                        if to.bits() <= 64 =>
                    {
                        let v = t.get(base, &self.constants, *a);
                        v.with_bits(eval::truncate(eval::sign_extend(v.bits, *from), *to))
                    }
                    Op::PtrAdd { base: pointer, index, width, scale } if width.bits() <= 64 => {
                        let (p, i) =
                            (t.get(base, &self.constants, *pointer), t.get(base, &self.constants, *index));
                        if p.is_uninit() || i.is_uninit() {
                            t.frames[top].pc = pc;
                            return Err(self.uninitialised(t, if p.is_uninit() { *pointer } else { *index }));
                        }
                        let offset = eval::sign_extend(i.bits, *width).wrapping_mul(*scale as u64);
                        let mask = eval::mask::<u64>(self.program.data_model.pointer_width());
                        p.with_bits(p.bits.wrapping_add(offset) & mask)
                    }
                    Op::Select { cond, a, b } => {
                        let c = t.get(base, &self.constants, *cond);
                        if c.is_uninit() {
                            t.frames[top].pc = pc;
                            return Err(self.uninitialised(t, *cond));
                        }
                        t.get(base, &self.constants, if c.bits & 1 == 1 { *a } else { *b })
                    }
                    _ => {
                        t.frames[top].pc = pc;
                        match self.execute(t, inst, &mut permit)? {
                            Done::Yes => pc += 1,
                            Done::Again => {}
                            Done::OtherFrame => continue 'frames,
                            Done::NotYet => {
                                self.instructions -= 1;
                                return Ok(Pause::AtStep);
                            }
                            Done::ThreadEnded => return Ok(Pause::Ended),
                        }
                        continue;
                    }
                };
                if let Some(r) = inst.result {
                    t.set(base, r, value);
                }
                pc += 1;
            }
        }
    }

    /// Assigns the parameters of the target, all at once.
    #[inline]
    fn jump(&mut self, t: &mut Thread<'p>, base: usize, target: &Target) {
        let Some(frame) = t.frames.last() else { return };
        let params = &frame.body.blocks[target.block].params;
        match (&*target.args, &params[..]) {
            ([], _) => {}
            ([arg], [param]) => {
                let v = t.get(base, &self.constants, *arg);
                t.set(base, *param, v);
            }
            (args, params) => {
                // Parameters may be arguments too: read all before the first is written.
                let mut values = [Value::ZERO; 16];
                if args.len() <= values.len() {
                    for (v, arg) in values.iter_mut().zip(args) {
                        *v = t.get(base, &self.constants, *arg);
                    }
                    for (param, v) in params.iter().zip(&values[..args.len()]) {
                        t.set(base, *param, *v);
                    }
                } else {
                    let values: Vec<Value> = args.iter().map(|a| t.get(base, &self.constants, *a)).collect();
                    for (param, v) in params.iter().zip(values) {
                        t.set(base, *param, v);
                    }
                }
            }
        }
    }

    /// Returns from the frame at the top; its caller stands at the call.
    fn leave(&mut self, t: &mut Thread<'p>, values: &'p [Operand]) {
        t.about_to_return();
        let Some(frame) = t.frames.pop() else { return };
        while t.locals.len() > frame.locals {
            if let Some(r) = t.locals.pop() {
                self.memory.end(r, None);
            }
        }
        t.sp = frame.sp;
        if let Some(caller) = t.frames.last_mut() {
            let inst = &caller.body.blocks[caller.block].insts[caller.pc];
            caller.pc += 1;
            let to = caller.base;
            if let Op::Call(call) = &inst.op {
                for (i, &result) in call.results.iter().enumerate() {
                    let value =
                        values.get(i).map_or(Value::UNINIT, |v| t.get(frame.base, &self.constants, *v));
                    t.set(to, result, value);
                }
            }
        }
        t.regs.truncate(frame.base);
    }

    fn get(&self, t: &Thread<'p>, operand: Operand) -> Value {
        let base = t.frames.last().map_or(0, |f| f.base);
        t.get(base, &self.constants, operand)
    }

    /// The value of an operand that decides something: it must have been written.
    fn used(&self, t: &Thread<'p>, operand: Operand) -> Result<Value, Stop> {
        let v = self.get(t, operand);
        if v.is_uninit() { Err(self.uninitialised(t, operand)) } else { Ok(v) }
    }

    fn length(&self, t: &Thread<'p>, operand: Operand, width: Width) -> Result<u64, Stop> {
        Ok(eval::truncate(self.used(t, operand)?.bits, width))
    }

    /// Everything but the plainest instructions.
    fn execute(&mut self, t: &mut Thread<'p>, inst: &'p Inst, permit: &mut bool) -> Result<Done, Stop> {
        let data = self.program.data_model;
        let mut result = None;
        match &inst.op {
            Op::Load { ty, ptr, order } => {
                let len = ty.bytes(data) as u64;
                let (r, offset) = self.find(t, *ptr, len, false)?;
                if !self.reach(t, r, Access { offset, len, kind: AccessKind::Read, order: *order }, permit)? {
                    return Ok(Done::NotYet);
                }
                result = Some(self.read(t, r, offset, *ty)?);
            }
            Op::Store { ty, ptr, value, order } => {
                let len = ty.bytes(data) as u64;
                let (r, offset) = self.find(t, *ptr, len, true)?;
                if !self.reach(
                    t,
                    r,
                    Access { offset, len, kind: AccessKind::Write, order: *order },
                    permit,
                )? {
                    return Ok(Done::NotYet);
                }
                let v = self.get(t, *value);
                self.write(t, r, offset, *ty, v);
            }
            Op::Rmw { op, ty, ptr, value, order } => {
                let len = ty.bytes(data) as u64;
                let (r, offset) = self.find(t, *ptr, len, true)?;
                if !self.reach(
                    t,
                    r,
                    Access { offset, len, kind: AccessKind::ReadWrite, order: *order },
                    permit,
                )? {
                    return Ok(Done::NotYet);
                }
                let old = self.read(t, r, offset, *ty)?;
                let v = self.used(t, *value)?;
                let width = ty.width(data);
                let new = match op {
                    RmwOp::Exchange => v,
                    _ if old.is_uninit() && width.bits() <= 64 => return Err(self.uninitialised(t, *ptr)),
                    _ if width.bits() > 64 => {
                        Value::from_wide(eval::rmw(*op, *ty, width, old.wide(width), v.wide(width)), width)
                    }
                    _ => Value::derived(eval::rmw(*op, *ty, width, old.bits, v.bits), old, v),
                };
                self.write(t, r, offset, *ty, new);
                result = Some(old);
            }
            Op::CmpXchg { ty, ptr, expected, new, success, failure } => {
                let len = ty.bytes(data) as u64;
                let (r, offset) = self.find(t, *ptr, len, true)?;
                let (expected, new) = (self.used(t, *expected)?, self.get(t, *new));
                let width = ty.width(data);
                let (bits, _, _) = self.memory.read(r, offset, len);
                let equal = eval::compare(CmpOp::Eq, width, bits, expected.wide(width));
                let (kind, order) =
                    if equal { (AccessKind::ReadWrite, *success) } else { (AccessKind::Read, *failure) };
                if !self.reach(t, r, Access { offset, len, kind, order }, permit)? {
                    return Ok(Done::NotYet);
                }
                result = Some(self.read(t, r, offset, *ty)?);
                if equal {
                    self.write(t, r, offset, *ty, new);
                }
            }
            Op::Copy { dst, src, len, len_width, overlap } => {
                let len = self.length(t, *len, *len_width)?;
                return self.copy(t, (*dst, *src), len, *overlap, permit);
            }
            Op::Set { dst, byte, len, len_width } => {
                let len = self.length(t, *len, *len_width)?;
                let byte = self.used(t, *byte)?.bits as u8;
                return self.fill(t, *dst, byte, len, permit);
            }
            Op::Fence { order } => t.clocks.fence(*order),
            Op::Alloca { size, size_width, align, private, .. } => {
                let size = self.length(t, *size, *size_width)?;
                result = Some(self.local(t, size, *align as u64, *private, inst.place)?);
            }
            Op::ScopeBegin { ptr } | Op::ScopeEnd { ptr } => {
                let begin = matches!(inst.op, Op::ScopeBegin { .. });
                if let Some(r) = self.get(t, *ptr).object()
                    && self.memory.is_live(r)
                    && matches!(self.memory.object(r).kind, ObjectKind::Local { .. })
                {
                    self.memory.set_scope(r, begin);
                }
            }
            Op::StackSave => result = Some(Value::int(t.locals.len() as u64)),
            Op::StackRestore { token } => {
                let keep = self.used(t, *token)?.bits as usize;
                let first = t.frames.last().map_or(0, |f| f.locals);
                while t.locals.len() > keep.max(first) {
                    if let Some(r) = t.locals.pop() {
                        self.memory.end(r, None);
                    }
                }
            }
            Op::HeapAlloc { size, size_width, align, align_width } => {
                let size = self.length(t, *size, *size_width)?;
                let align = self.length(t, *align, *align_width)?.clamp(1, 1 << 20).next_power_of_two();
                let Ok(r) = self.memory.make_heap(size, align) else {
                    return Err(End::OutOfMemory { at: self.moment(t) }.into());
                };
                let at = self.user_place(t);
                let object = self.memory.object_mut(r);
                object.made_by = t.number;
                object.made_at = at;
                result = Some(Value::pointer(object.base, r));
            }
            Op::HeapFree { ptr } => return self.free(t, *ptr, permit),
            Op::HeapSize { ptr } => {
                let (r, _) = self.find(t, *ptr, 0, false)?;
                result = Some(Value::int(self.memory.object(r).size));
            }
            Op::Call(call) => {
                self.spend()?;
                self.call(t, call)?;
                return Ok(Done::OtherFrame);
            }
            Op::ThreadLocal { global } => result = Some(self.thread_local(t, *global)?),
            Op::Uninit { ty } => {
                let checked = self.config.checks.has(Property::Uninitialised) && ty.width(data).bits() <= 64;
                result = Some(if checked {
                    Value::UNINIT
                } else {
                    let name = self.register_name(t, inst.result);
                    self.input(name, *ty, true)?
                });
            }
            Op::ThreadStart { func, arg } => {
                let (func, arg) = (self.used(t, *func)?, self.get(t, *arg));
                if !self.step_here(t, permit) {
                    return Ok(Done::NotYet);
                }
                let number = self.start_thread(t, func, arg)?;
                self.step_done(t)?;
                result = Some(Value::int(number as u64));
            }
            Op::ThreadSelf => result = Some(Value::int(t.number as u64)),
            Op::ThreadExit => {
                if !self.step_here(t, permit) {
                    return Ok(Done::NotYet);
                }
                t.atomic_depth = 0;
                self.commit_atomic(t)?;
                return Ok(Done::ThreadEnded);
            }
            Op::Exit { status } => {
                let status = self.used(t, *status)?.bits as i32;
                if !self.step_here(t, permit) {
                    return Ok(Done::NotYet);
                }
                return Err(self.exit(t, status));
            }
            Op::AtomicBegin => {
                if !self.step_here(t, permit) {
                    return Ok(Done::NotYet);
                }
                t.atomic_depth += 1;
            }
            Op::AtomicEnd => {
                if t.atomic_depth == 1 {
                    self.note_call(t);
                    t.atomic_depth = 0;
                    self.commit_atomic(t)?;
                } else {
                    t.atomic_depth = t.atomic_depth.saturating_sub(1);
                }
            }
            Op::Assume { cond } if t.atomic_depth == 0 => {
                if self.used(t, *cond)?.bits & 1 == 0 {
                    return Err(End::Assumption.into());
                }
            }
            Op::Await { cond } | Op::Assume { cond } => {
                let cond = self.used(t, *cond)?;
                if !self.step_here(t, permit) {
                    return Ok(Done::NotYet);
                }
                if cond.bits & 1 == 0 {
                    return Err(Stop::Blocked);
                }
                self.step_done(t)?;
            }
            Op::Input { ty, signed, name } => {
                let name = self.text(self.get(t, *name));
                let value = self.input(name.clone(), *ty, *signed)?;
                self.note_input(t, name, *ty, *signed, value);
                result = Some(value);
            }
            Op::Assert { cond, property, message } => {
                let cond = self.used(t, *cond)?;
                if cond.bits & 1 == 0 {
                    let message = self.text(self.get(t, *message));
                    self.assertion_failed(t, *property, message)?;
                }
            }
            Op::Yield => {
                if t.atomic_depth == 0 {
                    if !self.step_here(t, permit) {
                        return Ok(Done::NotYet);
                    }
                    self.step_done(t)?;
                    self.schedule.yielded(t.number);
                }
            }
            Op::Output { fd, ptr, len } => {
                let len = eval::truncate(self.used(t, *len)?.bits, data.pointer_width());
                let fd = self.used(t, *fd)?.bits as u32;
                let (r, offset) = self.find(t, *ptr, len, false)?;
                if !self.step_here(t, permit) {
                    return Ok(Done::NotYet);
                }
                let bytes = self.memory.bytes(r, offset, len).to_vec();
                self.write_out(fd, bytes, true);
                self.step_done(t)?;
            }
            Op::FormatFloat { buffer, size, conversion, precision, flags, value } => {
                let value = f64::from_bits(self.used(t, *value)?.bits);
                let conversion = self.used(t, *conversion)?.bits as u8;
                let precision = self.used(t, *precision)?.bits as i32;
                let flags = self.used(t, *flags)?.bits;
                let room = (self.used(t, *size)?.bits as i32).max(0) as usize;
                let text = float_text::format(value, conversion, precision, flags & 1 == 1);
                let bytes = &text.as_bytes()[..text.len().min(room)];
                let (r, offset) = self.find(t, *buffer, bytes.len() as u64, true)?;
                for (i, byte) in bytes.iter().enumerate() {
                    self.memory.write(r, offset + i as u64, 1, *byte as u128, None);
                }
                result = Some(Value::int(text.len() as u64));
            }
            Op::ParseFloat { text, consumed } => {
                let text = self.text_bytes(self.used(t, *text)?);
                let (value, used) = float_text::parse(&text);
                let (r, offset) = self.find(t, *consumed, 4, true)?;
                self.memory.write(r, offset, 4, used as u128, None);
                result = Some(Value::int(value.to_bits()));
            }
            Op::Acquired { lock, mode } => {
                let lock = self.get(t, *lock);
                t.held.push(Held { lock, mode: *mode });
            }
            Op::Released { lock } => {
                let lock = self.get(t, *lock);
                if let Some(at) = t.held.iter().rposition(|h| h.lock.bits == lock.bits) {
                    t.held.remove(at);
                }
            }
            Op::Waiting { kind, object, owner } => {
                let owner = self.get(t, *owner).bits as u32;
                let object = self.get(t, *object);
                t.waiting =
                    Some(Waiting { kind: *kind, object, owner: (owner != u32::MAX).then_some(owner) });
            }
            Op::Unsupported { what } => {
                return Err(End::Unsupported { what: what.to_string(), at: self.moment(t) }.into());
            }
            Op::Cast { op, from, to, a } => result = Some(self.cast(t, *op, *from, *to, *a)?),
            Op::FloatUnary { op, ty, a } => {
                result = Some(Value::int(eval::float_unary(*op, *ty, self.used(t, *a)?.bits)));
            }
            Op::FloatBinary { op, ty, a, b } => {
                let (a, b) = (self.used(t, *a)?.bits, self.used(t, *b)?.bits);
                result = Some(Value::int(eval::float_binary(*op, *ty, a, b)));
            }
            Op::FloatCmp { op, ty, a, b } => {
                let (a, b) = (self.used(t, *a)?.bits, self.used(t, *b)?.bits);
                result = Some(Value::int(eval::float_compare(*op, *ty, a, b) as u64));
            }
            Op::Binary { op, width, a, b, checked } => {
                let (x, y) = (self.get(t, *a).wide(*width), self.get(t, *b).wide(*width));
                result = Some(match eval::binary::<u128>(*op, *width, x, y, *checked) {
                    Ok(v) => Value::from_wide(v, *width),
                    Err(error) => self.arithmetic_error(t, error, *op, *width, x, y)?,
                });
            }
            Op::Cmp { op, width, a, b } => {
                let (x, y) = (self.get(t, *a).wide(*width), self.get(t, *b).wide(*width));
                result = Some(Value::int(eval::compare::<u128>(*op, *width, x, y) as u64));
            }
            Op::PtrAdd { base, index, width, scale } => {
                let p = self.used(t, *base)?;
                let index = eval::sign_extend(self.get(t, *index).wide(*width), *width) as u64;
                let mask = eval::mask::<u64>(data.pointer_width());
                result = Some(p.with_bits(p.bits.wrapping_add(index.wrapping_mul(*scale as u64)) & mask));
            }
            // Handled in `advance`.
            Op::Select { .. } => {}
        }
        if let (Some(value), Some(reg)) = (result, inst.result) {
            let base = t.frames.last().map_or(0, |f| f.base);
            t.set(base, reg, value);
        }
        Ok(Done::Yes)
    }

    // ── arithmetic ─────────────────────────────────────────────────────────────────────────────────────────────

    /// An operation on values that belong to objects, or were never written. Bit operations on the latter are how
    /// bit-fields are set, so they do not count as a use.
    fn binary_on_addresses(
        &self,
        t: &Thread<'p>,
        (op, width, checked): (BinOp, Width, bool),
        (a, x): (Operand, Value),
        (b, y): (Operand, Value),
    ) -> Result<Value, Stop> {
        let bitwise =
            matches!(op, BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::LShr | BinOp::AShr);
        if x.is_uninit() || y.is_uninit() {
            if !bitwise {
                return Err(self.uninitialised(t, if x.is_uninit() { a } else { b }));
            }
            let clean = |v: Value| if v.is_uninit() { Value::ZERO } else { v };
            let v = eval::binary::<u64>(op, width, clean(x).bits, clean(y).bits, checked).unwrap_or(0);
            return Ok(Value::int(v));
        }
        let keeps = matches!(op, BinOp::Add | BinOp::Sub | BinOp::And | BinOp::Or | BinOp::Xor);
        match eval::binary::<u64>(op, width, x.bits, y.bits, checked) {
            Ok(v) if keeps => Ok(Value::derived(v, x, y)),
            Ok(v) => Ok(Value::int(v)),
            Err(error) => self.arithmetic_error(t, error, op, width, x.wide(width), y.wide(width)),
        }
    }

    fn cast(&self, t: &Thread<'p>, op: CastOp, from: Type, to: Type, a: Operand) -> Result<Value, Stop> {
        let data = self.program.data_model;
        let (from_width, to_width) = (from.width(data), to.width(data));
        let v = self.get(t, a);
        let narrow = from_width.bits() <= 64 && to_width.bits() <= 64;
        let bits = v.wide(from_width);
        if narrow && matches!(op, CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bitcast) {
            let bits = eval::truncate(v.bits, to_width);
            return Ok(if to_width.bits() >= data.pointer_width().bits() || v.is_uninit() {
                v.with_bits(bits)
            } else {
                Value::int(bits)
            });
        }
        if from_width.bits() <= 64 && v.is_uninit() {
            return Err(self.uninitialised(t, a));
        }
        match eval::cast(op, (from, from_width), (to, to_width), bits) {
            Ok(bits) => Ok(Value::from_wide(bits, to_width)),
            Err(error) if self.config.checks.has(error) => {
                Err(self.conversion_error(t, error, from, to, bits))
            }
            Err(_) => Ok(Value::from_wide(eval::cast_after_error(to_width), to_width)),
        }
    }

    // ── accesses ───────────────────────────────────────────────────────────────────────────────────────────────

    fn find(
        &self,
        t: &Thread<'p>,
        pointer: Operand,
        len: u64,
        write: bool,
    ) -> Result<(ObjectRef, u64), Stop> {
        let p = self.used(t, pointer)?;
        self.find_value(t, p, len, write)
    }

    #[inline]
    fn find_value(&self, t: &Thread<'p>, p: Value, len: u64, write: bool) -> Result<(ObjectRef, u64), Stop> {
        match self.memory.find(p, len) {
            Ok((r, _)) if write && self.memory.object(r).constant => {
                Err(self.fault(t, crate::memory::Fault::ReadOnly { object: r }, len, write))
            }
            Ok(found) => Ok(found),
            Err(fault) => Err(self.fault(t, fault, len, write)),
        }
    }

    /// Accounts for an access that is about to happen. `false`: it is a step, and the thread may not take one now.
    #[inline]
    fn reach(
        &mut self,
        t: &mut Thread<'p>,
        r: ObjectRef,
        access: Access,
        permit: &mut bool,
    ) -> Result<bool, Stop> {
        let object = self.memory.object(r);
        if object.private || object.constant {
            return Ok(true);
        }
        if t.atomic_depth > 0 {
            let internal = object.internal;
            if access.kind != AccessKind::Write && self.pending.read.last() != Some(&r) {
                self.pending.read.push(r);
            }
            if access.kind != AccessKind::Read && self.pending.written.last() != Some(&r) {
                self.pending.written.push(r);
            }
            if !internal {
                self.look_for(t, r, &access);
                self.pending.accesses.push((r, Access { order: Order::SeqCst, ..access }));
            }
            return Ok(true);
        }
        if object.internal {
            return Ok(true);
        }
        if !*permit {
            return Ok(false);
        }
        *permit = false;
        self.look_for(t, r, &access);
        self.single_access(t, r, &access)?;
        Ok(true)
    }

    #[inline]
    fn look_for(&mut self, t: &Thread<'p>, r: ObjectRef, access: &Access) {
        if let Some(probe) = &self.probe
            && (probe.step == self.steps + 1 || probe.step == self.steps)
            && self.witness.is_none()
        {
            let address = self.memory.object(r).base + access.offset;
            let overlaps = address < probe.address + probe.len && probe.address < address + access.len;
            if overlaps && (access.kind != AccessKind::Read || !probe.write) {
                self.witness = Some(self.earlier_label(t, access));
            }
        }
    }

    /// A step with no access of its own. `false`: the thread may not take one now.
    fn step_here(&mut self, t: &mut Thread<'p>, permit: &mut bool) -> bool {
        if t.atomic_depth > 0 {
            return true;
        }
        if !*permit {
            return false;
        }
        *permit = false;
        self.begin_atomic(t);
        true
    }

    fn step_done(&mut self, t: &mut Thread<'p>) -> Result<(), Stop> {
        if t.atomic_depth == 0 { self.commit_atomic(t) } else { Ok(()) }
    }

    #[inline]
    fn read(&mut self, t: &Thread<'p>, r: ObjectRef, offset: u64, ty: Type) -> Result<Value, Stop> {
        let width = ty.width(self.program.data_model);
        let len = width.bytes() as u64;
        let (bits, object, written) = self.memory.read(r, offset, len);
        let bits = eval::truncate(bits, width);
        let value = if !written {
            return self.read_unwritten(t, r, offset, ty);
        } else if let Some(object) = object
            && width.bits() <= 64
        {
            Value::pointer(bits as u64, object)
        } else {
            Value::from_wide(bits, width)
        };
        self.note_access(t, r, offset, ty, value, false);
        Ok(value)
    }

    /// Reading what was never written: an error when the value is used, or any value and that from then on.
    fn read_unwritten(&mut self, t: &Thread<'p>, r: ObjectRef, offset: u64, ty: Type) -> Result<Value, Stop> {
        let width = ty.width(self.program.data_model);
        let external = matches!(self.memory.object(r).kind, ObjectKind::Global(_));
        if !external && self.config.checks.has(Property::Uninitialised) && width.bits() <= 64 {
            return Ok(Value::UNINIT);
        }
        let name = self.describe(r, offset);
        let value = self.input(name, ty, true)?;
        self.memory.settle(r, offset, width.bytes() as u64, value.wide(width));
        self.note_access(t, r, offset, ty, value, false);
        Ok(value)
    }

    #[inline]
    fn write(&mut self, t: &Thread<'p>, r: ObjectRef, offset: u64, ty: Type, value: Value) {
        let width = ty.width(self.program.data_model);
        let len = width.bytes() as u64;
        if width.bits() <= 64 && value.is_uninit() {
            self.memory.unwrite(r, offset, len);
        } else if width.bits() <= 64 {
            self.memory.write(r, offset, len, value.bits as u128, value.object());
        } else {
            self.memory.write(r, offset, len, value.wide(width), None);
        }
        self.note_access(t, r, offset, ty, value, true);
    }

    /// How many bytes of a copy or fill the next step does.
    fn piece(&self, atomic: bool, offset: u64, len: u64, done: u64) -> u64 {
        let left = len - done;
        if atomic {
            return left;
        }
        let word = self.program.data_model.pointer_width().bytes() as u64;
        if len > COPY_PIECES * word {
            return len.div_ceil(COPY_PIECES).next_multiple_of(word).min(left);
        }
        (word - offset % word).min(left)
    }

    fn copy(
        &mut self,
        t: &mut Thread<'p>,
        (dst, src): (Operand, Operand),
        len: u64,
        overlap: bool,
        permit: &mut bool,
    ) -> Result<Done, Stop> {
        if len == 0 {
            return Ok(Done::Yes);
        }
        let to = self.find(t, dst, len, true)?;
        let from = self.find(t, src, len, false)?;
        let apart = to.0 != from.0 || to.1 + len <= from.1 || from.1 + len <= to.1;
        if !apart && to != from && !overlap {
            return Err(self.overlapping_copy(t));
        }
        let hidden = |m: &Self, r| m.memory.object(r).private || m.memory.object(r).constant;
        let alone = t.atomic_depth > 0 || (hidden(self, to.0) && hidden(self, from.0));
        // A copy within one place is done whole: pieces would read what they have written.
        let n = self.piece(alone || !apart, to.1 + t.copied, len, t.copied);
        let (to, from) = ((to.0, to.1 + t.copied), (from.0, from.1 + t.copied));
        let read = Access { offset: from.1, len: n, kind: AccessKind::Read, order: Order::Plain };
        let write = Access { offset: to.1, len: n, kind: AccessKind::Write, order: Order::Plain };
        if alone {
            self.reach(t, from.0, read, permit)?;
            self.reach(t, to.0, write, permit)?;
        } else {
            if !*permit {
                return Ok(Done::NotYet);
            }
            self.reach(t, from.0, read, permit)?;
            if *permit {
                self.reach(t, to.0, write, permit)?;
            } else if !hidden(self, to.0) {
                // Both halves of a piece are one step.
                self.look_for(t, to.0, &write);
                self.further_access(t, to.0, &write)?;
            }
        }
        self.memory.copy(to, from, n);
        Ok(self.piece_done(t, n, len))
    }

    fn fill(
        &mut self,
        t: &mut Thread<'p>,
        dst: Operand,
        byte: u8,
        len: u64,
        permit: &mut bool,
    ) -> Result<Done, Stop> {
        if len == 0 {
            return Ok(Done::Yes);
        }
        let (r, offset) = self.find(t, dst, len, true)?;
        let object = self.memory.object(r);
        let n = self.piece(t.atomic_depth > 0 || object.private, offset + t.copied, len, t.copied);
        let access =
            Access { offset: offset + t.copied, len: n, kind: AccessKind::Write, order: Order::Plain };
        if !self.reach(t, r, access, permit)? {
            return Ok(Done::NotYet);
        }
        self.memory.fill(r, offset + t.copied, n, byte);
        Ok(self.piece_done(t, n, len))
    }

    fn piece_done(&self, t: &mut Thread<'p>, n: u64, len: u64) -> Done {
        t.copied += n;
        if t.copied < len {
            return Done::Again;
        }
        t.copied = 0;
        Done::Yes
    }

    // ── objects ────────────────────────────────────────────────────────────────────────────────────────────────

    fn local(
        &mut self,
        t: &mut Thread<'p>,
        size: u64,
        align: u64,
        private: bool,
        at: PlaceId,
    ) -> Result<Value, Stop> {
        let Some(frame) = t.frames.last() else { return Ok(Value::ZERO) };
        let kind = ObjectKind::Local {
            function: frame.function,
            block: frame.block.as_u32(),
            index: frame.pc as u32,
        };
        let Ok((r, sp)) = self.memory.make_local(kind, t.entry as u32, t.sp, size, align, private) else {
            return Err(End::OutOfMemory { at: self.moment(t) }.into());
        };
        t.sp = sp;
        t.locals.push(r);
        let object = self.memory.object_mut(r);
        object.made_by = t.number;
        object.made_at = Some(at);
        Ok(Value::pointer(object.base, r))
    }

    fn free(&mut self, t: &mut Thread<'p>, ptr: Operand, permit: &mut bool) -> Result<Done, Stop> {
        let p = self.used(t, ptr)?;
        if !self.step_here(t, permit) {
            return Ok(Done::NotYet);
        }
        let r = match self.memory.find(p, 0) {
            Ok((r, 0)) if self.memory.object(r).kind == ObjectKind::Heap => r,
            other => return Err(self.bad_free(t, p, other)),
        };
        let size = self.memory.object(r).size;
        let access = Access { offset: 0, len: size, kind: AccessKind::Write, order: Order::Plain };
        self.look_for(t, r, &access);
        self.pending.written.push(r);
        if t.atomic_depth == 0 {
            // A free conflicts with every access that does not happen before it. Afterwards the history is gone.
            self.check_race(t, r, &access, self.steps + 1)?;
        }
        let at = self.user_place(t);
        self.note_free(t, r);
        self.memory.end(r, at);
        self.step_done(t)?;
        Ok(Done::Yes)
    }

    // ── calls ──────────────────────────────────────────────────────────────────────────────────────────────────

    fn call(&mut self, t: &mut Thread<'p>, call: &'p Call) -> Result<(), Stop> {
        let mut values = [Value::ZERO; 8];
        let many: Vec<Value>;
        let args: &[Value] = if call.args.len() <= values.len() {
            for (v, arg) in values.iter_mut().zip(&call.args) {
                *v = self.get(t, *arg);
            }
            &values[..call.args.len()]
        } else {
            many = call.args.iter().map(|a| self.get(t, *a)).collect();
            &many
        };
        match &call.callee {
            Callee::Direct(function) => self.enter(t, *function, args, false),
            Callee::Indirect(pointer) => {
                let p = self.used(t, *pointer)?;
                match self.memory.function_at(p) {
                    Some(function) => self.enter(t, function, args, true),
                    None => Err(self.bad_call(t, p)),
                }
            }
        }
    }

    /// The C string at an address, as far as it is there.
    pub fn text_bytes(&self, p: Value) -> Vec<u8> {
        let Ok((r, offset)) = self.memory.find(p, 0) else { return Vec::new() };
        let object = self.memory.object(r);
        if object.state != State::Live {
            return Vec::new();
        }
        let bytes = self.memory.bytes(r, offset, (object.size - offset).min(LONGEST_TEXT));
        bytes.split(|b| *b == 0).next().unwrap_or_default().to_vec()
    }

    pub fn text(&self, p: Value) -> String {
        String::from_utf8_lossy(&self.text_bytes(p)).into_owned()
    }
}

impl<'p> Machine<'p, '_> {
    /// The variable that a register holds.
    pub fn register_name(&self, t: &Thread<'p>, reg: Option<tp_ir::Reg>) -> String {
        let info = t.frames.last().zip(reg).and_then(|(f, r)| f.body.regs.get(r));
        info.and_then(|i| i.name.as_deref()).unwrap_or("uninitialised").to_owned()
    }
}
