//! Moves the `Alloca` of a local to where its scope begins, if the scope can begin again while the address from an
//! earlier scope may still be stored somewhere.
//!
//! Using that old address is an error, even if the local lies at the same address again. With a new object for each
//! scope, it is a use of an object that has ended, like any other. The remaining locals stay one object whose scope
//! begins and ends: no program can tell the difference, and there are fewer objects.
//!
//! A register computed from the address does not preserve it across scopes: it is recomputed before each of its uses. A
//! block parameter does, and so does everything that lets an address leave the function (`private`), except calls of
//! functions that do not keep it.

use super::private::{Flows, leaking_registers};
use crate::cfg::Cfg;
use crate::dominators::Dominators;
use crate::loops::LoopForest;
use crate::{BlockId, Body, Call, Callee, FuncId, Inst, Op, Program, Reg};
use cranelift_entity::{EntityRef, SecondaryMap};
use std::collections::BTreeMap;

pub(super) fn make_anew(program: &mut Program) {
    let begin_again: Vec<(FuncId, Vec<Reg>)> = program
        .functions
        .iter()
        .filter_map(|(id, function)| Some((id, scopes_that_begin_again(function.body.as_ref()?))))
        .filter(|(_, locals)| !locals.is_empty())
        .collect();
    if begin_again.is_empty() {
        return;
    }
    let kept = Kept::new(program);
    for (id, mut locals) in begin_again {
        if let Some(body) = &mut program.functions[id].body {
            let leaks = leaking_registers(body, Flows::WithinBlocks, |call, nth| kept.has(call, nth));
            locals.retain(|local| leaks[local.index()]);
            move_to_scopes(body, &locals);
        }
    }
}

/// The parameters of functions whose value may still be stored somewhere after the call.
struct Kept {
    params: SecondaryMap<FuncId, Vec<bool>>,
}

impl Kept {
    fn new(program: &Program) -> Kept {
        let mut kept = Kept { params: SecondaryMap::new() };
        let mut is_new = true;
        while std::mem::take(&mut is_new) {
            for (id, function) in &program.functions {
                let Some(body) = &function.body else { continue };
                let leaks = leaking_registers(body, Flows::ThroughBlocks, |call, nth| kept.has(call, nth));
                let mut params: Vec<bool> = body.params.iter().map(|param| leaks[param.index()]).collect();
                if function.variadic {
                    // The list of variable arguments cannot be used after the call.
                    params.pop();
                }
                is_new |= params != kept.params[id];
                kept.params[id] = params;
            }
        }
        kept
    }

    /// A function without a body keeps nothing.
    fn has(&self, call: &Call, nth: usize) -> bool {
        match call.callee {
            Callee::Direct(function) => self.params[function].get(nth).copied().unwrap_or(false),
            Callee::Indirect(_) => true,
        }
    }
}

/// A program point: a block and the index of an instruction; for the terminator, the number of instructions.
type At = (BlockId, usize);

/// The locals whose scope begins at exactly one point, which is in a loop and dominates all their uses.
fn scopes_that_begin_again(body: &Body) -> Vec<Reg> {
    let mut begins: BTreeMap<Reg, Vec<At>> = BTreeMap::new();
    for (id, block) in &body.blocks {
        for (nth, inst) in block.insts.iter().enumerate() {
            if let Op::ScopeBegin { ptr } = &inst.op
                && let Some(reg) = ptr.as_reg()
            {
                begins.entry(reg).or_default().push((id, nth));
            }
        }
    }
    begins.retain(|_, at| at.len() == 1);
    if begins.is_empty() {
        return Vec::new();
    }
    let cfg = Cfg::new(body);
    let loops = LoopForest::new(&cfg);
    begins.retain(|_, at| loops.is_in_loop(at[0].0));
    if begins.is_empty() {
        return Vec::new();
    }
    let dominators = Dominators::new(&cfg);
    let mut made = Vec::new();
    for (id, block) in &body.blocks {
        for (nth, inst) in block.insts.iter().enumerate() {
            if matches!(inst.op, Op::Alloca { .. }) {
                made.extend(inst.result.filter(|reg| begins.contains_key(reg)));
            }
            inst.op.each_operand(|operand, _| {
                forget_unless_after(&dominators, &mut begins, *operand, (id, nth))
            });
        }
        let end = (id, block.insts.len());
        block.terminator.each_operand(|o, _| forget_unless_after(&dominators, &mut begins, o, end));
        block.terminator.each_target(|target| {
            target.args.iter().for_each(|o| forget_unless_after(&dominators, &mut begins, *o, end));
        });
    }
    made.retain(|reg| begins.contains_key(reg));
    made
}

/// Drops a local with a use that the begin of its scope does not dominate.
fn forget_unless_after(
    dominators: &Dominators,
    begins: &mut BTreeMap<Reg, Vec<At>>,
    operand: crate::Operand,
    used: At,
) {
    if let Some(reg) = operand.as_reg()
        && let Some(&begin) = begins.get(&reg).and_then(|at| at.first())
    {
        let is_after =
            if begin.0 == used.0 { begin.1 <= used.1 } else { dominators.dominates(begin.0, used.0) };
        if !is_after {
            begins.remove(&reg);
        }
    }
}

fn move_to_scopes(body: &mut Body, locals: &[Reg]) {
    let mut made: BTreeMap<Reg, Inst> = BTreeMap::new();
    for block in body.blocks.values_mut() {
        let is_moved = |inst: &Inst| inst.result.is_some_and(|reg| locals.contains(&reg));
        made.extend(block.insts.extract_if(.., |inst| is_moved(inst)).filter_map(|i| Some((i.result?, i))));
    }
    for inst in body.blocks.values_mut().flat_map(|block| &mut block.insts) {
        match &mut inst.op {
            Op::ScopeBegin { ptr } => {
                if let Some(moved) = ptr.as_reg().and_then(|reg| made.remove(&reg)) {
                    *inst = moved;
                }
            }
            Op::ScopeEnd { ptr, last } => *last |= ptr.as_reg().is_some_and(|reg| locals.contains(&reg)),
            _ => {}
        }
    }
}
