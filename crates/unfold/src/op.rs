//! One instruction. Operators mean what `tp_ir::eval` computes, which the folding of terms calls.

use crate::exec::{Regs, mix};
use crate::knowledge::{CreationSite, SymbolicObject};
use crate::memory::Contents;
use crate::pass::{Alive, Pass};
use crate::state::State;
use crate::*;
use tp_ir::{CmpOp, EntityRef, GlobalId, Inst, LockMode, MemoryOrder, Op, Operand, RmwOp, Type, Width, eval};

/// An object of unknown size is followed up to this many bytes times the bound.
const UNKNOWN_SIZE: u128 = 1 << 16;
const LARGEST: u128 = 1 << 28;

/// Where an object is allocated.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Kind {
    Heap,
    /// On the heap, by a model for itself.
    Record,
    Local,
    /// On the stack, and no other thread can have its address.
    Private,
}

impl Pass<'_> {
    /// The state after an instruction; `None` when the path ends.
    pub fn execute(&mut self, mut state: State, regs: &mut Regs, inst: &Inst) -> Alive<State> {
        if let Op::Call(call) = &inst.op {
            return self.execute_call(state, regs, call);
        }
        let Some(result) = self.result_of(&mut state, regs, &inst.op)? else { return Ok(None) };
        if let (Some(r), Some(value)) = (inst.result, result) {
            regs[r.index()] = Some(value);
        }
        Ok(Some(state))
    }

    /// The result of an instruction, if it has one.
    #[expect(clippy::too_many_lines, reason = "an arm for each instruction")]
    fn result_of(&mut self, state: &mut State, regs: &mut Regs, op: &Op) -> Alive<Option<Term>> {
        let data = self.program.data_model;
        self.note_weak_atomics(state, op);
        let mut value = |operand: &Operand| self.operand(regs, *operand);
        Ok(match op {
            Op::Binary { op, width, a, b, checked } => {
                let (a, b) = (value(a), value(b));
                if self.claim_arithmetic(state, (*op, *width, *checked), (a, b))?.is_none() {
                    return Ok(None);
                }
                let result = self.binary(*op, *width, a, b);
                self.note_addresses(*op, a, b);
                Some(Some(self.keep_addresses(*op, result, a, b)))
            }
            Op::Cmp { op, a, b, .. } => {
                let (a, b) = (value(a), value(b));
                Some(Some(self.compare(*op, a, b)))
            }
            Op::Select { cond, a, b } => {
                let (c, a, b) = (value(cond), value(a), value(b));
                Some(Some(self.out.terms.ite(c, a, b)))
            }
            Op::PtrAdd { base, index, scale, .. } => {
                let (base, index) = (value(base), value(index));
                Some(Some(self.element(state, base, index, *scale)))
            }
            Op::Cast { op, from, to, a } => {
                let a = value(a);
                let result = self.cast(state, *op, *from, *to, a)?;
                result.map(|result| Some(self.keep_split_address(result, a)))
            }
            &Op::FloatUnary { op, ty, ref a } => {
                let f = |v: &[u128]| eval::float_unary(op, ty, v[0] as u64) as u128;
                let a = value(a);
                self.float(state, &[a], ty.width(data), &f)?.map(Some)
            }
            &Op::FloatBinary { op, ty, ref a, ref b } => {
                let f = |v: &[u128]| eval::float_binary(op, ty, v[0] as u64, v[1] as u64) as u128;
                let (a, b) = (value(a), value(b));
                self.float(state, &[a, b], ty.width(data), &f)?.map(Some)
            }
            &Op::FloatCmp { op, ty, ref a, ref b } => {
                let f = |v: &[u128]| eval::float_compare(op, ty, v[0] as u64, v[1] as u64) as u128;
                let (a, b) = (value(a), value(b));
                self.float(state, &[a, b], Width::BOOL, &f)?.map(Some)
            }
            Op::Load { ty, ptr, order } => {
                let p = value(ptr);
                self.load(state, *ty, p, *order)?.map(Some)
            }
            Op::Store { ty, ptr, value: stored, order } => {
                let (p, stored) = (value(ptr), value(stored));
                self.store(state, *ty, p, stored, *order)?.map(|()| None)
            }
            Op::Rmw { op, ty, ptr, value: with, order } => {
                let (p, with) = (value(ptr), value(with));
                self.rmw(state, (*op, *ty, *order), p, with)?.map(Some)
            }
            Op::CmpXchg { ty, ptr, expected, new, fails, success, failure, .. } => {
                let (p, expected, new) = (value(ptr), value(expected), value(new));
                let fails = fails.as_ref().map(&mut value);
                let orders = (*success, *failure);
                self.compare_exchange(state, (*ty, p), [expected, new], fails, orders)?.map(Some)
            }
            Op::Copy { dst, src, len, overlap, .. } => {
                let (dst, src, len) = (value(dst), value(src), value(len));
                self.copy(state, (dst, src, len), *overlap)?.map(|()| None)
            }
            Op::Set { dst, byte, len, .. } => {
                let (dst, byte, len) = (value(dst), value(byte), value(len));
                self.fill(state, dst, byte, len)?.map(|()| None)
            }
            Op::Alloca { size, align, private, .. } => {
                let size = value(size);
                let kind = if *private { Kind::Private } else { Kind::Local };
                self.allocate(state, size, *align as u64, kind)?.map(Some)
            }
            Op::HeapAlloc { size, align, record, at, .. } => {
                let (size, align) = (value(size), value(align));
                let old = at.as_ref().map(&mut value);
                let align = self.out.terms.as_const(align).unwrap_or(16).min(1 << 20) as u64;
                let kind = if *record { Kind::Record } else { Kind::Heap };
                let made = self.allocate(state, size, align, kind)?;
                if let (Some(made), Some(old)) = (made, old) {
                    self.reuse(state, made, old);
                }
                made.map(Some)
            }
            Op::HeapSize { ptr } => {
                let p = value(ptr);
                self.heap_size(state, p)?.map(Some)
            }
            Op::ThreadLocal { global } => Some(Some(self.thread_local(*global))),
            Op::Uninit { ty } => {
                let any = self.any_value(state, ty.width(data), true);
                self.values.set_unwritten(any);
                self.out.uninitialised.push(any);
                Some(Some(any))
            }
            Op::Input { ty, .. } => {
                let any = self.any_value(state, ty.width(data), false);
                if let Some(step) = &mut state.step {
                    step.asked = self.out.terms.or(step.asked, state.guard.term());
                }
                Some(Some(any))
            }
            Op::ThreadStart { func, arg } => {
                let (func, arg) = (value(func), value(arg));
                self.start_in_step(state, op, (func, arg))?.map(Some)
            }
            Op::ThreadSelf => Some(Some(self.out.terms.constant(Width::W32, self.thread.key.0 as u128))),
            Op::ThreadExit => {
                self.step_here(state, op);
                self.end_thread(state);
                let (own, always) = (self.thread.key, self.out_true());
                self.note_stage(state, own, always, true);
                if self.claim_nothing_lost_with_last(state)?.is_none() {
                    return Ok(None);
                }
                self.out.ended.push((self.thread.id, state.guard.term()));
                self.commit(state, true);
                None
            }
            Op::Exit { .. } => {
                self.exit(state, op)?;
                None
            }
            Op::AtomicBegin => {
                self.step_here(state, op);
                state.step.iter_mut().for_each(|step| step.depth += 1);
                Some(None)
            }
            Op::AtomicEnd => {
                match &mut state.step {
                    Some(step) if step.depth > 1 => step.depth -= 1,
                    _ => self.commit(state, false),
                }
                Some(None)
            }
            Op::Await { cond } | Op::Assume { cond } => {
                let cond = value(cond);
                self.condition(state, op, cond)?.map(|()| None)
            }
            Op::Assert { cond, property, goes_on, .. } => {
                let cond = value(cond);
                match *goes_on && !self.config.checks.has(*property) {
                    true => Some(None),
                    false => self.claim(state, *property, cond)?.map(|()| None),
                }
            }
            Op::HeapFree { ptr } => {
                let p = value(ptr);
                self.free(state, op, p)?.map(|()| None)
            }
            // Any time may pass between two steps: it is never too early.
            Op::Rest { .. } => Some(None),
            Op::Yield => {
                if op.is_step(state.step.is_some()) {
                    self.add_step(state.guard.term(), None);
                }
                Some(None)
            }
            Op::Output { ptr, len, .. } => {
                let (p, len) = (value(ptr), value(len));
                if self.claim_output(state, p, len)?.is_none() {
                    return Ok(None);
                }
                let is_empty = self.equals(len, 0);
                if op.is_step(state.step.is_some()) {
                    let is_step = self.out.terms.not(is_empty);
                    let guard = self.out.terms.and(state.guard.term(), is_step);
                    self.add_step(guard, None);
                }
                Some(None)
            }
            Op::FormatFloat { .. } | Op::ParseFloat { .. } => {
                self.limit(state, LimitKind::Gap(Gap::FloatText));
                None
            }
            Op::Unsupported { what } => {
                self.limit(state, LimitKind::Gap(Gap::Operation(what.to_string())));
                None
            }
            Op::ScopeBegin { ptr } => {
                let p = value(ptr);
                self.begin_scope(state, p);
                Some(None)
            }
            Op::ScopeEnd { ptr, .. } => {
                let p = value(ptr);
                self.end_scope(state, p);
                Some(None)
            }
            Op::StackSave => {
                let made = self.thread.locals.len() as u128;
                Some(Some(self.out.terms.constant(self.pointer_width(), made)))
            }
            Op::StackRestore { token } => {
                let token = value(token);
                self.end_since(state, token);
                Some(None)
            }
            Op::Acquired { lock, mode } => {
                let lock = value(lock);
                if *mode == LockMode::Shared && self.checks_waiting() {
                    state.held.acquire(&mut self.out.terms, lock);
                }
                Some(None)
            }
            Op::Released { lock } => {
                let lock = value(lock);
                state.held.release(&mut self.out.terms, lock);
                Some(None)
            }
            Op::Call(_) => Some(None),
            &Op::Fence { order } => {
                self.fence(state, order);
                Some(None)
            }
            Op::Waiting { owner, object, .. } => {
                let (owner, object) = (value(owner), value(object));
                state.step.iter_mut().for_each(|step| (step.owner, step.object) = (owner, object));
                Some(None)
            }
        })
    }

    fn thread_local(&mut self, global: GlobalId) -> Term {
        let object = match self.thread.thread_locals.get(&global) {
            Some(&object) => object,
            None => {
                let object = self.global(global, Some((self.thread.key, Some(self.thread.id))));
                self.thread.thread_locals.insert(global, object);
                object
            }
        };
        self.address(object, 0)
    }

    /// Outside of an atomic section, starting a thread is a step of its own.
    fn start_in_step(
        &mut self,
        state: &mut State,
        op: &Op,
        (function, argument): (Term, Term),
    ) -> Alive<Term> {
        let is_alone = self.step_here(state, op);
        let site = self.site();
        let Some(number) = self.thread_start(state, function, argument, site)? else { return Ok(None) };
        if is_alone {
            self.commit(state, false);
        }
        Ok(Some(number))
    }

    /// The current instruction, with the call sites in models that led there.
    fn site(&self) -> CreationSite {
        CreationSite(self.thread.site.iter().fold(0, |h, s| mix(h, s.0)) | 1 << 63)
    }

    /// An input, or the value of a register that was never written: no other value of that helps a thread that waits.
    fn any_value(&mut self, state: &State, width: Width, is_unwritten: bool) -> Term {
        let value = self.out.terms.variable(width);
        let guard = state.guard.term();
        self.out.inputs.push(GraphInput { thread: self.thread.id, guard, value, width, is_unwritten });
        value
    }

    fn condition(&mut self, state: &mut State, op: &Op, cond: Term) -> Alive<()> {
        let is_alone = self.step_here(state, op);
        if state.step.is_none() {
            return Ok(state.guard.add(&mut self.out.terms, cond).then_some(()));
        }
        if self.wait_for(state, cond)?.is_none() {
            return Ok(None);
        }
        if is_alone {
            self.commit(state, false);
        }
        Ok(Some(()))
    }

    // ── memory ────────────────────────────────────────────────────────────────────────────────────────────────

    fn rmw(
        &mut self,
        state: &mut State,
        (op, ty, order): (RmwOp, Type, MemoryOrder),
        p: Term,
        value: Term,
    ) -> Alive<Term> {
        let len = ty.bytes(self.program.data_model) as u64;
        let mut access = self.begin_access(state, order);
        access.modifies = true;
        let Some(spots) = self.locate(state, p, len, true, &mut access)? else { return Ok(None) };
        let old = self.read_spots(state, &spots, len, &mut access);
        let old = self.as_loaded(old, ty);
        let Some(new) = self.rmw_value(state, op, ty, old, value)? else { return Ok(None) };
        let new = self.as_stored(new, ty);
        for spot in &spots {
            self.write_part(state, spot, new, true, &mut access);
        }
        self.end_access(state, access);
        Ok(Some(old))
    }

    fn compare_exchange(
        &mut self,
        state: &mut State,
        (ty, p): (Type, Term),
        [expected, new]: [Term; 2],
        fails: Option<Term>,
        (success, failure): (MemoryOrder, MemoryOrder),
    ) -> Alive<Term> {
        let len = ty.bytes(self.program.data_model) as u64;
        let mut access = self.begin_access(state, success);
        access.modifies = true;
        let Some(spots) = self.locate(state, p, len, true, &mut access)? else { return Ok(None) };
        let from = self.out.reads.len();
        // In a step, whether the read acquires depends on the outcome.
        let is_open = state.step.is_some() && success.acquires() != failure.acquires();
        if is_open {
            access.order = MemoryOrder::Relaxed;
        }
        let old = self.read_spots(state, &spots, len, &mut access);
        access.order = success;
        if state.step.is_none() && success != failure {
            self.out.failing.extend((from..self.out.reads.len()).map(|read| (read, failure)));
        }
        let old = self.as_loaded(old, ty);
        let equal = self.equal(old, expected);
        let stores = match fails {
            Some(fails) => {
                let succeeds = self.out.terms.not(fails);
                self.out.terms.and(succeeds, equal)
            }
            None => equal,
        };
        if is_open {
            let when = if success.acquires() { stores } else { self.out.terms.not(stores) };
            for read in from..self.out.reads.len() {
                self.note_acquired(state, self.out.reads[read].cell, when, MemoryOrder::Acquire);
            }
        }
        let new = self.as_stored(new, ty);
        for mut spot in spots {
            spot.condition = self.out.terms.and(spot.condition, stores);
            if self.out.terms.as_const(spot.condition) != Some(0) {
                self.write_part(state, &spot, new, true, &mut access);
            }
        }
        self.end_access(state, access);
        // After a spurious failure the expected value is the same term, so that a loop which tries again only waits.
        Ok(Some(if fails.is_some() { self.out.terms.ite(equal, expected, old) } else { old }))
    }

    // ── objects ────────────────────────────────────────────────────────────────────────────────────────────────

    fn allocate(&mut self, state: &mut State, size: Term, align: u64, kind: Kind) -> Alive<Term> {
        let most = self.cases(size).and_then(|cases| cases.last().map(|c| c.1));
        let (bytes, exact_size) = match most {
            Some(bytes) if self.out.terms.as_const(size).is_some() => (bytes, None),
            Some(bytes) => (bytes, Some(size)),
            None => {
                let bytes = (UNKNOWN_SIZE * self.config.bound as u128).min(LARGEST - 1);
                let most = self.out.terms.constant(self.out.terms.width(size), bytes);
                let more = self.out.terms.compare(CmpOp::Ult, most, size);
                let kind = match bytes + 1 < LARGEST {
                    true => LimitKind::Loop,
                    false => LimitKind::Gap(Gap::LargeObject),
                };
                self.limit_if(state, more, kind);
                let fits = self.out.terms.not(more);
                if !state.guard.add(&mut self.out.terms, fits) {
                    return Ok(None);
                }
                (bytes, Some(size))
            }
        };
        if bytes >= LARGEST {
            self.limit(state, LimitKind::Gap(Gap::LargeObject));
            return Ok(None);
        }
        let site = self.site();
        let nth = self.thread.counts.entry(site).or_default();
        *nth += 1;
        let name = SymbolicObject::Made { thread: self.thread.key, site, nth: *nth, size: bytes as u64 };
        let object = self.add_object(name, bytes as u64, align, Contents::Unwritten, Some(self.thread.id));
        let (is_heap, is_record) = (matches!(kind, Kind::Heap | Kind::Record), kind == Kind::Record);
        self.know.note_made(self.objects[object].key, is_heap, is_record, exact_size.is_some());
        let info = &mut self.objects[object];
        info.private = kind == Kind::Private;
        info.is_heap = is_heap;
        info.exact_size = exact_size;
        info.made = Some(state.guard.term());
        info.fresh = state.concurrent.then_some(state.guard.term());
        self.out.threads[self.thread.id].made.push(MadeObject { guard: state.guard.term(), object });
        if is_heap {
            self.begin_life(state, object);
        } else {
            self.thread.locals.push(object);
        }
        Ok(Some(self.address(object, 0)))
    }

    /// The object that a constant points to.
    pub fn object_of(&mut self, p: Term) -> Option<ObjectId> {
        let address = self.out.terms.as_const(p).and_then(|a| u64::try_from(a).ok())?;
        self.know.object_at(address).and_then(|k| self.object_with_key(k))
    }
}
