//! Which lines use atomics whose memory orders are weaker than sequential consistency, for the ledger.

use std::collections::{BTreeSet, HashSet};
use tp_ir::{
    Callee, Const, FuncId, Function, Inst, ModelEffect, Op, Operand, OperandKind, Origin, PlaceId, Program,
};
use tp_report::SourceSpot;

const SEQ_CST: u128 = 5;

/// Lines of the user's code, in order; none without threads.
pub fn weak(program: &Program) -> Vec<SourceSpot> {
    if !program.starts_threads() {
        return Vec::new();
    }
    let through = library(program);
    let calls = |inst: &Inst| called(program, &inst.op).is_some_and(|f| through.contains(&f));
    let mut places = places(program, Origin::User, |inst| is_weak(program, &inst.op) || calls(inst));
    if places.is_empty() {
        // They are only called through pointers.
        places = self::places(program, Origin::Library, |inst| is_weak(program, &inst.op));
    }
    let line = |place| tp_report::spot(program, place).map(|spot| SourceSpot { column: 0, ..spot });
    let lines: BTreeSet<SourceSpot> = places.into_iter().filter_map(line).collect();
    lines.into_iter().collect()
}

fn insts(function: &Function) -> impl Iterator<Item = &Inst> {
    function.body.iter().flat_map(|body| body.blocks.values()).flat_map(|block| &block.insts)
}

fn places(program: &Program, origin: Origin, wanted: impl Fn(&Inst) -> bool) -> Vec<PlaceId> {
    let functions = program.functions.values().filter(|f| f.origin == origin);
    functions.flat_map(insts).filter(|inst| wanted(inst)).map(|inst| inst.place).collect()
}

/// The functions of the library's headers that may use weaker orders, themselves or in functions that they call.
fn library(program: &Program) -> HashSet<FuncId> {
    let functions = || program.functions.iter().filter(|(_, f)| f.origin == Origin::Library);
    let mut found = HashSet::new();
    loop {
        let before = found.len();
        for (id, function) in functions() {
            let calls = |inst: &Inst| called(program, &inst.op).is_some_and(|f| found.contains(&f));
            if insts(function).any(|inst| is_weak(program, &inst.op) || calls(inst)) {
                found.insert(id);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The function that a call may use weaker orders in: as in `std::atomic<int>::load(std::memory_order)`, an order is the last
/// argument, and each function is made for all of them.
fn called(program: &Program, op: &Op) -> Option<FuncId> {
    let Op::Call(call) = op else { return None };
    let Callee::Direct(callee) = call.callee else { return None };
    let asks_for_all = call.args.last().is_some_and(|&order| is_seq_cst(program, order));
    (!asks_for_all).then_some(callee)
}

fn is_seq_cst(program: &Program, order: Operand) -> bool {
    match order.kind() {
        OperandKind::Const(c) => matches!(program.constants[c], Const::Int { bits: SEQ_CST, .. }),
        OperandKind::Reg(_) => false,
    }
}

fn is_weak(program: &Program, op: &Op) -> bool {
    op.is_weaker_than_seq_cst() || calls_with_weak_order(program, op)
}

/// Atomic objects of sizes that the processor does not support are accessed by functions; the memory orders are their
/// last arguments.
fn calls_with_weak_order(program: &Program, op: &Op) -> bool {
    let Op::Call(call) = op else { return false };
    let Callee::Direct(callee) = call.callee else { return false };
    let callee = &program.functions[callee];
    let orders = callee.effects.iter().find_map(|effect| match effect {
        ModelEffect::MemoryOrders(count) => Some(*count),
        _ => None,
    });
    call.args.iter().rev().take(orders.unwrap_or(0)).any(|&order| !is_seq_cst(program, order))
}
