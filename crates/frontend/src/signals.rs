//! Whether signals can come, and where their handlers may run.
//!
//! A handler runs as a call in the thread that gets the signal. It may interrupt the thread anywhere, but only what it
//! interrupts between two steps makes a difference. So, if the program installs handlers, a *point* stands before each
//! access of its own code that other threads can observe, before each call of a model and each return to one, and in loops
//! that do nothing: a call of the model with the effect `signal-point`, which runs the handler or does nothing. Within a
//! model, a handler runs only where the model says so: where it waits.
//!
//! The argument of a point is null, or a message for the case that the point is in a handler: a call of a model follows
//! that is not `signal-safe`.

use crate::tables::c_string;
use tp_ir::cfg::Cfg;
use tp_ir::loops::LoopForest;
use tp_ir::{
    Block, Body, Call, Callee, Const, ConstId, EntityRef, FuncId, Function, Init, Inst, ModelEffect, Op,
    Operand, OperandKind, Origin, PlaceId, Program, Terminator, Type, Width,
};

/// The values of `__tp_option_signals`.
const MASKS: u32 = 1;
const HANDLERS: u32 = 2;

/// What `__tp_option_signals` has to be; `allowed`: signals can come.
pub fn level(program: &Program, allowed: bool) -> u32 {
    match allowed && program.has_effect(ModelEffect::Signals) {
        true if can_have_handlers(program) => HANDLERS,
        true => MASKS,
        false => 0,
    }
}

/// Sets the options of the models; `add_points` has to follow.
pub fn decide(program: &mut Program, allowed: bool) {
    let level = level(program, allowed);
    let (sends, threads) = (program.has_effect(ModelEffect::SendsSignals), program.starts_threads());
    tp_ir::decide_option(program, tp_ir::SIGNALS, level);
    tp_ir::decide_option(program, tp_ir::SENDS, sends.into());
    tp_ir::decide_option(program, tp_ir::THREADS, threads.into());
    if level == HANDLERS {
        add_points_in_empty_loops(program);
    }
}

/// Whether the program installs handlers that are functions of its own: it may just ignore signals.
pub fn can_have_handlers(program: &Program) -> bool {
    let is_handler = |f: &Function| {
        let first = f.params.first();
        f.origin == Origin::User && first.is_none_or(|ty| *ty == Type::Int(Width::W32))
    };
    program.has_effect(ModelEffect::Handlers)
        && program
            .constants
            .values()
            .any(|c| matches!(c, Const::Function(f) if is_handler(&program.functions[*f])))
}

fn point_function(program: &Program) -> Option<FuncId> {
    program.functions.iter().find(|(_, f)| f.does(ModelEffect::SignalPoint)).map(|(id, _)| id)
}

/// The call of a point.
fn point(function: FuncId, message: ConstId, place: PlaceId) -> Inst {
    let call =
        Call { callee: Callee::Direct(function), args: [message.into()].into(), results: Box::default() };
    Inst { op: Op::Call(Box::new(call)), result: None, place }
}

/// A loop without any instruction is left only by a handler.
fn add_points_in_empty_loops(program: &mut Program) {
    let Some(function) = point_function(program) else { return };
    let null = program.constants.push(Const::Null);
    let users = program.functions.values_mut().filter(|f| f.origin == Origin::User);
    for body in users.filter_map(|f| f.body.as_mut()) {
        let loops = LoopForest::new(&Cfg::new(body));
        let is_empty =
            |block: &Block| block.insts.is_empty() && matches!(block.terminator, Terminator::Jump(_));
        let empty = loops.ids().filter(|id| loops.blocks(*id).iter().all(|b| is_empty(&body.blocks[*b])));
        let heads: Vec<_> = empty.map(|id| loops.head(id)).collect();
        for head in heads {
            let place = body.blocks[head].terminator_place;
            body.blocks[head].insts.push(point(function, null, place));
        }
    }
}

/// Puts the points into a program whose locals are registers where possible.
pub fn add_points(program: &mut Program) {
    if option(program) != Some(HANDLERS) {
        return;
    }
    let Some(function) = point_function(program) else { return };
    let null = program.constants.push(Const::Null);
    let points = Points { function, null, messages: unsafe_functions(program), own: own(program) };
    let returns = returns_to_models(program);
    let Program { functions, constants, globals, .. } = program;
    let is_constant = |c: ConstId| match constants[c] {
        Const::Global { global, .. } => globals[global].constant,
        _ => false,
    };
    for (id, f) in functions.iter_mut().filter(|(_, f)| f.origin == Origin::User) {
        if let Some(body) = f.body.as_mut().filter(|body| !is_one_step(body)) {
            points.add(body, returns[id.index()], is_constant);
        }
    }
}

/// Whether the body is an atomic section, as that of `__VERIFIER_atomic_…`: no handler interrupts it.
fn is_one_step(body: &Body) -> bool {
    body.blocks.values().flat_map(|b| &b.insts).any(|inst| matches!(inst.op, Op::AtomicBegin))
}

/// By function: whether it is the program's own code.
fn own(program: &Program) -> Vec<bool> {
    program.functions.values().map(|f| f.origin != Origin::Model && f.body.is_some()).collect()
}

/// By function: whether models may call it: directly, as `main`, or through a pointer, as the routine of a thread.
fn returns_to_models(program: &Program) -> Vec<bool> {
    let mut returns = vec![false; program.functions.len()];
    for constant in program.constants.values() {
        if let Const::Function(f) = constant {
            returns[f.index()] = true;
        }
    }
    let models = program.functions.values().filter(|f| f.origin == Origin::Model);
    for inst in models.filter_map(|f| f.body.as_ref()).flat_map(|b| b.blocks.values()).flat_map(|b| &b.insts)
    {
        if let Some(f) = called(&inst.op) {
            returns[f.index()] = true;
        }
    }
    returns
}

struct Points {
    function: FuncId,
    null: ConstId,
    /// By function: the message for a call in a handler, of models that may not be called there.
    messages: Vec<Option<ConstId>>,
    own: Vec<bool>,
}

impl Points {
    fn add(&self, body: &mut Body, before_return: bool, is_constant: impl Fn(ConstId) -> bool) {
        let private = private_addresses(body);
        let is_shared = |ptr: &Operand| match ptr.kind() {
            OperandKind::Reg(reg) => !private[reg.index()],
            OperandKind::Const(c) => !is_constant(c),
        };
        for block in body.blocks.values_mut() {
            let mut insts = Vec::with_capacity(block.insts.len());
            for inst in std::mem::take(&mut block.insts) {
                if self.is_observable(&inst.op, is_shared) {
                    let message = called(&inst.op).and_then(|f| self.messages[f.index()]);
                    insts.push(point(self.function, message.unwrap_or(self.null), inst.place));
                }
                insts.push(inst);
            }
            if before_return && matches!(block.terminator, Terminator::Return(_)) {
                insts.push(point(self.function, self.null, block.terminator_place));
            }
            block.insts = insts;
        }
    }

    /// Whether a handler that runs before the instruction may see or do something else than one that runs after it.
    fn is_observable(&self, op: &Op, is_shared: impl Fn(&Operand) -> bool) -> bool {
        match op {
            Op::Load { ptr, .. } | Op::Store { ptr, .. } | Op::Rmw { ptr, .. } | Op::CmpXchg { ptr, .. } => {
                is_shared(ptr)
            }
            Op::Copy { dst, src, .. } => is_shared(dst) || is_shared(src),
            Op::Set { dst, .. } => is_shared(dst),
            Op::Call(call) => match call.callee {
                Callee::Direct(f) => !self.own[f.index()] && f != self.function,
                Callee::Indirect(_) => true,
            },
            _ => false,
        }
    }
}

fn option(program: &Program) -> Option<u32> {
    match &program.globals[program.global_named(tp_ir::SIGNALS)?].init {
        Init::Bytes { bytes, .. } => bytes.first().map(|b| (*b).into()),
        _ => None,
    }
}

fn called(op: &Op) -> Option<FuncId> {
    match op {
        Op::Call(call) => match call.callee {
            Callee::Direct(f) => Some(f),
            Callee::Indirect(_) => None,
        },
        _ => None,
    }
}

/// By register: whether it holds the address of a local that stays in the function.
fn private_addresses(body: &Body) -> Vec<bool> {
    let mut private = vec![false; body.regs.len()];
    loop {
        let mut is_new = false;
        for inst in body.blocks.values().flat_map(|b| &b.insts) {
            let Some(result) = inst.result else { continue };
            let of = |operand: Operand| operand.as_reg().is_some_and(|reg| private[reg.index()]);
            let is_private = match inst.op {
                Op::Alloca { private, .. } => private,
                Op::PtrAdd { base, .. } => of(base),
                Op::Select { a, b, .. } => of(a) && of(b),
                _ => false,
            };
            is_new |= is_private && !std::mem::replace(&mut private[result.index()], true);
        }
        if !is_new {
            return private;
        }
    }
}

/// By function: the message for a call in a handler, of models that may not be called there.
fn unsafe_functions(program: &mut Program) -> Vec<Option<ConstId>> {
    let is_unsafe = |f: &Function| f.embedded && f.body.is_some() && !f.does(ModelEffect::SignalSafe);
    let names: Vec<Option<Box<str>>> =
        program.functions.values().map(|f| is_unsafe(f).then(|| f.name.clone())).collect();
    let place = program.functions[program.entry].place;
    names
        .into_iter()
        .map(|name| {
            let text = format!("{} is not async-signal-safe", name?);
            let message = format!("__tp_message.{}", program.globals.len()).into();
            let global = program.globals.push(c_string(message, &text, place));
            Some(program.constants.push(Const::Global { global, offset: 0 }))
        })
        .collect()
}
