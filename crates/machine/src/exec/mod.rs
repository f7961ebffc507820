//! One thread, instruction by instruction, up to its next step.
//!
//! `advance` is the interpreter's loop. What instructions compute is `tp_ir::eval`; what memory does is `memory`; this
//! file connects them, decides what is a step, and keeps account of what each access means for other threads.

mod access;
mod arithmetic;
mod copy;
mod op;
mod symbolic;
mod unknown;

use crate::machine::{Machine, Pause, StepStop};
use crate::thread::Thread;
use crate::value::{ObjectRef, Value};
use tp_ir::{Call, Callee, CastOp, Op, Operand, Target, Terminator, Type, Width, eval};

/// Whether an instruction was executed or is a step that has to wait for its turn.
#[derive(PartialEq, Eq)]
pub(crate) enum Done {
    Yes,
    /// It is executed again: a long copy has more to do.
    Again,
    /// A call has pushed a frame.
    OtherFrame,
    NotYet,
    ThreadEnded,
}

impl<'p> Machine<'p, '_> {
    /// Executes a thread until it is about to take a step that it may not take yet. With `permit` it may take one.
    #[expect(clippy::too_many_lines, reason = "the plainest instructions, in one loop that stays fast")]
    pub fn advance(&mut self, t: &mut Thread<'p>, mut permit: bool) -> Result<Pause, StepStop> {
        'frames: loop {
            let Some(&frame) = t.frames.last() else {
                if t.atomic_depth > 0 {
                    t.atomic_depth = 0;
                    self.commit_atomic(t)?;
                }
                return Ok(Pause::Ended);
            };
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
                            let c = t.get(base, &self.state.constants, *cond);
                            if !c.is_plain() {
                                if c.is_uninit() {
                                    return Err(self.uninitialised(t, *cond));
                                }
                                self.decided(c);
                            }
                            if c.bits & 1 == 1 { then } else { otherwise }
                        }
                        Terminator::Switch(switch) => {
                            let v = t.get(base, &self.state.constants, switch.value);
                            if switch.width.bits() <= 64 && !v.is_plain() {
                                if v.is_uninit() {
                                    return Err(self.uninitialised(t, switch.value));
                                }
                                self.switched(v, switch.width, switch.cases.iter().map(|(case, _)| *case));
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
                        let (x, y) =
                            (t.get(base, &self.state.constants, *a), t.get(base, &self.state.constants, *b));
                        if x.is_plain() && y.is_plain() {
                            match eval::binary::<u64>(*op, *width, x.bits, y.bits, *checked) {
                                Ok(v) => Value::int(v),
                                Err(error) => {
                                    t.frames[top].pc = pc;
                                    self.arithmetic_error(
                                        t,
                                        error,
                                        (*op, *width),
                                        (x.wide(*width), y.wide(*width)),
                                    )?
                                }
                            }
                        } else {
                            t.frames[top].pc = pc;
                            self.binary_on_addresses(t, (*op, *width, *checked), (*a, x), (*b, y))?
                        }
                    }
                    Op::Cmp { op, width, a, b } if width.bits() <= 64 => {
                        let (x, y) =
                            (t.get(base, &self.state.constants, *a), t.get(base, &self.state.constants, *b));
                        if x.is_plain() && y.is_plain() {
                            Value::int(eval::compare::<u64>(*op, *width, x.bits, y.bits) as u64)
                        } else {
                            if x.is_uninit() || y.is_uninit() {
                                t.frames[top].pc = pc;
                                return Err(self.uninitialised(t, if x.is_uninit() { *a } else { *b }));
                            }
                            self.compare(*op, *width, x, y)
                        }
                    }
                    Op::Cast { op: CastOp::Trunc, to: Type::Int(to), from: Type::Int(from), a }
                        if from.bits() <= 64 =>
                    {
                        let v = t.get(base, &self.state.constants, *a);
                        let bits = eval::truncate(v.bits, *to);
                        if v.is_plain() {
                            Value::int(bits)
                        } else if v.term().is_some() {
                            self.resized(v, bits, *to, false)
                        } else if v.is_uninit() || to.bits() >= 32 {
                            v.with_bits(bits)
                        } else {
                            Value::int(bits)
                        }
                    }
                    Op::Cast { op: CastOp::ZExt, to: Type::Int(to), a, .. } if to.bits() <= 64 => {
                        let v = t.get(base, &self.state.constants, *a);
                        if v.term().is_none() { v } else { self.resized(v, v.bits, *to, false) }
                    }
                    Op::Cast { op: CastOp::SExt, to: Type::Int(to), from: Type::Int(from), a }
                        if to.bits() <= 64 =>
                    {
                        let v = t.get(base, &self.state.constants, *a);
                        let bits = eval::truncate(eval::sign_extend(v.bits, *from), *to);
                        if v.term().is_none() { v.with_bits(bits) } else { self.resized(v, bits, *to, true) }
                    }
                    Op::PtrAdd { base: pointer, index, width, scale } if width.bits() <= 64 => {
                        let (p, i) = (
                            t.get(base, &self.state.constants, *pointer),
                            t.get(base, &self.state.constants, *index),
                        );
                        if p.is_uninit() || i.is_uninit() {
                            t.frames[top].pc = pc;
                            return Err(self.uninitialised(t, if p.is_uninit() { *pointer } else { *index }));
                        }
                        let (p, i) = (self.decided(p), self.decided(i));
                        let offset = eval::sign_extend(i.bits, *width).wrapping_mul(*scale as u64);
                        let mask = eval::mask::<u64>(self.program.data_model.pointer_width());
                        p.with_bits(p.bits.wrapping_add(offset) & mask)
                    }
                    Op::Load { ty, ptr, order } => {
                        t.frames[top].pc = pc;
                        match self.load(t, *ty, *ptr, *order, &mut permit)? {
                            Some(value) => value,
                            None => {
                                self.instructions -= 1;
                                return Ok(Pause::AtStep);
                            }
                        }
                    }
                    Op::Store { ty, ptr, value, order } => {
                        t.frames[top].pc = pc;
                        if !self.store(t, *ty, (*ptr, *value), *order, &mut permit)? {
                            self.instructions -= 1;
                            return Ok(Pause::AtStep);
                        }
                        pc += 1;
                        continue;
                    }
                    Op::Select { cond, a, b } => {
                        let c = t.get(base, &self.state.constants, *cond);
                        if c.is_plain() {
                            t.get(base, &self.state.constants, if c.bits & 1 == 1 { *a } else { *b })
                        } else if c.is_uninit() {
                            t.frames[top].pc = pc;
                            return Err(self.uninitialised(t, *cond));
                        } else {
                            self.select(t, c, *a, *b)
                        }
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
    pub(crate) fn jump(&mut self, t: &mut Thread<'p>, base: usize, target: &Target) {
        let Some(frame) = t.frames.last() else { return };
        let params = &frame.body.blocks[target.block].params;
        match (&*target.args, &params[..]) {
            ([], _) => {}
            ([arg], [param]) => {
                let v = t.get(base, &self.state.constants, *arg);
                t.set(base, *param, v);
            }
            (args, params) => {
                // Parameters may be arguments too: read all before the first is written.
                let mut values = [Value::ZERO; 16];
                if args.len() <= values.len() {
                    for (v, arg) in values.iter_mut().zip(args) {
                        *v = t.get(base, &self.state.constants, *arg);
                    }
                    for (param, v) in params.iter().zip(&values[..args.len()]) {
                        t.set(base, *param, *v);
                    }
                } else {
                    let values: Vec<Value> =
                        args.iter().map(|a| t.get(base, &self.state.constants, *a)).collect();
                    for (param, v) in params.iter().zip(values) {
                        t.set(base, *param, v);
                    }
                }
            }
        }
    }

    /// Ends a local, unless it has ended before: with its scope, or with its function.
    #[inline]
    pub(crate) fn end_local(&mut self, t: &Thread<'p>, r: ObjectRef, with_scope: bool) {
        if !self.state.memory.is_live(r) {
            return;
        }
        self.watch.touched.ends(&self.state.memory, r);
        if with_scope {
            self.note_end(t, r);
            self.state.memory.end_scope(r);
        } else {
            self.state.memory.end(r, None);
        }
    }

    /// Returns from the top frame. The caller's `pc` is still at the call.
    pub(crate) fn leave(&mut self, t: &mut Thread<'p>, values: &'p [Operand]) {
        t.about_to_return();
        self.note_return(t);
        let Some(frame) = t.pop_frame() else { return };
        while t.locals.len() > frame.locals {
            if let Some(r) = t.locals.pop() {
                self.end_local(t, r, false);
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
                        values.get(i).map_or(Value::UNINIT, |v| t.get(frame.base, &self.state.constants, *v));
                    t.set(to, result, value);
                }
            }
        }
        t.regs.truncate(frame.base);
    }

    pub(crate) fn get(&self, t: &Thread<'p>, operand: Operand) -> Value {
        let base = t.frames.last().map_or(0, |f| f.base);
        t.get(base, &self.state.constants, operand)
    }

    /// The value of an operand that decides something: it must have been written.
    #[inline]
    pub(crate) fn used(&self, t: &Thread<'p>, operand: Operand) -> Result<Value, StepStop> {
        let v = self.get(t, operand);
        if v.is_concrete() { Ok(v) } else { self.used_symbolic(t, operand, v) }
    }

    #[cold]
    fn used_symbolic(&self, t: &Thread<'p>, operand: Operand, v: Value) -> Result<Value, StepStop> {
        if v.is_uninit() { Err(self.uninitialised(t, operand)) } else { Ok(self.decided(v)) }
    }

    pub(crate) fn length(&self, t: &Thread<'p>, operand: Operand, width: Width) -> Result<u64, StepStop> {
        Ok(eval::truncate(self.used(t, operand)?.bits, width))
    }

    pub(crate) fn call(&mut self, t: &mut Thread<'p>, call: &'p Call) -> Result<(), StepStop> {
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
                match self.state.memory.function_at(p) {
                    Some(function) => self.enter(t, function, args, true),
                    None => Err(self.bad_call(t, p)),
                }
            }
        }
    }
}
