//! Whether a program can observe that freed memory, or the id of an ended thread, is reused: only then do the models
//! reuse it.
//!
//! Only their lifetimes distinguish a new object from the old one at the same address. A program that never compares
//! addresses for equality, by a comparison or a compare-exchange, cannot observe the reuse of memory; one that never
//! asks for thread ids cannot observe the reuse of ids.

use std::collections::HashSet;
use tp_ir::{Body, CastOp, CmpOp, Const, ModelEffect, Op, Operand, OperandKind, Origin, Program, Reg, Type};

/// Lets the models reuse memory and ids where the program can observe it, if that is `allowed` at all.
pub fn decide(program: &mut Program, allowed: bool) {
    let (memory, ids) = (can_tell(program), can_tell_ids(program));
    tp_ir::decide_option(program, tp_ir::REUSE, (allowed && memory).into());
    tp_ir::decide_option(program, tp_ir::REUSE_IDS, (allowed && ids).into());
}

/// Whether the program compares thread ids, or gets one to compare.
pub fn can_tell_ids(program: &Program) -> bool {
    program.has_effect(ModelEffect::ThreadId)
}

pub fn can_tell(program: &Program) -> bool {
    // What the library's headers compare are mostly iterators of one container, which belong to the same object.
    bodies(program, Origin::User).any(|body| compares_addresses(program, body))
        || bodies(program, Origin::Library).any(|body| exchanges_addresses(program, body))
}

/// Whether the headers of the C++ library compare addresses for equality.
pub fn library_compares(program: &Program) -> bool {
    bodies(program, Origin::Library).any(|body| compares_addresses(program, body))
}

fn bodies(program: &Program, origin: Origin) -> impl Iterator<Item = &Body> {
    program.functions.values().filter(move |f| f.origin == origin).filter_map(|f| f.body.as_ref())
}

/// Whether both are computed from the same address, as in the loops that construct the elements of an array: then they lie
/// in the same object.
fn are_in_one_object(body: &Body, a: Operand, b: Operand) -> bool {
    let (a, b) = (origins(body, a), origins(body, b));
    a.len() == 1 && a == b
}

/// The operands that an address is computed from, by additions and jumps.
fn origins(body: &Body, address: Operand) -> HashSet<Operand> {
    let (mut found, mut seen, mut stack) = (HashSet::new(), HashSet::new(), vec![address]);
    while let Some(operand) = stack.pop() {
        if !seen.insert(operand) {
            continue;
        }
        let from = operand.as_reg().map(|reg| sources(body, reg)).unwrap_or_default();
        if from.is_empty() {
            found.insert(operand);
        }
        stack.extend(from);
    }
    found
}

fn sources(body: &Body, reg: Reg) -> Vec<Operand> {
    for (id, block) in &body.blocks {
        if let Some(inst) = block.insts.iter().find(|inst| inst.result == Some(reg)) {
            return match inst.op {
                Op::PtrAdd { base, .. } => vec![base],
                _ => Vec::new(),
            };
        }
        if let Some(i) = block.params.iter().position(|&param| param == reg) {
            let mut from = Vec::new();
            for other in body.blocks.values() {
                other.terminator.each_target(|target| {
                    from.extend(target.args.get(i).filter(|_| target.block == id).copied());
                });
            }
            return from;
        }
    }
    Vec::new()
}

fn exchanges_addresses(program: &Program, body: &Body) -> bool {
    let pointer = program.data_model.pointer_width();
    let mut insts = body.blocks.values().flat_map(|block| &block.insts);
    insts.any(|inst| matches!(&inst.op, Op::CmpXchg { ty, .. } if ty.width(program.data_model) == pointer))
}

fn compares_addresses(program: &Program, body: &Body) -> bool {
    let pointer = program.data_model.pointer_width();
    let insts = || body.blocks.values().flat_map(|block| &block.insts);
    let makes_numbers = insts().any(|i| matches!(i.op, Op::Cast { op: CastOp::PtrToInt, .. }));
    let is_address = |operand: Operand| match operand.kind() {
        OperandKind::Reg(r) => body.regs[r].ty == Type::Ptr || makes_numbers,
        OperandKind::Const(c) => matches!(program.constants[c], Const::Global { .. }),
    };
    insts().any(|inst| match &inst.op {
        Op::Cmp { op: CmpOp::Eq | CmpOp::Ne, width, a, b } => {
            *width == pointer && is_address(*a) && is_address(*b) && !are_in_one_object(body, *a, *b)
        }
        Op::CmpXchg { ty, .. } => ty.width(program.data_model) == pointer,
        _ => false,
    })
}
