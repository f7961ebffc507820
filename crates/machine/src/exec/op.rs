//! Every instruction but the plainest, which `advance` executes itself.

use super::Done;
use crate::decide::{InputSource, UNNAMED_VALUE, WantedInput};
use crate::machine::{Machine, StepStop};
use crate::memory::{ObjectKind, ObjectState};
use crate::race::{Access, AccessKind};
use crate::thread::{HeldByThread, Thread, Waiting};
use crate::value::Value;
use crate::wakers::chain_of;
use crate::{End, float_text};
use tp_ir::{Function, Inst, Op, Property, RmwOp, eval};

/// Longer texts are cut.
const LONGEST_TEXT: u64 = 4096;

impl<'p> Machine<'p, '_> {
    /// Everything but the plainest instructions.
    #[expect(clippy::too_many_lines, reason = "an arm for each instruction")]
    pub(crate) fn execute(
        &mut self,
        t: &mut Thread<'p>,
        inst: &'p Inst,
        permit: &mut bool,
    ) -> Result<Done, StepStop> {
        let data = self.program.data_model;
        // Unmodelled or unsupported code ends the run, but only at this thread's turn: others may fail before.
        let may_end = *permit || t.atomic_depth > 0;
        let mut result = None;
        match &inst.op {
            Op::Rmw { op, ty, ptr, value, order } => {
                let len = ty.bytes(data) as u64;
                let Some((r, offset)) = self.find(t, *ptr, len, true, *permit)? else {
                    return Ok(Done::NotYet);
                };
                let v = self.get(t, *value);
                if v.is_uninit() && len <= 8 {
                    return Err(self.uninitialised(t, *value));
                }
                if !self.reach(t, r, Access::new(offset, len, AccessKind::ReadWrite, *order), permit)? {
                    return Ok(Done::NotYet);
                }
                let old = self.read(t, r, offset, *ty)?;
                let width = ty.width(data);
                let new = match op {
                    RmwOp::Exchange => v,
                    _ if old.is_uninit() && width.bits() <= 64 => {
                        return Err(self.uninitialised_memory(t, r, offset));
                    }
                    _ if width.bits() > 64 => {
                        Value::from_wide(eval::rmw(*op, *ty, width, old.wide(width), v.wide(width)), width)
                    }
                    _ => match self.rmw_on_symbols(*op, width, old, v) {
                        Some(new) => new,
                        None => {
                            let (old, v) = (self.decided(old), self.decided(v));
                            Value::derived(eval::rmw(*op, *ty, width, old.bits, v.bits), old, v)
                        }
                    },
                };
                self.write(t, r, offset, *ty, new);
                result = Some(old);
            }
            Op::CmpXchg { ty, ptr, expected, new, fails, success, failure } => {
                let len = ty.bytes(data) as u64;
                let Some((r, offset)) = self.find(t, *ptr, len, true, *permit)? else {
                    return Ok(Done::NotYet);
                };
                let (wanted, new) = (self.get(t, *expected), self.get(t, *new));
                if wanted.is_uninit() && len <= 8 {
                    return Err(self.uninitialised(t, *expected));
                }
                let width = ty.width(data);
                let fails = match fails {
                    Some(fails) => self.used(t, *fails)?.bits != 0,
                    None => false,
                };
                // The comparison is part of the step: it sees memory as it is then, also what was never written.
                if !self.may_access(t, r, *permit) {
                    return Ok(Done::NotYet);
                }
                self.settle_open(t, r, offset, *ty)?;
                let stores = !fails && self.is_expected(r, offset, width, wanted);
                let (kind, order) =
                    if stores { (AccessKind::ReadWrite, *success) } else { (AccessKind::Read, *failure) };
                if !self.reach(t, r, Access::new(offset, len, kind, order), permit)? {
                    return Ok(Done::NotYet);
                }
                let old = self.read(t, r, offset, *ty)?;
                if old.is_uninit() && width.bits() <= 64 {
                    return Err(self.uninitialised_memory(t, r, offset));
                }
                result = Some(old);
                if stores {
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
            Op::Fence { order } if t.atomic_depth > 0 => {
                self.pending.fences.push((self.pending.accesses.len(), *order))
            }
            Op::Fence { order } => t.clocks.fence(*order),
            Op::Alloca { size, size_width, align, private, .. } => {
                let size = self.length(t, *size, *size_width)?;
                result = Some(self.local(t, size, *align as u64, *private, inst.place)?);
            }
            Op::ScopeEnd { ptr, last: true } => {
                if let Some(r) = self.get(t, *ptr).object()
                    && let Some(nth) = t.locals.iter().rposition(|local| *local == r)
                {
                    t.locals.remove(nth);
                    self.end_local(t, r, true);
                }
            }
            Op::ScopeBegin { ptr } | Op::ScopeEnd { ptr, .. } => {
                let begin = matches!(inst.op, Op::ScopeBegin { .. });
                if let Some(r) = self.get(t, *ptr).object()
                    && self.state.memory.is_live(r)
                    && matches!(self.state.memory.object(r).kind, ObjectKind::Local { .. })
                {
                    let shared = !self.state.memory.object(r).private;
                    // Between two scopes of a local, other threads can find it out of scope.
                    let is_step = begin && shared && t.left_scope && t.atomic_depth == 0;
                    if is_step && !self.begin_step(t, permit) {
                        return Ok(Done::NotYet);
                    }
                    if !begin {
                        self.note_end(t, r);
                    }
                    self.watch.touched.ends(&self.state.memory, r);
                    self.state.memory.set_scope(r, begin);
                    t.left_scope |= shared && !begin;
                    if is_step {
                        self.pending.only_begins_scope = true;
                        self.step_done(t)?;
                    }
                }
            }
            Op::StackSave => result = Some(Value::int(t.locals.len() as u64)),
            Op::StackRestore { token } => {
                let keep = self.used(t, *token)?.bits as usize;
                let first = t.frames.last().map_or(0, |f| f.locals);
                for nth in (keep..t.locals.len()).rev() {
                    self.end_local(t, t.locals[nth], true);
                }
                // Locals of the callers stay in the list: their frames index it.
                t.locals.truncate(keep.max(first));
            }
            Op::HeapAlloc { size, size_width, align, align_width, record, at: old } => {
                let old = old.map(|old| self.used(t, old)).transpose()?;
                let size = self.length(t, *size, *size_width)?;
                let align = self.length(t, *align, *align_width)?.clamp(1, 1 << 30).next_power_of_two();
                let Ok(r) = self.state.memory.make_heap(&mut t.arena, size, align) else {
                    return Err(End::OutOfMemory { at: self.moment(t) }.into());
                };
                let at = self.user_place(t);
                let chain = if self.config.wakers.is_some() { chain_of(t) } else { 0 };
                let object = self.state.memory.object_mut(r);
                object.made_by = t.number;
                object.nth = t.count_object();
                object.key = t.next_key();
                object.made_at = at;
                object.is_record = *record;
                object.chain = chain;
                match old {
                    // If another object has taken the address in between, this one stays where it is.
                    Some(old) => drop(self.state.memory.move_to(r, old.bits)),
                    None => self.apply_layout_made(r),
                }
                result = Some(Value::pointer(self.state.memory.object(r).base, r));
            }
            Op::HeapFree { ptr } => return self.free(t, &inst.op, *ptr, permit),
            Op::HeapSize { ptr } => {
                let p = self.used(t, *ptr)?;
                let r = self.heap_object(t, p)?;
                self.watch.touched.measures(&self.state.memory, r);
                result = Some(Value::int(self.state.memory.object(r).size));
            }
            Op::Call(call) => {
                self.spend()?;
                return match self.call(t, call) {
                    Err(StepStop::End(end)) if !may_end && matches!(*end, End::Unmodelled { .. }) => {
                        Ok(Done::NotYet)
                    }
                    called => called.map(|()| Done::OtherFrame),
                };
            }
            Op::ThreadLocal { global } => result = Some(self.thread_local(t, *global)?),
            Op::Uninit { ty } => {
                let checked = self.config.checks.has(Property::Uninitialised) && ty.width(data).bits() <= 64;
                result = Some(if checked {
                    Value::UNINIT
                } else {
                    let name = self.register_name(t, inst.result);
                    let source =
                        t.count_input().map_or(InputSource::Output, |nth| InputSource::Register { nth });
                    let value = self.input(t.number, source, WantedInput::unwritten(name, *ty))?;
                    self.unwritten += 1;
                    value
                });
            }
            Op::ThreadStart { func, arg } => {
                let (func, arg) = (self.used(t, *func)?, self.get(t, *arg));
                if !self.step_here(t, &inst.op, permit) {
                    return Ok(Done::NotYet);
                }
                let number = self.start_thread(t, func, arg)?;
                self.step_done(t)?;
                result = Some(Value::int(number as u64));
            }
            Op::ThreadSelf => {
                let function = t.frames.last().map(|f| &self.program.functions[f.function]);
                self.state.told_number |= !function.is_some_and(Function::knows_numbers);
                result = Some(Value::int(t.number as u64));
            }
            Op::ThreadExit => {
                if !self.step_here(t, &inst.op, permit) {
                    return Ok(Done::NotYet);
                }
                t.atomic_depth = 0;
                self.commit_atomic(t)?;
                return Ok(Done::ThreadEnded);
            }
            Op::Exit { status } => {
                let value = self.get(t, *status);
                if value.is_uninit() {
                    return Err(self.uninitialised(t, *status));
                }
                let status = value.bits as i32;
                if !self.step_here(t, &inst.op, permit) {
                    return Ok(Done::NotYet);
                }
                // A section that exits is never committed, which is where its races would be checked.
                self.check_races(t, self.state.steps + 1)?;
                return Err(self.exit(t, status));
            }
            Op::AtomicBegin => {
                if !self.step_here(t, &inst.op, permit) {
                    return Ok(Done::NotYet);
                }
                if t.atomic_depth == 0 {
                    self.pending.sync = self.sync_of_call(t);
                }
                t.atomic_depth += 1;
            }
            Op::AtomicEnd => {
                if t.atomic_depth == 1 {
                    self.note_call(t);
                    self.note_for_hindsight(t);
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
                if !self.step_here(t, &inst.op, permit) {
                    return Ok(Done::NotYet);
                }
                if cond.bits & 1 == 0 {
                    return Err(StepStop::Blocked);
                }
                self.step_done(t)?;
            }
            Op::Rest { done, seconds, nanoseconds, is_moment } => {
                // Without a clock nothing depends on the time, even if it is computed from inputs.
                if t.atomic_depth > 0 && self.schedule.clock().is_some() {
                    let done = self.used(t, *done)?.bits & 1 == 1;
                    let seconds = self.used(t, *seconds)?.bits as i64;
                    let nanoseconds = self.used(t, *nanoseconds)?.bits as i64;
                    if !done && self.has_to_rest(t, (seconds, nanoseconds), *is_moment) {
                        return Err(StepStop::Rests);
                    }
                }
            }
            Op::Input { ty, signed, kind, name } => {
                let name = self.text(self.get(t, *name));
                let source = t.count_input().map_or(InputSource::Output, |nth| InputSource::Call { nth });
                let wanted = WantedInput { name, ty: *ty, signed: *signed, kind: *kind };
                let value = self.input(t.number, source, wanted.clone())?;
                self.note_input(t, wanted, value);
                result = Some(value);
            }
            Op::Assert { cond, property, message, goes_on } => {
                let cond = self.used(t, *cond)?;
                let goes_on = *goes_on && !self.config.checks.has(*property);
                if cond.bits & 1 == 0 && !goes_on {
                    let message = self.text(self.get(t, *message));
                    self.assertion_failed(t, *property, message)?;
                }
            }
            Op::Yield => {
                if !self.step_here(t, &inst.op, permit) {
                    return Ok(Done::NotYet);
                }
                self.step_done(t)?;
                if t.atomic_depth == 0 {
                    self.schedule.yielded(t.number);
                }
            }
            Op::Output { fd, ptr, len } => {
                let len = eval::truncate(self.used(t, *len)?.bits, data.pointer_width());
                let fd = self.used(t, *fd)?.bits as u32;
                if len > 0 {
                    let Some((r, offset)) = self.find(t, *ptr, len, false, *permit)? else {
                        return Ok(Done::NotYet);
                    };
                    if !self.step_here(t, &inst.op, permit) {
                        return Ok(Done::NotYet);
                    }
                    self.read_whole(t, *ptr, r, offset, len)?;
                    let bytes = self.state.memory.bytes(r, offset, len).to_vec();
                    self.write_out(fd, bytes, true);
                    self.step_done(t)?;
                }
            }
            Op::FormatFloat { buffer, size, conversion, precision, flags, value } => {
                let value = f64::from_bits(self.used(t, *value)?.bits);
                let conversion = self.used(t, *conversion)?.bits as u8;
                let precision = self.used(t, *precision)?.bits as i32;
                let flags = self.used(t, *flags)?.bits;
                let room = (self.used(t, *size)?.bits as i32).max(0) as usize;
                let text = float_text::format(value, conversion, precision, flags & 1 == 1);
                let bytes = &text.as_bytes()[..text.len().min(room)];
                let Some((r, offset)) = self.find(t, *buffer, bytes.len() as u64, true, true)? else {
                    return Ok(Done::NotYet);
                };
                self.watch.touched.writes(&self.state.memory, r, offset, bytes.len() as u64);
                for (i, byte) in bytes.iter().enumerate() {
                    self.state.memory.write(r, offset + i as u64, 1, *byte as u128, None);
                }
                result = Some(Value::int(text.len() as u64));
            }
            Op::ParseFloat { text, consumed } => {
                let p = self.used(t, *text)?;
                let Some((r, offset)) = self.find(t, *text, 1, false, *permit)? else {
                    return Ok(Done::NotYet);
                };
                if !self.step_here(t, &inst.op, permit) {
                    return Ok(Done::NotYet);
                }
                let bytes = self.text_bytes(p);
                let (value, used) = float_text::parse(&bytes);
                // To find the end of a number, the byte after it is read too.
                self.find(t, *text, used as u64 + 1, false, true)?;
                self.read_whole(t, *text, r, offset, used as u64 + 1)?;
                self.decided_bytes(r, offset, used as u64 + 1);
                let Some((r, offset)) = self.find(t, *consumed, 4, true, true)? else {
                    return Ok(Done::NotYet);
                };
                self.watch.touched.writes(&self.state.memory, r, offset, 4);
                self.state.memory.write(r, offset, 4, used as u128, None);
                self.step_done(t)?;
                result = Some(Value::int(value.to_bits()));
            }
            Op::Acquired { lock, mode } => {
                let lock = self.get(t, *lock);
                let at = if self.watch.hindsight.is_some() { self.user_place(t) } else { None };
                t.held.push(HeldByThread { lock, mode: *mode, at });
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
            Op::Unsupported { .. } if !may_end => return Ok(Done::NotYet),
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
                    Err(error) => self.arithmetic_error(t, error, (*op, *width), (x, y))?,
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
            Op::Load { .. } | Op::Store { .. } | Op::Select { .. } => {}
        }
        if let (Some(value), Some(reg)) = (result, inst.result) {
            let base = t.frames.last().map_or(0, |f| f.base);
            t.set(base, reg, value);
        }
        Ok(Done::Yes)
    }

    /// The C string at an address, as far as its object and `LONGEST_TEXT` reach.
    pub fn text_bytes(&self, p: Value) -> Vec<u8> {
        let Ok((r, offset)) = self.state.memory.find(p, 0) else { return Vec::new() };
        let object = self.state.memory.object(r);
        if object.state != ObjectState::Live {
            return Vec::new();
        }
        let bytes = self.state.memory.bytes(r, offset, (object.size - offset).min(LONGEST_TEXT));
        bytes.split(|b| *b == 0).next().unwrap_or_default().to_vec()
    }

    pub fn text(&self, p: Value) -> String {
        String::from_utf8_lossy(&self.text_bytes(p)).into_owned()
    }

    /// The variable that a register holds.
    fn register_name(&self, t: &Thread<'p>, reg: Option<tp_ir::Reg>) -> String {
        let frame = t.frames.last().filter(|_| self.in_user_code(t));
        let info = frame.zip(reg).and_then(|(f, r)| f.body.regs.get(r));
        info.and_then(|i| i.name.as_deref()).unwrap_or(UNNAMED_VALUE).to_owned()
    }
}
