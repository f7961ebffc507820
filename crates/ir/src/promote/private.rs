//! Finds the locals whose address never leaves the function.
//!
//! An address may be moved (`PtrAdd`, `Select`, block parameters), compared, and used to access memory. Anything else
//! (a call, a store of it, a conversion to an integer, a return) lets it escape. The analysis goes backwards: a
//! register leaks if it escapes, or flows into a register that leaks. One fixpoint over the registers covers all locals
//! of the function; it is flow-insensitive.

use crate::{Body, Call, Callee, Op, Operand, Reg};
use cranelift_entity::EntityRef;

pub(super) fn mark(body: &mut Body) {
    if !body.blocks.values().flat_map(|b| &b.insts).any(|inst| matches!(inst.op, Op::Alloca { .. })) {
        return;
    }
    let leaks = leaking_registers(body, Flows::ThroughBlocks, |_, _| true);
    for inst in body.blocks.values_mut().flat_map(|block| &mut block.insts) {
        if let (Op::Alloca { private, .. }, Some(result)) = (&mut inst.op, inst.result) {
            *private = !leaks[result.index()];
        }
    }
}

/// What passing an address to a block parameter counts as.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Flows {
    /// A move.
    ThroughBlocks,
    /// A leak.
    WithinBlocks,
}

struct Flow {
    /// The registers whose value each register may be made from.
    sources: Vec<Vec<Reg>>,
    leaks: Vec<bool>,
    worklist: Vec<Reg>,
}

impl Flow {
    fn moves(&mut self, from: Operand, to: Option<Reg>) {
        if let (Some(from), Some(to)) = (from.as_reg(), to) {
            self.sources[to.index()].push(from);
        }
    }

    fn leak(&mut self, operand: Operand) {
        if let Some(reg) = operand.as_reg()
            && !std::mem::replace(&mut self.leaks[reg.index()], true)
        {
            self.worklist.push(reg);
        }
    }
}

/// `is_kept`: whether a call leaks this argument.
pub(super) fn leaking_registers(
    body: &Body,
    flows: Flows,
    is_kept: impl Fn(&Call, usize) -> bool,
) -> Vec<bool> {
    let count = body.regs.len();
    let mut flow = Flow { sources: vec![Vec::new(); count], leaks: vec![false; count], worklist: Vec::new() };
    for block in body.blocks.values() {
        for inst in &block.insts {
            uses(&mut flow, &inst.op, inst.result, &is_kept);
        }
        block.terminator.each_operand(|operand, _| flow.leak(operand));
        block.terminator.each_target(|target| {
            for (arg, param) in target.args.iter().zip(&body.blocks[target.block].params) {
                match flows {
                    Flows::ThroughBlocks => flow.moves(*arg, Some(*param)),
                    Flows::WithinBlocks => flow.leak(*arg),
                }
            }
        });
    }
    while let Some(reg) = flow.worklist.pop() {
        for source in std::mem::take(&mut flow.sources[reg.index()]) {
            flow.leak(source.into());
        }
    }
    flow.leaks
}

fn uses(flow: &mut Flow, op: &Op, result: Option<Reg>, is_kept: &impl Fn(&Call, usize) -> bool) {
    match op {
        Op::Call(call) => {
            if let Callee::Indirect(target) = call.callee {
                flow.leak(target);
            }
            let kept = call.args.iter().enumerate().filter(|(i, _)| is_kept(call, *i));
            kept.for_each(|(_, arg)| flow.leak(*arg));
        }
        Op::PtrAdd { base, index, .. } => {
            flow.moves(*base, result);
            flow.leak(*index);
        }
        Op::Select { cond, a, b } => {
            flow.leak(*cond);
            flow.moves(*a, result);
            flow.moves(*b, result);
        }
        Op::Store { value, .. } | Op::Rmw { value, .. } => flow.leak(*value),
        // The expected value leaks as well: it tells whether the location holds this address.
        Op::CmpXchg { expected, new, fails, .. } => {
            [Some(*expected), Some(*new), *fails].into_iter().flatten().for_each(|o| flow.leak(o));
        }
        Op::Copy { len, .. } | Op::Set { len, .. } => flow.leak(*len),
        Op::Cmp { .. } | Op::Load { .. } | Op::ScopeBegin { .. } | Op::ScopeEnd { .. } => {}
        _ => op.each_operand(|operand, _| flow.leak(*operand)),
    }
}
