//! Removes block parameters that can only have one value, and puts that value in their place.
//!
//! A parameter whose arguments are all one value, or the parameter itself, is that value. Replacing it may give other
//! parameters a single value, so those that use it are examined again.

use crate::{Body, Operand, Reg};
use cranelift_entity::EntityRef;

/// `params` are the candidates. `replaced` holds, by register, the value that replaces it. The parameters removed here
/// are added to it, and all uses in the body are rewritten.
pub(super) fn remove_single_valued(body: &mut Body, params: &[Reg], replaced: &mut Vec<Option<Operand>>) {
    replaced.resize(body.regs.len(), None);
    let mut search = Search::new(body, params);
    let mut worklist: Vec<usize> = (0..params.len()).collect();
    while let Some(param) = worklist.pop() {
        let reg = params[param];
        if replaced[reg.index()].is_some() {
            continue;
        }
        if let Some(value) = search.single_value(reg, param, replaced) {
            replaced[reg.index()] = Some(value);
            let users = std::mem::take(&mut search.users[param]);
            worklist.extend(&users);
            if let Some(other) = value.as_reg().and_then(|reg| search.number[reg.index()]) {
                search.users[other].extend(users);
            }
        }
    }
    rewrite(body, params, replaced);
}

struct Search {
    /// The position in `params` of each register that is one of them.
    number: Vec<Option<usize>>,
    args: Vec<Vec<Operand>>,
    /// The parameters that each parameter is an argument of.
    users: Vec<Vec<usize>>,
}

impl Search {
    fn new(body: &Body, params: &[Reg]) -> Search {
        let mut number = vec![None; body.regs.len()];
        params.iter().enumerate().for_each(|(i, reg)| number[reg.index()] = Some(i));
        let mut args = vec![Vec::new(); params.len()];
        let mut users = vec![Vec::new(); params.len()];
        for block in body.blocks.values() {
            block.terminator.each_target(|target| {
                for (arg, param) in target.args.iter().zip(&body.blocks[target.block].params) {
                    if let Some(param) = number[param.index()] {
                        args[param].push(*arg);
                        if let Some(source) = arg.as_reg().and_then(|reg| number[reg.index()]) {
                            users[source].push(param);
                        }
                    }
                }
            });
        }
        Search { number, args, users }
    }

    fn single_value(&self, reg: Reg, param: usize, replaced: &mut [Option<Operand>]) -> Option<Operand> {
        let mut single = None;
        for arg in &self.args[param] {
            let value = resolve(*arg, replaced);
            if value != reg.into() && single.replace(value).is_some_and(|other| other != value) {
                return None;
            }
        }
        single
    }
}

/// Follows replacements to the end, with path compression.
fn resolve(operand: Operand, replaced: &mut [Option<Operand>]) -> Operand {
    let next =
        |operand: Operand, replaced: &[Option<Operand>]| operand.as_reg().and_then(|r| replaced[r.index()]);
    let mut end = operand;
    while let Some(value) = next(end, replaced) {
        end = value;
    }
    let mut at = operand;
    while let Some(reg) = at.as_reg()
        && let Some(value) = replaced[reg.index()]
    {
        replaced[reg.index()] = Some(end);
        at = value;
    }
    end
}

fn rewrite(body: &mut Body, params: &[Reg], replaced: &mut [Option<Operand>]) {
    let mut gone = vec![false; body.regs.len()];
    params.iter().for_each(|reg| gone[reg.index()] = replaced[reg.index()].is_some());
    // By block that loses parameters: which of them stay.
    let stays: Vec<Option<Vec<bool>>> = body
        .blocks
        .values()
        .map(|block| {
            let stays: Vec<bool> = block.params.iter().map(|reg| !gone[reg.index()]).collect();
            (!stays.iter().all(|stays| *stays)).then_some(stays)
        })
        .collect();
    for block in body.blocks.values_mut() {
        block.params.retain(|reg| !gone[reg.index()]);
        for inst in &mut block.insts {
            inst.op.each_operand_mut(|operand, _| *operand = resolve(*operand, replaced));
        }
        block.terminator.each_target_mut(|target| {
            if let Some(stays) = &stays[target.block.index()] {
                let args = target.args.iter().zip(stays).filter(|(_, stays)| **stays);
                target.args = args.map(|(arg, _)| *arg).collect();
            }
        });
        block.terminator.each_operand_mut(|operand| *operand = resolve(*operand, replaced));
    }
}
