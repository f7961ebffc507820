//! What the ledger says of a program, whichever engine answers: the features that a verdict rests on.

use crate::assumption::Assumptions;
use crate::{orders, unchecked};
use tp_ir::{
    BinOp, CastOp, Checks, CmpOp, Const, Init, Inst, ModelEffect, Op, Operand, OperandKind, Origin, Program,
    Property, SyncEffect,
};
use tp_report::Ledger;

/// The checks without those that make no sense for the program, unless nothing else is left.
pub fn meaningful(program: &Program, checks: Checks) -> Checks {
    let others = checks.without(Property::Signal);
    if others == Checks::NONE || tp_frontend::can_have_handlers(program) { checks } else { others }
}

/// The ledger of these checks, for a program that was loaded under these assumptions.
pub fn ledger(program: &Program, checks: Checks, assumptions: &Assumptions) -> Ledger {
    let mut ledger = Ledger::new(checks, assumptions.spurious_wakeups, assumptions.spurious_failures);
    ledger.uses_conditions = uses_conditions(program);
    ledger.uses_weak_exchange = uses_weak_exchange(program);
    ledger.undefined_variables = undefined_variables(program);
    ledger.unchecked = unchecked::of(program);
    ledger.weak_orders = orders::weak(program);
    ledger.never_fail = never_fail(program);
    ledger.cancels = program.has_effect(ModelEffect::Cancel);
    ledger.looks_at_clock = program.has_effect(ModelEffect::Clock);
    let compares = tp_frontend::compares_addresses(program);
    ledger.reuse = (compares && program.has_effect(ModelEffect::Free)).then_some(assumptions.reuse);
    let may_tell =
        makes_numbers(program) || orders_pointers(program) || program.has_effect(ModelEffect::CompareBytes);
    let frees_for_good = !compares && program.has_effect(ModelEffect::Free);
    ledger.only_library_compares = frees_for_good && tp_frontend::library_compares_addresses(program);
    ledger.frees_for_good = frees_for_good && may_tell && !ledger.only_library_compares;
    ledger.moves_enlarged = compares && program.has_effect(ModelEffect::Enlarge);
    ledger.compares_addresses = compares_ends(program);
    ledger.endless = endless(program);
    ledger.compares_locals = compares && has_shared_locals(program);
    ledger.repeats_seeds = tp_frontend::repeats_seeds(program);
    ledger.compares_threads = !assumptions.reuse && tp_frontend::compares_thread_ids(program);
    ledger.files = program.has_effect(ModelEffect::FileNames).then(|| assumptions.files.clone());
    let opens = program.has_effect(ModelEffect::FileNames) || program.has_effect(ModelEffect::Open);
    ledger.no_io_errors = opens && !assumptions.io_errors;
    ledger.stdin = assumptions.stdin.clone();
    let connects = program.has_effect(ModelEffect::Connections);
    ledger.connections = connects.then(|| assumptions.connections.clone());
    let handlers = tp_frontend::can_have_handlers(program);
    ledger.signals =
        (handlers || program.has_effect(ModelEffect::Signals)).then_some(!assumptions.no_signals);
    if !handlers {
        ledger.not_checked.retain(|word| *word != Property::Signal.word());
    }
    ledger.assumed_pure = assumptions.pure.clone();
    ledger.optimised = assumptions.optimised.clone();
    ledger
}

fn undefined_variables(program: &Program) -> Vec<Box<str>> {
    let undefined = program.globals.values().filter(|g| g.init == Init::Unknown && g.origin == Origin::User);
    undefined.map(|g| g.name.clone()).collect()
}

/// The functions that can fail for lack of memory or threads, in the order of the models.
fn never_fail(program: &Program) -> Vec<Box<str>> {
    let mut all: Vec<_> = program.functions.values().filter(|f| f.does(ModelEffect::CanFail)).collect();
    all.sort_by_key(|f| {
        let place = &program.places[f.place];
        (&program.files[place.file], place.line)
    });
    all.into_iter().map(|f| f.name.clone()).collect()
}

/// Whether the user's code compares the result of pointer arithmetic, which may point to the end of an object.
fn compares_ends(program: &Program) -> bool {
    let users = program.functions.values().filter(|f| f.origin != Origin::Model);
    users.filter_map(|f| f.body.as_ref()).any(|body| {
        let insts = || body.blocks.values().flat_map(|b| &b.insts);
        let is_moved = |inst: &&Inst| matches!(inst.op, Op::PtrAdd { .. });
        let moved: Vec<_> = insts().filter(is_moved).flat_map(Inst::results).collect();
        let may_be_end = |operand: Operand| match operand.kind() {
            OperandKind::Reg(r) => moved.contains(&r),
            OperandKind::Const(c) => match program.constants[c] {
                Const::Global { global, offset } => offset as u64 == program.globals[global].size,
                _ => false,
            },
        };
        insts().any(|inst| match inst.op {
            Op::Cmp { op: CmpOp::Eq | CmpOp::Ne, a, b, .. } => may_be_end(a) || may_be_end(b),
            _ => false,
        })
    })
}

/// The endless loops of the user's code: `tp_ir::promote` has turned them into assumptions that do not hold.
fn endless(program: &Program) -> Vec<tp_report::SourceSpot> {
    let users = program.functions.values().filter(|f| f.origin == Origin::User);
    let insts = users.filter_map(|f| f.body.as_ref()).flat_map(|b| b.blocks.values()).flat_map(|b| &b.insts);
    let is_endless = |inst: &&Inst| match inst.op {
        Op::Assume { cond } => cond.as_const().is_some(),
        _ => false,
    };
    insts.filter(is_endless).filter_map(|inst| tp_report::spot(program, inst.place)).collect()
}

/// Whether the address of some local leaves its function, and the function may end before the program does.
fn has_shared_locals(program: &Program) -> bool {
    let users = program.functions.values().filter(|f| f.origin != Origin::Model && &*f.name != "main");
    let mut insts =
        users.filter_map(|f| f.body.as_ref()).flat_map(|b| b.blocks.values()).flat_map(|b| &b.insts);
    insts.any(|inst| matches!(inst.op, Op::Alloca { private: false, .. }))
}

/// Whether the user's code may compute with addresses as numbers. The difference of two addresses does not count.
pub fn sees_addresses(program: &Program) -> bool {
    let users = program.functions.values().filter(|f| f.origin != Origin::Model);
    users.filter_map(|f| f.body.as_ref()).any(|body| {
        let insts = || body.blocks.values().flat_map(|b| &b.insts);
        let is_number = |i: &&Inst| makes_number(program, i);
        let numbers: Vec<_> = insts().filter(is_number).flat_map(Inst::results).collect();
        let is_address = |o: Operand| matches!(o.kind(), OperandKind::Reg(r) if numbers.contains(&r));
        insts().any(|i| match i.op {
            Op::Binary { op: BinOp::Sub, a, b, .. } => is_address(a) != is_address(b),
            _ => {
                let mut uses = false;
                i.op.each_operand(|o, _| uses |= is_address(*o));
                uses
            }
        })
    })
}

/// Whether the user's code turns addresses into numbers, by a cast or to subtract them.
fn makes_numbers(program: &Program) -> bool {
    let users = program.functions.values().filter(|f| f.origin != Origin::Model);
    let blocks = users.filter_map(|f| f.body.as_ref()).flat_map(|body| body.blocks.values());
    blocks.flat_map(|b| &b.insts).any(|i| makes_number(program, i))
}

/// A pointer to a member function of C++ holds the address of the function as a number. Where functions lie does not depend
/// on the execution.
fn makes_number(program: &Program, inst: &Inst) -> bool {
    let is_function = |operand: Operand| match operand.kind() {
        OperandKind::Const(c) => matches!(program.constants[c], Const::Function(_)),
        OperandKind::Reg(_) => false,
    };
    matches!(inst.op, Op::Cast { op: CastOp::PtrToInt, a, .. } if !is_function(a))
}

/// Whether the user's code asks which of two pointers comes first in memory.
fn orders_pointers(program: &Program) -> bool {
    let users = program.functions.values().filter(|f| f.origin != Origin::Model);
    users.filter_map(|f| f.body.as_ref()).any(|body| {
        let is_pointer =
            |operand: Operand| operand.as_reg().is_some_and(|reg| body.regs[reg].ty == tp_ir::Type::Ptr);
        body.blocks.values().flat_map(|b| &b.insts).any(|inst| match inst.op {
            Op::Cmp { op: CmpOp::Eq | CmpOp::Ne, .. } => false,
            Op::Cmp { a, b, .. } => is_pointer(a) || is_pointer(b),
            _ => false,
        })
    })
}

/// Whether the program waits with one of the functions whose model can wake up spuriously.
fn uses_conditions(program: &Program) -> bool {
    let waits = |effect: &ModelEffect| matches!(effect, ModelEffect::Sync(SyncEffect::Wait(_)));
    program.functions.values().any(|f| f.effects.iter().any(waits))
}

fn uses_weak_exchange(program: &Program) -> bool {
    let bodies = program.functions.values().filter_map(|f| f.body.as_ref());
    let mut instructions = bodies.flat_map(|b| b.blocks.values()).flat_map(|b| &b.insts);
    instructions.any(|i| matches!(i.op, Op::CmpXchg { fails: Some(_), .. }))
}
