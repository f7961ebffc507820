//! Makes a local where its scope begins, if its scope can begin again and somebody may still have its address then.
//!
//! To use such an address is an error, though the local lies in the same place again. As an object of its own for each
//! scope, with one that ended before, it is the same error as any use of memory that is gone. Others stay one object,
//! whose scope begins and ends: nobody can tell, and there are fewer objects.
//!
//! A register that is computed from the address is no way to remember it: each of its uses comes after it was computed
//! once more. The parameter of a block is, and so is all that lets an address leave the function (`private`), apart from
//! calls of functions that do not keep it.

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

/// The parameters of functions whose value may be found somewhere after a call.
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
                    // A list of arguments is of no use after the call.
                    params.pop();
                }
                is_new |= params != kept.params[id];
                kept.params[id] = params;
            }
        }
        kept
    }

    /// What has no body keeps nothing.
    fn has(&self, call: &Call, nth: usize) -> bool {
        match call.callee {
            Callee::Direct(function) => self.params[function].get(nth).copied().unwrap_or(false),
            Callee::Indirect(_) => true,
        }
    }
}

/// A place in a function: a block, and the number of an instruction, or of how many there are for its end.
type At = (BlockId, usize);

/// The locals whose scope begins in one place, to which the function can come back, and which are used only after it.
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

/// A use before the scope begins: it is not what it looks like.
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
