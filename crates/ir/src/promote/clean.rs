//! Removes blocks that are never reached and registers that are never mentioned; the rest keeps its order.

use crate::cfg::Cfg;
use crate::{BlockId, Body, Reg};
use cranelift_entity::{EntityRef, SecondaryMap};

pub(super) fn remove_unreachable_blocks(body: &mut Body) {
    let cfg = Cfg::new(body);
    if cfg.order().len() == body.blocks.len() {
        return;
    }
    let mut number: SecondaryMap<BlockId, u32> = SecondaryMap::with_capacity(body.blocks.len());
    let mut kept = Vec::with_capacity(cfg.order().len());
    for (id, block) in std::mem::take(&mut body.blocks) {
        if cfg.is_reachable(id) {
            number[id] = kept.len() as u32;
            kept.push(block);
        }
    }
    for mut block in kept {
        block.terminator.each_target_mut(|target| target.block = BlockId::from_u32(number[target.block]));
        body.blocks.push(block);
    }
}

pub(super) fn remove_unused_registers(body: &mut Body) {
    let mut used = vec![false; body.regs.len()];
    each_reg(body, |reg| used[reg.index()] = true);
    if used.iter().all(|used| *used) {
        return;
    }
    let mut number = vec![Reg::from_u32(0); body.regs.len()];
    for (reg, info) in std::mem::take(&mut body.regs) {
        if used[reg.index()] {
            number[reg.index()] = body.regs.push(info);
        }
    }
    each_reg(body, |reg| *reg = number[reg.index()]);
}

fn each_reg(body: &mut Body, mut f: impl FnMut(&mut Reg)) {
    body.params.iter_mut().for_each(&mut f);
    for block in body.blocks.values_mut() {
        block.params.iter_mut().for_each(&mut f);
        let in_operand = |operand: &mut crate::Operand, f: &mut dyn FnMut(&mut Reg)| {
            if let Some(mut reg) = operand.as_reg() {
                f(&mut reg);
                *operand = reg.into();
            }
        };
        for inst in &mut block.insts {
            inst.each_result_mut(&mut f);
            inst.op.each_operand_mut(|operand, _| in_operand(operand, &mut f));
        }
        block.terminator.each_operand_mut(|operand| in_operand(operand, &mut f));
    }
}
