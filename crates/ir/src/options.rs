//! Fixes the options of models, so that code which is switched off is also absent for analyses that follow no values.
//!
//! An option is a constant variable (models/tp.h). Branches that it decides become jumps, and blocks that are no longer
//! reachable are emptied. Blocks and instructions keep their numbers.

use crate::cfg::Cfg;
use crate::{
    Body, CastOp, Const, ConstId, EntityRef, GlobalId, Init, Inst, Op, Operand, OperandKind, PrimaryMap,
    Program, Reg, Terminator, eval,
};
use std::collections::HashMap;

/// Freed memory may be reused; so may the ids of threads.
pub const REUSE: &str = "__tp_option_reuse";
pub const REUSE_IDS: &str = "__tp_option_reuse_ids";
/// The same seed gives the same random numbers again.
pub const SEEDS: &str = "__tp_option_seeds";
/// The program reads the clock.
pub const CLOCK: &str = "__tp_option_clock";
/// Threads can be cancelled.
pub const CANCEL: &str = "__tp_option_cancel";
/// Files can be open (1), and the standard streams can be locked or redirected (2).
pub const FILES: &str = "__tp_option_files";
/// Descriptors can be neither files nor pipes.
pub const SPECIAL: &str = "__tp_option_special";
/// Signals come (1), and handlers may run (2); the program sends signals itself; it can start threads.
pub const SIGNALS: &str = "__tp_option_signals";
pub const SENDS: &str = "__tp_option_sends";
pub const THREADS: &str = "__tp_option_threads";

/// Sets the option of this name to `value`, and resolves the branches that it decides.
pub fn decide_option(program: &mut Program, name: &str, value: u32) {
    let Some(option) = program.global_named(name) else { return };
    let bytes = value.to_le_bytes().to_vec();
    program.globals[option].init = Init::Bytes { bytes, pointers: Vec::new() };
    let Program { functions, constants, .. } = program;
    for body in functions.values_mut().filter_map(|f| f.body.as_mut()) {
        let known = known_registers(body, constants, option, value);
        if !known.is_empty() {
            resolve_branches(body, &known);
        }
    }
}

/// The registers whose value the option decides.
fn known_registers(
    body: &Body,
    constants: &PrimaryMap<ConstId, Const>,
    option: GlobalId,
    value: u32,
) -> HashMap<Reg, u64> {
    let mut known = HashMap::new();
    loop {
        let before = known.len();
        for inst in body.blocks.values().flat_map(|block| &block.insts) {
            if let Some(result) = inst.result
                && let Some(value) = value_of(inst, constants, &known, option, value)
            {
                known.insert(result, value);
            }
        }
        if known.len() == before {
            return known;
        }
    }
}

fn value_of(
    inst: &Inst,
    constants: &PrimaryMap<ConstId, Const>,
    known: &HashMap<Reg, u64>,
    option: GlobalId,
    value: u32,
) -> Option<u64> {
    let constant = |operand: Operand| operand.as_const().map(|c| &constants[c]);
    let number = |operand: Operand| match operand.kind() {
        OperandKind::Reg(r) => known.get(&r).copied(),
        OperandKind::Const(c) => match constants[c] {
            Const::Int { bits, .. } => u64::try_from(bits).ok(),
            _ => None,
        },
    };
    let depends = |operand: Operand| operand.as_reg().is_some_and(|r| known.contains_key(&r));
    match inst.op {
        Op::Load { ptr, .. } => match constant(ptr) {
            Some(Const::Global { global, offset: 0 }) if *global == option => Some(value.into()),
            _ => None,
        },
        Op::Cmp { op, width, a, b } if (depends(a) || depends(b)) && width.bits() <= 64 => {
            Some(eval::compare::<u64>(op, width, number(a)?, number(b)?).into())
        }
        Op::Cast { op: CastOp::ZExt, a, .. } if depends(a) => number(a),
        _ => None,
    }
}

fn resolve_branches(body: &mut Body, known: &HashMap<Reg, u64>) {
    for block in body.blocks.values_mut() {
        if let Terminator::Branch { cond, then, otherwise } = &block.terminator
            && let Some(value) = cond.as_reg().and_then(|r| known.get(&r))
        {
            let target = if *value & 1 == 1 { then } else { otherwise };
            block.terminator = Terminator::Jump(target.clone());
        }
    }
    let cfg = Cfg::new(body);
    for (id, block) in body.blocks.iter_mut().filter(|(id, _)| !cfg.is_reachable(*id)) {
        debug_assert!(id.index() > 0, "the first block is always reached");
        block.insts.clear();
        block.terminator = Terminator::Unreachable;
    }
}
