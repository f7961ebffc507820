//! Whether a program can observe that equal seeds give equal random numbers: only then do the models remember numbers.
//!
//! A number is determined by the seed and by how many were drawn since it was set. A program that never draws two
//! numbers with the same seed and count cannot distinguish them from arbitrary numbers. That holds if it never sets a
//! seed, or if only `main` sets it, once, before anything can draw.

use tp_ir::cfg::Cfg;
use tp_ir::{BlockId, Body, Callee, Const, EntityRef, FuncId, Inst, ModelEffect, Op, Origin, Program};

pub fn decide(program: &mut Program) {
    let can_tell = can_tell(program);
    tp_ir::decide_option(program, tp_ir::SEEDS, can_tell.into());
}

pub fn can_tell(program: &Program) -> bool {
    if !program.has_effect(ModelEffect::Seed) || !program.has_effect(ModelEffect::Draw) {
        return false;
    }
    // Called through a pointer, it may be called anywhere.
    let is_seeder = |f: &FuncId| program.functions[*f].does(ModelEffect::Seed);
    if program.constants.values().any(|c| matches!(c, Const::Function(f) if is_seeder(f))) {
        return true;
    }
    let mut sites = Vec::new();
    for (id, f) in program.functions.iter() {
        for (block, b) in f.body.iter().flat_map(|body| body.blocks.iter()) {
            let calls = b.insts.iter().enumerate().filter(|(_, i)| called(i).is_some_and(|f| is_seeder(&f)));
            sites.extend(calls.map(|(at, _)| (id, block, at)));
        }
    }
    match sites[..] {
        [] => false,
        [(function, block, at)] => !is_set_first(program, function, block, at),
        _ => true,
    }
}

/// Whether a call site is in `main`, is executed at most once, and nothing before it can draw a number.
fn is_set_first(program: &Program, function: FuncId, block: BlockId, at: usize) -> bool {
    let f = &program.functions[function];
    let Some(body) = f.body.as_ref().filter(|_| &*f.name == "main" && f.origin == Origin::User) else {
        return false;
    };
    let callers = program.functions.values().filter_map(|f| f.body.as_ref()).flat_map(insts);
    let is_called_again = callers.filter(|i| called(i) == Some(function)).count() != 1
        || program.constants.values().any(|c| *c == Const::Function(function));
    let before = blocks_before(body, block);
    if is_called_again || before.contains(&block) {
        return false;
    }
    let draws = functions_that_draw(program);
    let may_draw = |inst: &Inst| may_draw(inst, &draws);
    let start = program.functions[program.entry].body.iter().flat_map(insts);
    let draws_before_main = start
        .filter(|i| called(i).is_some_and(|f| f != function && program.functions[f].origin == Origin::User));
    draws_before_main.count() == 0
        && !before.iter().any(|b| body.blocks[*b].insts.iter().any(may_draw))
        && !body.blocks[block].insts[..at].iter().any(may_draw)
}

/// The blocks from which this one can be reached.
fn blocks_before(body: &Body, block: BlockId) -> Vec<BlockId> {
    let cfg = Cfg::new(body);
    let (mut found, mut left) = (Vec::new(), vec![block]);
    while let Some(next) = left.pop() {
        for &pred in cfg.preds(next) {
            if !found.contains(&pred) {
                found.push(pred);
                left.push(pred);
            }
        }
    }
    found
}

/// By function: whether it may draw a number, itself or through callees, started threads or function pointers.
fn functions_that_draw(program: &Program) -> Vec<bool> {
    let mut draws: Vec<bool> = program.functions.values().map(|f| f.does(ModelEffect::Draw)).collect();
    loop {
        let mut is_new = false;
        for (id, f) in program.functions.iter() {
            let draws_now = f.body.iter().flat_map(insts).any(|inst| may_draw(inst, &draws));
            if draws_now && !draws[id.index()] {
                draws[id.index()] = true;
                is_new = true;
            }
        }
        if !is_new {
            return draws;
        }
    }
}

fn may_draw(inst: &Inst, draws: &[bool]) -> bool {
    match &inst.op {
        Op::ThreadStart { .. } => true,
        Op::Call(call) => match call.callee {
            Callee::Direct(f) => draws[f.index()],
            Callee::Indirect(_) => true,
        },
        _ => false,
    }
}

fn called(inst: &Inst) -> Option<FuncId> {
    match &inst.op {
        Op::Call(call) => match call.callee {
            Callee::Direct(f) => Some(f),
            Callee::Indirect(_) => None,
        },
        _ => None,
    }
}

fn insts(body: &Body) -> impl Iterator<Item = &Inst> {
    body.blocks.values().flat_map(|block| &block.insts)
}
