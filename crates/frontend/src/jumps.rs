//! `setjmp` and `longjmp`, written as what they do, so that nothing else has to know of jumps.
//!
//! `longjmp` notes where it goes to (models/jump.c). After each call that a jump may leave, the function looks whether one
//! is on its way. If so it returns at once, unless the jump is for its own frame: then it goes on after that `setjmp`. So
//! values that were computed before a `setjmp` may be used after it without being computed in between: in functions that
//! call it, registers that are used in other blocks become locals; `tp_ir::promote` makes them registers again.

use tp_ir::{
    Block, BlockId, Body, Call, Callee, CastOp, Const, ConstId, EntityRef, FuncId, Function, Inst, LocalInfo,
    MemoryOrder, ModelEffect, Op, Operand, Origin, PlaceId, PrimaryMap, Program, Reg, RegInfo, Switch,
    Target, Terminator, Type, Width,
};

/// The functions of the models that the code for jumps calls, in the order of `Helpers`.
pub const HELPERS: [&str; 6] = [
    "__tpm_enter_frame",
    "__tpm_leave_frame",
    "__tpm_jump_target",
    "__tpm_jump_place",
    "__tpm_jump_value",
    "__tpm_set_jump",
];

struct Helpers {
    enter: FuncId,
    leave: FuncId,
    target: FuncId,
    place: FuncId,
    value: FuncId,
    set: FuncId,
}

impl Helpers {
    fn of(program: &Program) -> Option<Helpers> {
        let find = |name: &str| {
            let is_it = |f: &Function| f.origin == Origin::Model && f.embedded && *f.name == *name;
            program.functions.iter().find(|(_, f)| is_it(f)).map(|(id, _)| id)
        };
        let [enter, leave, target, place, value, set] = HELPERS.map(find);
        Some(Helpers {
            enter: enter?,
            leave: leave?,
            target: target?,
            place: place?,
            value: value?,
            set: set?,
        })
    }
}

/// Writes the jumps of the program as calls and returns.
pub fn lower(program: &mut Program) {
    if !program.has_effect(ModelEffect::Jump) {
        return;
    }
    let Some(helpers) = Helpers::of(program) else { return };
    let may_jump = functions_that_jump(program);
    let by_pointer = is_called_by_pointer(program, &may_jump);
    let sets: Vec<bool> = program.functions.values().map(|f| f.does(ModelEffect::SetJump)).collect();
    let ids: Vec<FuncId> = program.functions.iter().map(|(id, _)| id).collect();
    let pointer = program.data_model.pointer_width();
    for id in ids {
        let Program { functions, constants, data_model, .. } = program;
        let function = &mut functions[id];
        let (place, results) = (function.place, function.results.clone());
        let Some(body) = function.body.as_mut() else { continue };
        let kind = |inst: &Inst| match &inst.op {
            Op::Call(call) => match call.callee {
                Callee::Direct(f) if sets[f.index()] => Kind::Sets,
                Callee::Direct(f) if may_jump[f.index()] => Kind::MayJump,
                Callee::Indirect(_) if by_pointer => Kind::MayJump,
                _ => Kind::Other,
            },
            _ => Kind::Other,
        };
        let has = |wanted: Kind| body.blocks.values().flat_map(|b| &b.insts).any(|i| kind(i) == wanted);
        let has_set = has(Kind::Sets);
        if !has_set && !has(Kind::MayJump) {
            continue;
        }
        let bytes = |ty: Type| u128::from(ty.bytes(*data_model));
        let frame = has_set.then(|| Reg::new(0));
        let mut writer =
            Writer { body, constants, helpers: &helpers, pointer, place, frame, after: Vec::new() };
        writer.rewrite(&kind, &results);
        if has_set {
            writer.keep_values_in_locals(bytes);
        }
    }
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Kind {
    Sets,
    MayJump,
    Other,
}

fn calls(function: &Function) -> impl Iterator<Item = &Call> {
    let insts = function.body.iter().flat_map(|b| b.blocks.values()).flat_map(|b| &b.insts);
    insts.filter_map(|inst| match &inst.op {
        Op::Call(call) => Some(&**call),
        _ => None,
    })
}

/// Whether a function that may jump is called through pointers, as far as one can see.
fn is_called_by_pointer(program: &Program, may_jump: &[bool]) -> bool {
    program.constants.values().any(|c| matches!(c, Const::Function(f) if may_jump[f.index()]))
}

/// By function: whether a jump may leave it.
fn functions_that_jump(program: &Program) -> Vec<bool> {
    let mut may_jump: Vec<bool> = program.functions.values().map(|f| f.does(ModelEffect::Jump)).collect();
    loop {
        let by_pointer = is_called_by_pointer(program, &may_jump);
        let mut is_new = false;
        for (id, function) in program.functions.iter() {
            let jumps = calls(function).any(|call| match call.callee {
                Callee::Direct(f) => may_jump[f.index()],
                Callee::Indirect(_) => by_pointer,
            });
            is_new |= jumps && !std::mem::replace(&mut may_jump[id.index()], true);
        }
        if !is_new {
            return may_jump;
        }
    }
}

struct Writer<'p> {
    body: &'p mut Body,
    constants: &'p mut PrimaryMap<ConstId, Const>,
    helpers: &'p Helpers,
    pointer: Width,
    place: PlaceId,
    /// The local that holds the number of the frame, in a function that calls `setjmp`.
    frame: Option<Reg>,
    /// The blocks after each `setjmp`; the parameter is what that returns.
    after: Vec<BlockId>,
}

impl Writer<'_> {
    fn register(&mut self, ty: Type) -> Reg {
        self.body.regs.push(RegInfo { ty, name: None })
    }

    fn number(&mut self, width: Width, bits: u128) -> Operand {
        self.constants.push(Const::Int { width, bits }).into()
    }

    /// A call of a helper, with its result if it has one.
    fn call(&mut self, callee: FuncId, args: Vec<Operand>, result: Option<Reg>) -> Inst {
        let call =
            Call { callee: Callee::Direct(callee), args: args.into(), results: result.into_iter().collect() };
        Inst { op: Op::Call(Box::new(call)), result: None, place: self.place }
    }

    fn inst(&self, op: Op, result: Option<Reg>) -> Inst {
        Inst { op, result, place: self.place }
    }

    fn block(&mut self, params: Vec<Reg>, insts: Vec<Inst>, terminator: Terminator) -> BlockId {
        self.body.blocks.push(Block { params, insts, terminator, terminator_place: self.place })
    }

    fn rewrite(&mut self, kind: &impl Fn(&Inst) -> Kind, results: &[Type]) {
        let begin = if self.frame.is_some() { self.begin_frame() } else { Vec::new() };
        let leave = self.block(Vec::new(), Vec::new(), Terminator::Unreachable);
        let blocks: Vec<BlockId> = self.body.blocks.iter().map(|(id, _)| id).collect();
        for id in blocks {
            self.split(id, leave, kind);
        }
        self.body.blocks[BlockId::new(0)].insts.splice(0..0, begin);
        self.fill_leave(leave, results);
    }

    /// The local for the number of the frame, and its value.
    fn begin_frame(&mut self) -> Vec<Inst> {
        let (frame, number) = (self.register(Type::Ptr), self.register(Type::Int(Width::W32)));
        self.frame = Some(frame);
        let info = Box::new(LocalInfo { name: Some("the frame of setjmp".into()), ty: None });
        let size = self.number(self.pointer, 4);
        let op = Op::Alloca { size, size_width: self.pointer, align: 4, private: false, info };
        let alloca = self.inst(op, Some(frame));
        let enter = self.call(self.helpers.enter, Vec::new(), Some(number));
        let (ty, order) = (Type::Int(Width::W32), MemoryOrder::Plain);
        let store = self.inst(Op::Store { ty, ptr: frame.into(), value: number.into(), order }, None);
        vec![alloca, enter, store]
    }

    /// Ends a block after each call that a jump may leave or come back to.
    fn split(&mut self, mut id: BlockId, leave: BlockId, kind: &impl Fn(&Inst) -> Kind) {
        if id == leave {
            return;
        }
        while let Some(at) = self.body.blocks[id].insts.iter().position(|inst| kind(inst) != Kind::Other) {
            let which = kind(&self.body.blocks[id].insts[at]);
            let rest = self.body.blocks[id].insts.split_off(at + 1);
            let terminator = std::mem::replace(&mut self.body.blocks[id].terminator, Terminator::Unreachable);
            let next = self.block(Vec::new(), rest, terminator);
            self.body.blocks[next].terminator_place = self.body.blocks[id].terminator_place;
            self.place = self.body.blocks[id].insts[at].place;
            match which {
                Kind::Sets => self.set(id, next),
                _ => self.look(id, next, leave),
            }
            id = next;
        }
        if self.frame.is_some() && matches!(self.body.blocks[id].terminator, Terminator::Return(_)) {
            let call = self.call(self.helpers.leave, Vec::new(), None);
            self.body.blocks[id].insts.push(call);
        }
    }

    /// The last instruction of `id` is a call of `setjmp`: it becomes a note of the place, and `next` gets its result.
    fn set(&mut self, id: BlockId, next: BlockId) {
        let Some(Inst { op: Op::Call(call), .. }) = self.body.blocks[id].insts.pop() else { return };
        let Some(frame) = self.frame else { return };
        let result = match call.results.first() {
            Some(result) => *result,
            None => self.register(Type::Int(Width::W32)),
        };
        let nth = self.after.len() as u128;
        let (nth, zero) = (self.number(Width::W32, nth), self.number(Width::W32, 0));
        let saves = call.args.get(1).copied().unwrap_or(zero);
        if let Some(&buffer) = call.args.first() {
            let set = self.call(self.helpers.set, vec![buffer, frame.into(), nth, saves], None);
            self.body.blocks[id].insts.push(set);
        }
        self.body.blocks[next].params = vec![result];
        self.after.push(next);
        self.body.blocks[id].terminator = Terminator::Jump(Target { block: next, args: [zero].into() });
    }

    /// Goes to `leave` if a jump is on its way.
    fn look(&mut self, id: BlockId, next: BlockId, leave: BlockId) {
        let (target, jumps) = (self.register(Type::Int(Width::W32)), self.register(Type::BOOL));
        let zero = self.number(Width::W32, 0);
        let call = self.call(self.helpers.target, Vec::new(), Some(target));
        let op = Op::Cmp { op: tp_ir::CmpOp::Ne, width: Width::W32, a: target.into(), b: zero };
        let compare = self.inst(op, Some(jumps));
        self.body.blocks[id].insts.extend([call, compare]);
        let to = |block: BlockId| Target { block, args: Box::default() };
        self.body.blocks[id].terminator =
            Terminator::Branch { cond: jumps.into(), then: to(leave), otherwise: to(next) };
    }

    /// Where a jump is on its way: goes on after a `setjmp` of this frame, or returns.
    fn fill_leave(&mut self, leave: BlockId, results: &[Type]) {
        let zeros: Vec<Operand> = results.iter().map(|ty| self.zero(*ty)).collect();
        let back = Terminator::Return(zeros.into());
        let Some(frame) = self.frame else {
            self.body.blocks[leave].terminator = back;
            return;
        };
        let call = self.call(self.helpers.leave, Vec::new(), None);
        let returns = self.block(Vec::new(), vec![call], back);
        let goes_on = self.dispatch();
        let word = Type::Int(Width::W32);
        let (target, own, is_own) = (self.register(word), self.register(word), self.register(Type::BOOL));
        let call = self.call(self.helpers.target, Vec::new(), Some(target));
        let load = self.inst(Op::Load { ty: word, ptr: frame.into(), order: MemoryOrder::Plain }, Some(own));
        let op = Op::Cmp { op: tp_ir::CmpOp::Eq, width: Width::W32, a: target.into(), b: own.into() };
        let compare = self.inst(op, Some(is_own));
        let to = |block: BlockId| Target { block, args: Box::default() };
        let block = &mut self.body.blocks[leave];
        block.insts = vec![call, load, compare];
        block.terminator =
            Terminator::Branch { cond: is_own.into(), then: to(goes_on), otherwise: to(returns) };
    }

    /// Goes on after the `setjmp` that the jump is for.
    fn dispatch(&mut self) -> BlockId {
        let (place, value) = (self.register(Type::Int(Width::W32)), self.register(Type::Int(Width::W32)));
        let calls = vec![
            self.call(self.helpers.place, Vec::new(), Some(place)),
            self.call(self.helpers.value, Vec::new(), Some(value)),
        ];
        let nowhere = self.block(Vec::new(), Vec::new(), Terminator::Unreachable);
        let to = |block: &BlockId| Target { block: *block, args: [value.into()].into() };
        let cases = self.after.iter().enumerate().map(|(i, block)| (i as u128, to(block))).collect();
        let default = Target { block: nowhere, args: Box::default() };
        let switch = Switch { value: place.into(), width: Width::W32, cases, default };
        self.block(Vec::new(), calls, Terminator::Switch(Box::new(switch)))
    }

    fn zero(&mut self, ty: Type) -> Operand {
        let constant = match ty {
            Type::Int(width) => Const::Int { width, bits: 0 },
            Type::F32 => Const::F32(0),
            Type::F64 => Const::F64(0),
            Type::Ptr => Const::Null,
        };
        self.constants.push(constant).into()
    }

    /// Registers that are used in another block than the one that sets them become locals. The first block dominates
    /// all others.
    fn keep_values_in_locals(&mut self, bytes: impl Fn(Type) -> u128) {
        let mut slots: Vec<Option<Reg>> = vec![None; self.body.regs.len()];
        for reg in self.registers_between_blocks() {
            let slot = self.register(Type::Ptr);
            slots[reg.index()] = Some(slot);
            let size = self.number(self.pointer, bytes(self.body.regs[reg].ty));
            let info = Box::new(LocalInfo { name: None, ty: None });
            let op = Op::Alloca { size, size_width: self.pointer, align: 16, private: false, info };
            let alloca = self.inst(op, Some(slot));
            self.body.blocks[BlockId::new(0)].insts.insert(0, alloca);
        }
        let blocks: Vec<BlockId> = self.body.blocks.iter().map(|(id, _)| id).collect();
        for id in blocks {
            let Block { params, insts, terminator, .. } = &mut self.body.blocks[id];
            let (params, old) = (params.clone(), std::mem::take(insts));
            let mut terminator = std::mem::replace(terminator, Terminator::Unreachable);
            let mut new = Vec::with_capacity(old.len());
            let mut own: Vec<Reg> = params.clone();
            params.iter().for_each(|reg| self.store(*reg, &slots, &mut new));
            for mut inst in old {
                self.place = inst.place;
                inst.op.each_operand_mut(|operand, _| self.load(operand, &slots, &own, &mut new));
                let results: Vec<Reg> = inst.results().collect();
                new.push(inst);
                results.iter().for_each(|reg| self.store(*reg, &slots, &mut new));
                own.extend(results);
            }
            terminator.each_operand_mut(|operand| self.load(operand, &slots, &own, &mut new));
            self.body.blocks[id].insts = new;
            self.body.blocks[id].terminator = terminator;
        }
    }

    fn registers_between_blocks(&self) -> Vec<Reg> {
        let mut home: Vec<Option<BlockId>> = vec![None; self.body.regs.len()];
        for (id, block) in self.body.blocks.iter().filter(|(id, _)| id.index() > 0) {
            let set = block.params.iter().copied().chain(block.insts.iter().flat_map(Inst::results));
            set.for_each(|reg| home[reg.index()] = Some(id));
        }
        let mut found = Vec::new();
        for (id, block) in self.body.blocks.iter() {
            let mut note = |operand: Operand| {
                if let Some(reg) = operand.as_reg()
                    && home[reg.index()].is_some_and(|home| home != id)
                    && !found.contains(&reg)
                {
                    found.push(reg);
                }
            };
            block.insts.iter().for_each(|inst| inst.op.each_operand(|operand, _| note(*operand)));
            block.terminator.clone().each_operand_mut(|operand| note(*operand));
        }
        found
    }

    /// One bit is kept as a byte.
    fn store(&mut self, reg: Reg, slots: &[Option<Reg>], to: &mut Vec<Inst>) {
        let Some(Some(slot)) = slots.get(reg.index()).copied() else { return };
        let (mut ty, mut value) = (self.body.regs[reg].ty, reg);
        if ty == Type::BOOL {
            let byte = Type::Int(Width::W8);
            let wide = self.register(byte);
            let op = Op::Cast { op: CastOp::ZExt, from: ty, to: byte, a: reg.into() };
            to.push(self.inst(op, Some(wide)));
            (ty, value) = (byte, wide);
        }
        let op = Op::Store { ty, ptr: slot.into(), value: value.into(), order: MemoryOrder::Plain };
        to.push(self.inst(op, None));
    }

    fn load(&mut self, operand: &mut Operand, slots: &[Option<Reg>], own: &[Reg], to: &mut Vec<Inst>) {
        let Some(reg) = operand.as_reg().filter(|reg| !own.contains(reg)) else { return };
        let Some(Some(slot)) = slots.get(reg.index()).copied() else { return };
        let ty = self.body.regs[reg].ty;
        let kept = if ty == Type::BOOL { Type::Int(Width::W8) } else { ty };
        let mut value = self.register(kept);
        to.push(self.inst(Op::Load { ty: kept, ptr: slot.into(), order: MemoryOrder::Plain }, Some(value)));
        if ty == Type::BOOL {
            let bit = self.register(ty);
            let op = Op::Cast { op: CastOp::Trunc, from: kept, to: ty, a: value.into() };
            to.push(self.inst(op, Some(bit)));
            value = bit;
        }
        *operand = value.into();
    }
}
