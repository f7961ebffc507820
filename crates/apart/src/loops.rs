//! Loops that count, and elements that they go through: `for (i = 0; i < n; i++) … a[i] …`.
//!
//! Two such loops with the same start, the same comparison and the same end go through the same elements, however many
//! these are; one that is left early goes through the first of them.

use crate::address::{Definitions, constant};
use std::collections::BTreeSet;
use tp_ir::cfg::{Cfg, Dominators};
use tp_ir::{BinOp, BlockId, Body, CastOp, CmpOp, EntityRef, Op, Operand, Program, Reg, Terminator, Width};

/// What decides which numbers a loop goes through: from the start, in steps of one, while it compares so with the end.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Range {
    pub start: i64,
    pub compare: CmpOp,
    pub width: Width,
    pub end: Operand,
}

pub struct Counted {
    pub header: BlockId,
    pub blocks: BTreeSet<BlockId>,
    /// Where control goes when the numbers are through.
    pub exit: BlockId,
    /// The register that counts.
    variable: Reg,
    pub range: Range,
    /// The blocks from which the next round begins.
    latches: Vec<BlockId>,
}

/// An element of an array: `base[variable]`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Element {
    pub base: Operand,
    pub scale: u32,
    /// How the variable becomes an index.
    cast: Option<CastOp>,
}

pub struct Loops<'p> {
    program: &'p Program,
    body: &'p Body,
    dominators: Dominators,
    definitions: Definitions<'p>,
    pub counted: Vec<Counted>,
}

impl<'p> Loops<'p> {
    pub fn new(program: &'p Program, body: &'p Body) -> Loops<'p> {
        let cfg = Cfg::new(body);
        let dominators = Dominators::new(&cfg);
        let definitions = Definitions::new(body);
        let mut loops = Loops { program, body, dominators, definitions, counted: Vec::new() };
        for &header in cfg.order() {
            let is_back = |pred: &&BlockId| loops.dominators.dominates(header, **pred);
            let latches: Vec<BlockId> = cfg.preds(header).iter().filter(is_back).copied().collect();
            if let Some(counted) =
                (!latches.is_empty()).then(|| loops.counting(&cfg, header, latches)).flatten()
            {
                loops.counted.push(counted);
            }
        }
        loops
    }

    fn counting(&self, cfg: &Cfg, header: BlockId, latches: Vec<BlockId>) -> Option<Counted> {
        let blocks = natural(cfg, header, &latches);
        let Terminator::Branch { cond, then, otherwise } = &self.body.blocks[header].terminator else {
            return None;
        };
        if !blocks.contains(&then.block) || blocks.contains(&otherwise.block) {
            return None;
        }
        let Op::Cmp { op: compare, width, a, b: end } = self.definitions.op(cond.as_reg()?)? else {
            return None;
        };
        let variable = a.as_reg()?;
        let is_outside = |reg: Reg| self.definitions.block(reg).is_none_or(|block| !blocks.contains(&block));
        let is_fixed = end.as_reg().is_none_or(|reg| is_outside(reg) && !self.is_parameter_of(&blocks, reg));
        if !is_fixed || !matches!(compare, CmpOp::Slt | CmpOp::Ult | CmpOp::Ne) {
            return None;
        }
        let position = self.body.blocks[header].params.iter().position(|p| *p == variable)?;
        let start = self.counts_from(cfg, header, position, variable, &latches)?;
        let range = Range { start, compare: *compare, width: *width, end: *end };
        Some(Counted { header, blocks, exit: otherwise.block, variable, range, latches })
    }

    fn is_parameter_of(&self, blocks: &BTreeSet<BlockId>, reg: Reg) -> bool {
        blocks.iter().any(|b| self.body.blocks[*b].params.contains(&reg))
    }

    /// The constant that a parameter of a loop's header starts with, if each round adds one to it.
    fn counts_from(
        &self,
        cfg: &Cfg,
        header: BlockId,
        position: usize,
        variable: Reg,
        latches: &[BlockId],
    ) -> Option<i64> {
        let mut start = None;
        for pred in cfg.preds(header) {
            let mut args = Vec::new();
            self.body.blocks[*pred].terminator.each_target(|target| {
                if target.block == header {
                    args.extend(target.args.get(position).copied());
                }
            });
            for arg in args {
                if latches.contains(pred) {
                    let Op::Binary { op: BinOp::Add, a, b, .. } = self.definitions.op(arg.as_reg()?)? else {
                        return None;
                    };
                    if a.as_reg() != Some(variable) || self.constant(*b) != Some(1) {
                        return None;
                    }
                } else if *start.get_or_insert(self.constant(arg)?) != self.constant(arg)? {
                    return None;
                }
            }
        }
        start
    }

    pub fn constant(&self, operand: Operand) -> Option<i64> {
        constant(self.program, operand)
    }

    /// The element that a pointer is to, if that is the one whose number the loop has come to.
    pub fn element(&self, counted: &Counted, pointer: Operand) -> Option<Element> {
        let Op::PtrAdd { base, index, scale, .. } = self.definitions.op(pointer.as_reg()?)? else {
            return None;
        };
        let index = index.as_reg()?;
        let (variable, cast) = match self.definitions.op(index) {
            Some(Op::Cast { op: op @ (CastOp::SExt | CastOp::ZExt), a, .. }) => (a.as_reg()?, Some(*op)),
            _ => (index, None),
        };
        let is_fixed = base.as_reg().is_none_or(|reg| {
            let is_made_inside = self.definitions.block(reg).is_some_and(|b| counted.blocks.contains(&b));
            !is_made_inside && !self.is_parameter_of(&counted.blocks, reg)
        });
        (variable == counted.variable && is_fixed).then_some(Element { base: *base, scale: *scale, cast })
    }

    /// The pointer that a value was loaded through.
    pub fn loaded_from(&self, value: Operand) -> Option<Operand> {
        match self.definitions.op(value.as_reg()?)? {
            Op::Load { ptr, .. } => Some(*ptr),
            _ => None,
        }
    }

    /// Whether every round comes here.
    pub fn is_in_every_round(&self, counted: &Counted, block: BlockId) -> bool {
        counted.blocks.contains(&block)
            && counted.latches.iter().all(|l| self.dominators.dominates(block, *l))
    }

    /// Whether the loop is left only when its numbers are through, or the function does not return.
    pub fn is_complete(&self, counted: &Counted) -> bool {
        let mut is_complete = true;
        for &block in counted.blocks.iter().filter(|b| **b != counted.header) {
            let row = &self.body.blocks[block].terminator;
            is_complete &= !matches!(row, Terminator::Return(_));
            row.each_target(|target| {
                is_complete &= counted.blocks.contains(&target.block) || !self.may_return(target.block);
            });
        }
        is_complete
    }

    fn may_return(&self, from: BlockId) -> bool {
        let mut seen = vec![false; self.body.blocks.len()];
        let mut queue = vec![from];
        while let Some(block) = queue.pop() {
            if std::mem::replace(&mut seen[block.index()], true) {
                continue;
            }
            let terminator = &self.body.blocks[block].terminator;
            if matches!(terminator, Terminator::Return(_)) {
                return true;
            }
            terminator.each_target(|target| queue.push(target.block));
        }
        false
    }

    /// Whether control comes to a block at most once in each round, and to the loop at most once in a call.
    pub fn is_once_a_round(&self, counted: &Counted, block: BlockId) -> bool {
        let reached = |from: BlockId, avoid: Option<BlockId>| {
            let mut seen = BTreeSet::new();
            let mut queue = Vec::new();
            self.body.blocks[from].terminator.each_target(|t| queue.push(t.block));
            while let Some(next) = queue.pop() {
                if Some(next) != avoid && seen.insert(next) {
                    self.body.blocks[next].terminator.each_target(|t| queue.push(t.block));
                }
            }
            seen
        };
        !reached(block, Some(counted.header)).contains(&block)
            && !reached(counted.exit, None).contains(&counted.header)
            && counted.blocks.iter().all(|b| {
                let mut leaves_for_good = true;
                self.body.blocks[*b].terminator.each_target(|t| {
                    let is_outside = !counted.blocks.contains(&t.block);
                    leaves_for_good &= !(is_outside && reached(t.block, None).contains(&counted.header));
                });
                leaves_for_good
            })
    }
}

fn natural(cfg: &Cfg, header: BlockId, latches: &[BlockId]) -> BTreeSet<BlockId> {
    let mut blocks = BTreeSet::from([header]);
    let mut queue = latches.to_vec();
    while let Some(block) = queue.pop() {
        if blocks.insert(block) {
            queue.extend(cfg.preds(block));
        }
    }
    blocks
}

/// Whether a block can come after itself, for each block of a function.
pub fn in_cycles(body: &Body) -> Vec<bool> {
    let cfg = Cfg::new(body);
    let mut component = vec![usize::MAX; body.blocks.len()];
    let mut cyclic = vec![false; body.blocks.len()];
    // Backwards from each block, those in the order of control first, are the blocks that also come after it.
    for (number, &first) in cfg.order().iter().enumerate() {
        if component[first.index()] != usize::MAX {
            continue;
        }
        component[first.index()] = number;
        let mut members = vec![first];
        let mut next = 0;
        while let Some(&block) = members.get(next) {
            next += 1;
            for &pred in cfg.preds(block) {
                if component[pred.index()] == usize::MAX {
                    component[pred.index()] = number;
                    members.push(pred);
                }
            }
        }
        let is_cycle = members.len() > 1 || cfg.preds(first).contains(&first);
        members.iter().for_each(|b: &BlockId| cyclic[b.index()] = is_cycle);
    }
    cyclic
}
