//! One instruction. What the operators compute is `tp_ir::eval`, through the folding of terms.

use crate::exec::{Regs, mix};
use crate::knowledge::{ObjectName, Site};
use crate::memory::Contents;
use crate::pass::{Alive, Ctx, Pass};
use crate::state::State;
use crate::store::Content;
use crate::*;
use tp_ir::{BinOp, Call, Callee, CmpOp, EntityRef, Inst, Op, RmwOp, Type, Width, eval};

/// An object of unknown size is followed up to this many bytes.
const UNKNOWN_SIZE: u128 = 1 << 16;
const LARGEST: u128 = 1 << 28;

impl Pass<'_> {
    /// The state after an instruction; `None` when the path ends.
    pub fn execute(&mut self, ctx: &mut Ctx, mut state: State, regs: &mut Regs, inst: &Inst) -> Alive<State> {
        let data = self.program.data_model;
        let result = match &inst.op {
            Op::Call(call) => return self.execute_call(ctx, state, regs, call),
            Op::Binary { op, width, a, b, .. } => {
                let (a, b) = (self.operand(regs, *a), self.operand(regs, *b));
                let result = self.binary(*op, *width, a, b);
                Some(self.keep_addresses(*op, result, a, b))
            }
            Op::Cmp { op, a, b, .. } => {
                let (a, b) = (self.operand(regs, *a), self.operand(regs, *b));
                Some(self.out.terms.compare(*op, a, b))
            }
            Op::Select { cond, a, b } => {
                let c = self.operand(regs, *cond);
                let (a, b) = (self.operand(regs, *a), self.operand(regs, *b));
                Some(self.out.terms.ite(c, a, b))
            }
            Op::PtrAdd { base, index, scale, .. } => {
                let (base, index) = (self.operand(regs, *base), self.operand(regs, *index));
                let Some(offset) = self.scaled(&mut state, index, *scale) else { return Ok(None) };
                let result = self.out.terms.add(base, offset);
                Some(self.keep_addresses(BinOp::Add, result, base, offset))
            }
            Op::Cast { op, from, to, a } => {
                let a = self.operand(regs, *a);
                let Some(value) = self.cast(ctx, &state, *op, *from, *to, a)? else { return Ok(None) };
                Some(self.keep_pieces(value, a))
            }
            Op::FloatUnary { op, ty, a } => {
                let a = self.operand(regs, *a);
                let (op, ty) = (*op, *ty);
                let f = |v: &[u128]| eval::float_unary(op, ty, v[0] as u64) as u128;
                let Some(v) = self.float(ctx, &state, &[a], ty.width(data), &f)? else { return Ok(None) };
                Some(v)
            }
            Op::FloatBinary { op, ty, a, b } => {
                let (a, b) = (self.operand(regs, *a), self.operand(regs, *b));
                let (op, ty) = (*op, *ty);
                let f = |v: &[u128]| eval::float_binary(op, ty, v[0] as u64, v[1] as u64) as u128;
                let Some(v) = self.float(ctx, &state, &[a, b], ty.width(data), &f)? else { return Ok(None) };
                Some(v)
            }
            Op::FloatCmp { op, ty, a, b } => {
                let (a, b) = (self.operand(regs, *a), self.operand(regs, *b));
                let (op, ty) = (*op, *ty);
                let f = |v: &[u128]| eval::float_compare(op, ty, v[0] as u64, v[1] as u64) as u128;
                let Some(v) = self.float(ctx, &state, &[a, b], Width::BOOL, &f)? else { return Ok(None) };
                Some(v)
            }
            Op::Load { ty, ptr, .. } => {
                let p = self.operand(regs, *ptr);
                let Some(value) = self.load(ctx, &mut state, *ty, p)? else { return Ok(None) };
                Some(value)
            }
            Op::Store { ty, ptr, value, .. } => {
                let (p, value) = (self.operand(regs, *ptr), self.operand(regs, *value));
                if self.store(ctx, &mut state, *ty, p, value)?.is_none() {
                    return Ok(None);
                }
                None
            }
            Op::Rmw { op, ty, ptr, value, .. } => {
                let (p, value) = (self.operand(regs, *ptr), self.operand(regs, *value));
                let Some(v) = self.rmw(ctx, &mut state, *op, *ty, p, value)? else { return Ok(None) };
                Some(v)
            }
            Op::CmpXchg { ty, ptr, expected, new, .. } => {
                let p = self.operand(regs, *ptr);
                let (expected, new) = (self.operand(regs, *expected), self.operand(regs, *new));
                let Some(v) = self.compare_exchange(ctx, &mut state, *ty, p, expected, new)? else {
                    return Ok(None);
                };
                Some(v)
            }
            Op::Copy { dst, src, len, .. } => {
                let (dst, src) = (self.operand(regs, *dst), self.operand(regs, *src));
                let len = self.operand(regs, *len);
                if self.copy(ctx, &mut state, dst, src, len)?.is_none() {
                    return Ok(None);
                }
                None
            }
            Op::Set { dst, byte, len, .. } => {
                let (dst, byte) = (self.operand(regs, *dst), self.operand(regs, *byte));
                let len = self.operand(regs, *len);
                if self.fill(ctx, &mut state, dst, byte, len)?.is_none() {
                    return Ok(None);
                }
                None
            }
            Op::Alloca { size, align, private, .. } => {
                let size = self.operand(regs, *size);
                let Some(p) = self.allocate(ctx, &mut state, size, *align as u64, *private)? else {
                    return Ok(None);
                };
                Some(p)
            }
            Op::HeapAlloc { size, align, .. } => {
                let (size, align) = (self.operand(regs, *size), self.operand(regs, *align));
                let align = self.out.terms.as_const(align).unwrap_or(16).min(1 << 20) as u64;
                let Some(p) = self.allocate(ctx, &mut state, size, align, false)? else { return Ok(None) };
                Some(p)
            }
            // What is used after that is undefined.
            Op::HeapFree { .. } => {
                if state.step.is_none() {
                    self.add_step(ctx, state.guard.term(), None);
                }
                None
            }
            Op::HeapSize { ptr } => {
                let p = self.operand(regs, *ptr);
                let Some(size) = self.heap_size(ctx, &mut state, p) else { return Ok(None) };
                Some(size)
            }
            Op::ThreadLocal { global } => {
                let object = match ctx.thread_locals.get(global) {
                    Some(&object) => object,
                    None => {
                        let object = self.global(*global, Some((ctx.key, Some(ctx.id))));
                        ctx.thread_locals.insert(*global, object);
                        object
                    }
                };
                Some(self.address(object, 0))
            }
            Op::Uninit { ty } => Some(self.input(ctx, &state, ty.width(data))),
            Op::Input { ty, .. } => Some(self.input(ctx, &state, ty.width(data))),
            Op::ThreadStart { func, arg } => {
                let (func, arg) = (self.operand(regs, *func), self.operand(regs, *arg));
                let single = state.step.is_none();
                if single {
                    self.begin_step(ctx, &mut state);
                }
                let site = self.site(ctx);
                let Some(number) = self.thread_start(ctx, &mut state, func, arg, site)? else {
                    return Ok(None);
                };
                if single {
                    self.commit(ctx, &mut state, false);
                }
                Some(number)
            }
            Op::ThreadSelf => Some(self.out.terms.constant(Width::W32, ctx.key.0 as u128)),
            Op::ThreadExit => {
                if state.step.is_none() {
                    self.begin_step(ctx, &mut state);
                }
                self.commit(ctx, &mut state, true);
                return Ok(None);
            }
            Op::Exit { .. } => {
                self.exit(ctx, &mut state);
                return Ok(None);
            }
            Op::AtomicBegin => {
                if state.step.is_none() {
                    self.begin_step(ctx, &mut state);
                }
                if let Some(step) = &mut state.step {
                    step.depth += 1;
                }
                None
            }
            Op::AtomicEnd => {
                match &mut state.step {
                    Some(step) if step.depth > 1 => step.depth -= 1,
                    _ => self.commit(ctx, &mut state, false),
                }
                None
            }
            Op::Await { cond } | Op::Assume { cond } => {
                let cond = self.operand(regs, *cond);
                let is_await = matches!(inst.op, Op::Await { .. });
                if self.condition(ctx, &mut state, cond, is_await)?.is_none() {
                    return Ok(None);
                }
                None
            }
            Op::Assert { cond, property, .. } => {
                let cond = self.operand(regs, *cond);
                if self.claim(ctx, &mut state, *property, cond)?.is_none() {
                    return Ok(None);
                }
                None
            }
            Op::Yield => {
                if state.step.is_none() {
                    self.add_step(ctx, state.guard.term(), None);
                }
                None
            }
            Op::Output { len, .. } => {
                let len = self.operand(regs, *len);
                let zero = self.equals(len, 0);
                let some = self.out.terms.not(zero);
                if state.step.is_none() {
                    let guard = self.out.terms.and(state.guard.term(), some);
                    self.add_step(ctx, guard, None);
                }
                None
            }
            Op::FormatFloat { .. } | Op::ParseFloat { .. } => {
                self.limit(
                    ctx,
                    &state,
                    LimitKind::Gap("a conversion between text and floating point".into()),
                );
                return Ok(None);
            }
            Op::Unsupported { what } => {
                self.limit(ctx, &state, LimitKind::Gap(what.to_string()));
                return Ok(None);
            }
            Op::ScopeBegin { ptr } => {
                let p = self.operand(regs, *ptr);
                self.begin_scope(&mut state, p);
                None
            }
            Op::StackSave => Some(self.out.terms.constant(self.pointer_width(), 0)),
            Op::Fence { .. }
            | Op::StackRestore { .. }
            | Op::ScopeEnd { .. }
            | Op::Acquired { .. }
            | Op::Released { .. }
            | Op::Waiting { .. } => None,
        };
        if let (Some(r), Some(value)) = (inst.result, result) {
            regs[r.index()] = Some(value);
        }
        Ok(Some(state))
    }

    /// The place where something is made, with the calls of models that led there.
    fn site(&self, ctx: &Ctx) -> Site {
        Site(ctx.site.iter().fold(0, |h, s| mix(h, s.0)) | 1 << 63)
    }

    fn input(&mut self, ctx: &Ctx, state: &State, width: Width) -> Term {
        let value = self.out.terms.variable(width);
        let guard = state.guard.term();
        self.out.inputs.push(Input { thread: ctx.id, guard, value, width });
        value
    }

    fn condition(&mut self, ctx: &mut Ctx, state: &mut State, cond: Term, is_await: bool) -> Alive<()> {
        if state.step.is_some() {
            return self.wait_for(ctx, state, cond);
        }
        if !is_await {
            return Ok(state.guard.add(&mut self.out.terms, cond).then_some(()));
        }
        self.begin_step(ctx, state);
        if self.wait_for(ctx, state, cond)?.is_none() {
            return Ok(None);
        }
        self.commit(ctx, state, false);
        Ok(Some(()))
    }

    // ── calls ──────────────────────────────────────────────────────────────────────────────────────────────────

    fn execute_call(
        &mut self,
        ctx: &mut Ctx,
        mut state: State,
        regs: &mut Regs,
        call: &Call,
    ) -> Alive<State> {
        let arguments: Vec<Term> = call.args.iter().map(|a| self.operand(regs, *a)).collect();
        let functions = match &call.callee {
            Callee::Direct(function) => vec![(self.out_true(), *function)],
            Callee::Indirect(pointer) => {
                let p = self.operand(regs, *pointer);
                match self.functions_at(ctx, &mut state, p) {
                    Some(functions) => functions,
                    None => return Ok(None),
                }
            }
        };
        let mut merged: Option<(State, Vec<Term>)> = None;
        for (condition, function) in functions {
            let mut state = state.clone();
            if !state.guard.add(&mut self.out.terms, condition) {
                continue;
            }
            let place = ctx.place;
            let returned = if self.program.functions[function].is_output() {
                let results = self.output_results(ctx, &state, function, !call.results.is_empty());
                Some((state, results))
            } else {
                self.call(ctx, state, function, &arguments)?
            };
            ctx.place = place;
            let Some((state, mut results)) = returned else { continue };
            let missing = self.out.terms.bool(false);
            results.resize(results.len().max(call.results.len()), missing);
            merged = Some(match merged {
                None => (state, results),
                Some((other, others)) if Self::can_merge(&other, &state) => {
                    let (state, first) = self.merge(ctx, other, state);
                    let both = others.into_iter().zip(results);
                    let pick = |(x, y)| if x == y { x } else { self.out.terms.ite(first, x, y) };
                    (state, both.map(pick).collect())
                }
                Some(kept) => {
                    let what = "an atomic section that only some paths open";
                    self.limit(ctx, &state, LimitKind::Gap(what.into()));
                    kept
                }
            });
        }
        let Some((state, results)) = merged else { return Ok(None) };
        for (&r, value) in call.results.iter().zip(results) {
            regs[r.index()] = Some(value);
        }
        Ok(Some(state))
    }

    /// What a function that only writes text returns: any value.
    fn output_results(
        &mut self,
        ctx: &Ctx,
        state: &State,
        function: tp_ir::FuncId,
        are_used: bool,
    ) -> Vec<Term> {
        if are_used {
            let what = "the value that a function of the C library returns for what it wrote".to_string();
            self.out.guesses.push(Guess { guard: state.guard.term(), what, place: ctx.place });
        }
        let results = &self.program.functions[function].results;
        let widths: Vec<Width> = results.iter().map(|t| t.width(self.program.data_model)).collect();
        widths.into_iter().map(|w| self.out.terms.variable(w)).collect()
    }

    // ── memory ────────────────────────────────────────────────────────────────────────────────────────────────

    fn rmw(
        &mut self,
        ctx: &mut Ctx,
        state: &mut State,
        op: RmwOp,
        ty: Type,
        p: Term,
        value: Term,
    ) -> Alive<Term> {
        let len = ty.bytes(self.program.data_model) as u64;
        let mut access = self.begin_access();
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
        expected: Term,
        new: Term,
    ) -> Alive<Term> {
        let len = ty.bytes(self.program.data_model) as u64;
        let mut access = self.begin_access();
        let Some(spots) = self.locate(ctx, state, p, len, true, &mut access)? else { return Ok(None) };
        let old = self.read_spots(ctx, state, &spots, len, &mut access);
        let old = self.as_loaded(old, ty);
        let equal = self.out.terms.eq(old, expected);
        let new = self.as_stored(new, ty);
        for mut spot in spots {
            spot.condition = self.out.terms.and(spot.condition, equal);
            if self.out.terms.as_const(spot.condition) != Some(0) {
                self.write_part(ctx, state, &spot, new, true, &mut access);
            }
        }
        self.end_access(ctx, state, access);
        Ok(Some(old))
    }

    // ── objects ────────────────────────────────────────────────────────────────────────────────────────────────

    fn allocate(
        &mut self,
        ctx: &mut Ctx,
        state: &mut State,
        size: Term,
        align: u64,
        private: bool,
    ) -> Alive<Term> {
        let most = self.cases(size).and_then(|cases| cases.last().map(|c| c.1));
        let (bytes, exact_size) = match most {
            Some(bytes) if self.out.terms.as_const(size).is_some() => (bytes, None),
            Some(bytes) => (bytes, Some(size)),
            None => {
                let most = self.out.terms.constant(self.out.terms.width(size), UNKNOWN_SIZE);
                let more = self.out.terms.compare(CmpOp::Ult, most, size);
                self.limit_if(ctx, state, more, LimitKind::Loop);
                let fits = self.out.terms.not(more);
                if !state.guard.add(&mut self.out.terms, fits) {
                    return Ok(None);
                }
                (UNKNOWN_SIZE, Some(size))
            }
        };
        if bytes >= LARGEST {
            self.limit(ctx, state, LimitKind::Gap("a very large object".into()));
            return Ok(None);
        }
        let site = self.site(ctx);
        let nth = ctx.counts.entry(site).or_default();
        *nth += 1;
        let name = ObjectName::Made { thread: ctx.key, site, nth: *nth, size: bytes as u64 };
        let object = self.add_object(name, bytes as u64, align, Contents::Unwritten, Some(ctx.id));
        let info = &mut self.objects[object];
        info.private = private;
        info.exact_size = exact_size;
        info.made = Some(state.guard.term());
        info.fresh = state.concurrent.then_some(state.guard.term());
        self.out.threads[ctx.id].made.push(Made { guard: state.guard.term(), object });
        Ok(Some(self.address(object, 0)))
    }

    /// A local comes into scope again: what it holds is unknown, also if it held something before.
    fn begin_scope(&mut self, state: &mut State, p: Term) {
        let Some(address) = self.out.terms.as_const(p).and_then(|a| u64::try_from(a).ok()) else { return };
        let Some(object) = self.know.object_at(address).and_then(|k| self.object_with_key(k)) else { return };
        let cells: Vec<CellId> = self.objects[object].cells.values().copied().collect();
        for cell in cells {
            if matches!(state.store.get(cell), Content::Known(_)) {
                let Cell { offset, bytes, .. } = self.out.cells[cell];
                let value = self.first_value(object, offset, bytes);
                state.store.set(cell, Content::Known(value));
            }
        }
    }

    fn heap_size(&mut self, ctx: &Ctx, state: &mut State, p: Term) -> Option<Term> {
        let targets = self.targets_here(ctx, state, p);
        let known = self.out.terms.not(targets.lost);
        if !state.guard.add(&mut self.out.terms, known) {
            return None;
        }
        let width = self.pointer_width();
        let mut size = None;
        for target in targets.list.iter() {
            let own = match self.objects[target.object].exact_size {
                Some(size) => self.out.terms.resize_unsigned(size, width),
                None => self.out.terms.constant(width, self.objects[target.object].size as u128),
            };
            size = Some(match size {
                Some(rest) => self.out.terms.ite(target.condition, own, rest),
                None => own,
            });
        }
        size
    }
}
