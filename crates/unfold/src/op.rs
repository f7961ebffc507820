//! One instruction. What the operators compute is `tp_ir::eval`, through the folding of terms.

use crate::exec::{Regs, mix};
use crate::knowledge::{ObjectName, Site};
use crate::memory::Contents;
use crate::pass::{Alive, Ctx, Pass};
use crate::state::State;
use crate::*;
use tp_ir::{CmpOp, EntityRef, GlobalId, Inst, LockMode, MemoryOrder, Op, Operand, RmwOp, Type, Width, eval};

/// An object of unknown size is followed up to this many bytes for each round of loops.
const UNKNOWN_SIZE: u128 = 1 << 16;
const LARGEST: u128 = 1 << 28;
const VERY_LARGE: &str = "a very large object";

/// Where an object is made.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Kind {
    Heap,
    /// On the heap, by a model for itself.
    Record,
    Local,
    /// On the stack, and nobody else can have its address.
    Private,
}

impl Pass<'_> {
    /// The state after an instruction; `None` when the path ends.
    pub fn execute(&mut self, ctx: &mut Ctx, mut state: State, regs: &mut Regs, inst: &Inst) -> Alive<State> {
        if let Op::Call(call) = &inst.op {
            return self.execute_call(ctx, state, regs, call);
        }
        let Some(result) = self.result_of(ctx, &mut state, regs, &inst.op)? else { return Ok(None) };
        if let (Some(r), Some(value)) = (inst.result, result) {
            regs[r.index()] = Some(value);
        }
        Ok(Some(state))
    }

    /// What an instruction gives, if it gives something.
    fn result_of(
        &mut self,
        ctx: &mut Ctx,
        state: &mut State,
        regs: &mut Regs,
        op: &Op,
    ) -> Alive<Option<Term>> {
        let data = self.program.data_model;
        self.note_weak_atomics(state, op);
        let mut value = |operand: &Operand| self.operand(regs, *operand);
        Ok(match op {
            Op::Binary { op, width, a, b, checked } => {
                let (a, b) = (value(a), value(b));
                if self.claim_arithmetic(ctx, state, (*op, *width, *checked), (a, b))?.is_none() {
                    return Ok(None);
                }
                let result = self.binary(*op, *width, a, b);
                self.note_addresses(ctx, *op, a, b);
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
                self.scaled(state, index, *scale).map(|offset| {
                    let result = self.out.terms.add(base, offset);
                    Some(self.keep_base(result, base, offset))
                })
            }
            Op::Cast { op, from, to, a } => {
                let a = value(a);
                let result = self.cast(ctx, state, *op, *from, *to, a)?;
                result.map(|result| Some(self.keep_pieces(result, a)))
            }
            &Op::FloatUnary { op, ty, ref a } => {
                let f = |v: &[u128]| eval::float_unary(op, ty, v[0] as u64) as u128;
                let a = value(a);
                self.float(ctx, state, &[a], ty.width(data), &f)?.map(Some)
            }
            &Op::FloatBinary { op, ty, ref a, ref b } => {
                let f = |v: &[u128]| eval::float_binary(op, ty, v[0] as u64, v[1] as u64) as u128;
                let (a, b) = (value(a), value(b));
                self.float(ctx, state, &[a, b], ty.width(data), &f)?.map(Some)
            }
            &Op::FloatCmp { op, ty, ref a, ref b } => {
                let f = |v: &[u128]| eval::float_compare(op, ty, v[0] as u64, v[1] as u64) as u128;
                let (a, b) = (value(a), value(b));
                self.float(ctx, state, &[a, b], Width::BOOL, &f)?.map(Some)
            }
            Op::Load { ty, ptr, order } => {
                let p = value(ptr);
                self.load(ctx, state, *ty, p, *order)?.map(Some)
            }
            Op::Store { ty, ptr, value: stored, order } => {
                let (p, stored) = (value(ptr), value(stored));
                self.store(ctx, state, *ty, p, stored, *order)?.map(|()| None)
            }
            Op::Rmw { op, ty, ptr, value: with, order } => {
                let (p, with) = (value(ptr), value(with));
                self.rmw(ctx, state, (*op, *ty, *order), p, with)?.map(Some)
            }
            Op::CmpXchg { ty, ptr, expected, new, fails, success, failure, .. } => {
                let (p, expected, new) = (value(ptr), value(expected), value(new));
                let fails = fails.as_ref().map(&mut value);
                let orders = (*success, *failure);
                self.compare_exchange(ctx, state, *ty, p, [expected, new], fails, orders)?.map(Some)
            }
            Op::Copy { dst, src, len, overlap, .. } => {
                let (dst, src, len) = (value(dst), value(src), value(len));
                self.copy(ctx, state, (dst, src, len), *overlap)?.map(|()| None)
            }
            Op::Set { dst, byte, len, .. } => {
                let (dst, byte, len) = (value(dst), value(byte), value(len));
                self.fill(ctx, state, dst, byte, len)?.map(|()| None)
            }
            Op::Alloca { size, align, private, .. } => {
                let size = value(size);
                let kind = if *private { Kind::Private } else { Kind::Local };
                self.allocate(ctx, state, size, *align as u64, kind)?.map(Some)
            }
            Op::HeapAlloc { size, align, record, at, .. } => {
                let (size, align) = (value(size), value(align));
                let old = at.as_ref().map(&mut value);
                let align = self.out.terms.as_const(align).unwrap_or(16).min(1 << 20) as u64;
                let kind = if *record { Kind::Record } else { Kind::Heap };
                let made = self.allocate(ctx, state, size, align, kind)?;
                if let (Some(made), Some(old)) = (made, old) {
                    self.reuse(ctx, state, made, old);
                }
                made.map(Some)
            }
            Op::HeapSize { ptr } => {
                let p = value(ptr);
                self.heap_size(ctx, state, p)?.map(Some)
            }
            Op::ThreadLocal { global } => Some(Some(self.thread_local(ctx, *global))),
            Op::Uninit { ty } => {
                let any = self.input(ctx, state, ty.width(data));
                self.unwritten.insert(any);
                self.out.uninitialised.push(any);
                Some(Some(any))
            }
            Op::Input { ty, .. } => Some(Some(self.input(ctx, state, ty.width(data)))),
            Op::ThreadStart { func, arg } => {
                let (func, arg) = (value(func), value(arg));
                self.start_in_step(ctx, state, op, (func, arg))?.map(Some)
            }
            Op::ThreadSelf => Some(Some(self.out.terms.constant(Width::W32, ctx.key.0 as u128))),
            Op::ThreadExit => {
                self.step_here(ctx, state, op);
                self.end_thread(ctx, state);
                let (own, always) = (ctx.key, self.out_true());
                self.note_stage(ctx, state, own, always, true);
                if self.claim_nothing_lost_with_last(ctx, state)?.is_none() {
                    return Ok(None);
                }
                self.out.ended.push((ctx.id, state.guard.term()));
                self.commit(ctx, state, true);
                None
            }
            Op::Exit { .. } => {
                self.exit(ctx, state, op)?;
                None
            }
            Op::AtomicBegin => {
                self.step_here(ctx, state, op);
                state.step.iter_mut().for_each(|step| step.depth += 1);
                Some(None)
            }
            Op::AtomicEnd => {
                match &mut state.step {
                    Some(step) if step.depth > 1 => step.depth -= 1,
                    _ => self.commit(ctx, state, false),
                }
                Some(None)
            }
            Op::Await { cond } | Op::Assume { cond } => {
                let cond = value(cond);
                self.condition(ctx, state, op, cond)?.map(|()| None)
            }
            Op::Assert { cond, property, .. } => {
                let cond = value(cond);
                self.claim(ctx, state, *property, cond)?.map(|()| None)
            }
            Op::HeapFree { ptr } => {
                let p = value(ptr);
                self.free(ctx, state, op, p)?.map(|()| None)
            }
            Op::Yield => {
                if op.is_step(state.step.is_some()) {
                    self.add_step(ctx, state.guard.term(), None);
                }
                Some(None)
            }
            Op::Output { ptr, len, .. } => {
                let (p, len) = (value(ptr), value(len));
                if self.claim_output(ctx, state, p, len)?.is_none() {
                    return Ok(None);
                }
                let is_empty = self.equals(len, 0);
                if op.is_step(state.step.is_some()) {
                    let is_step = self.out.terms.not(is_empty);
                    let guard = self.out.terms.and(state.guard.term(), is_step);
                    self.add_step(ctx, guard, None);
                }
                Some(None)
            }
            Op::FormatFloat { .. } | Op::ParseFloat { .. } => {
                let what = "a conversion between text and floating point";
                self.limit(ctx, state, LimitKind::Gap(what.into()));
                None
            }
            Op::Unsupported { what } => {
                self.limit(ctx, state, LimitKind::Gap(what.to_string()));
                None
            }
            Op::ScopeBegin { ptr } => {
                let p = value(ptr);
                self.begin_scope(ctx, state, p);
                Some(None)
            }
            Op::ScopeEnd { ptr, .. } => {
                let p = value(ptr);
                self.end_scope(ctx, state, p);
                Some(None)
            }
            Op::StackSave => {
                let made = ctx.locals.len() as u128;
                Some(Some(self.out.terms.constant(self.pointer_width(), made)))
            }
            Op::StackRestore { token } => {
                let token = value(token);
                self.end_since(ctx, state, token);
                Some(None)
            }
            Op::Acquired { lock, mode } => {
                let lock = value(lock);
                if *mode == LockMode::Shared && self.looks_for_waiting() {
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
                self.fence(ctx, state, order);
                Some(None)
            }
            Op::Waiting { owner, object, .. } => {
                let (owner, object) = (value(owner), value(object));
                state.step.iter_mut().for_each(|step| (step.owner, step.object) = (owner, object));
                Some(None)
            }
        })
    }

    fn thread_local(&mut self, ctx: &mut Ctx, global: GlobalId) -> Term {
        let object = match ctx.thread_locals.get(&global) {
            Some(&object) => object,
            None => {
                let object = self.global(global, Some((ctx.key, Some(ctx.id))));
                ctx.thread_locals.insert(global, object);
                object
            }
        };
        self.address(object, 0)
    }

    /// Outside of an atomic section starting a thread is a step of its own.
    fn start_in_step(
        &mut self,
        ctx: &mut Ctx,
        state: &mut State,
        op: &Op,
        (function, argument): (Term, Term),
    ) -> Alive<Term> {
        let is_alone = self.step_here(ctx, state, op);
        let site = self.site(ctx);
        let Some(number) = self.thread_start(ctx, state, function, argument, site)? else { return Ok(None) };
        if is_alone {
            self.commit(ctx, state, false);
        }
        Ok(Some(number))
    }

    /// The place where something is made, with the calls of models that led there.
    fn site(&self, ctx: &Ctx) -> Site {
        Site(ctx.site.iter().fold(0, |h, s| mix(h, s.0)) | 1 << 63)
    }

    fn input(&mut self, ctx: &Ctx, state: &mut State, width: Width) -> Term {
        let value = self.out.terms.variable(width);
        let guard = state.guard.term();
        if let Some(step) = &mut state.step {
            step.asked = self.out.terms.or(step.asked, guard);
        }
        self.out.inputs.push(Input { thread: ctx.id, guard, value, width });
        value
    }

    fn condition(&mut self, ctx: &mut Ctx, state: &mut State, op: &Op, cond: Term) -> Alive<()> {
        let is_alone = self.step_here(ctx, state, op);
        if state.step.is_none() {
            return Ok(state.guard.add(&mut self.out.terms, cond).then_some(()));
        }
        if self.wait_for(ctx, state, cond)?.is_none() {
            return Ok(None);
        }
        if is_alone {
            self.commit(ctx, state, false);
        }
        Ok(Some(()))
    }

    // ── memory ────────────────────────────────────────────────────────────────────────────────────────────────

    fn rmw(
        &mut self,
        ctx: &mut Ctx,
        state: &mut State,
        (op, ty, order): (RmwOp, Type, MemoryOrder),
        p: Term,
        value: Term,
    ) -> Alive<Term> {
        let len = ty.bytes(self.program.data_model) as u64;
        let mut access = self.begin_access(state, order);
        access.modifies = true;
        let Some(spots) = self.locate(ctx, state, p, len, true, &mut access)? else { return Ok(None) };
        let old = self.read_spots(ctx, state, &spots, len, &mut access);
        let old = self.as_loaded(old, ty);
        let Some(new) = self.rmw_value(ctx, state, op, ty, old, value)? else { return Ok(None) };
        let new = self.as_stored(new, ty);
        for spot in &spots {
            self.write_part(ctx, state, spot, new, true, &mut access);
        }
        self.end_access(ctx, state, access);
        Ok(Some(old))
    }

    fn compare_exchange(
        &mut self,
        ctx: &mut Ctx,
        state: &mut State,
        ty: Type,
        p: Term,
        [expected, new]: [Term; 2],
        fails: Option<Term>,
        (success, failure): (MemoryOrder, MemoryOrder),
    ) -> Alive<Term> {
        let len = ty.bytes(self.program.data_model) as u64;
        let mut access = self.begin_access(state, success);
        access.modifies = true;
        let Some(spots) = self.locate(ctx, state, p, len, true, &mut access)? else { return Ok(None) };
        let from = self.out.reads.len();
        // In a step, what is acquired depends on the outcome.
        let is_open = state.step.is_some() && success.acquires() != failure.acquires();
        if is_open {
            access.order = MemoryOrder::Relaxed;
        }
        let old = self.read_spots(ctx, state, &spots, len, &mut access);
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
                self.write_part(ctx, state, &spot, new, true, &mut access);
            }
        }
        self.end_access(ctx, state, access);
        // One that fails without a reason leaves what was expected as it is: to try again is to wait.
        Ok(Some(if fails.is_some() { self.out.terms.ite(equal, expected, old) } else { old }))
    }

    // ── objects ────────────────────────────────────────────────────────────────────────────────────────────────

    fn allocate(
        &mut self,
        ctx: &mut Ctx,
        state: &mut State,
        size: Term,
        align: u64,
        kind: Kind,
    ) -> Alive<Term> {
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
                    false => LimitKind::Gap(VERY_LARGE.into()),
                };
                self.limit_if(ctx, state, more, kind);
                let fits = self.out.terms.not(more);
                if !state.guard.add(&mut self.out.terms, fits) {
                    return Ok(None);
                }
                (bytes, Some(size))
            }
        };
        if bytes >= LARGEST {
            self.limit(ctx, state, LimitKind::Gap(VERY_LARGE.into()));
            return Ok(None);
        }
        let site = self.site(ctx);
        let nth = ctx.counts.entry(site).or_default();
        *nth += 1;
        let name = ObjectName::Made { thread: ctx.key, site, nth: *nth, size: bytes as u64 };
        let object = self.add_object(name, bytes as u64, align, Contents::Unwritten, Some(ctx.id));
        let (is_heap, is_record) = (matches!(kind, Kind::Heap | Kind::Record), kind == Kind::Record);
        self.know.note_made(self.objects[object].key, is_heap, is_record, exact_size.is_some());
        let info = &mut self.objects[object];
        info.private = kind == Kind::Private;
        info.is_heap = is_heap;
        info.exact_size = exact_size;
        info.made = Some(state.guard.term());
        info.fresh = state.concurrent.then_some(state.guard.term());
        self.out.threads[ctx.id].made.push(Made { guard: state.guard.term(), object });
        if is_heap {
            self.begin_life(ctx, state, object);
        } else {
            ctx.locals.push(object);
        }
        Ok(Some(self.address(object, 0)))
    }

    /// The object that a constant is the address of.
    pub fn object_of(&mut self, p: Term) -> Option<ObjectId> {
        let address = self.out.terms.as_const(p).and_then(|a| u64::try_from(a).ok())?;
        self.know.object_at(address).and_then(|k| self.object_with_key(k))
    }
}
