//! Functions: signatures, blocks, assignments and the paths between them.

use super::{Fault, Faults, FunctionPart, Handle, Tables};
use crate::cfg::Cfg;
use crate::dominators::Dominators;
use crate::{
    Block, BlockId, Body, Expect, Function, Operand, OperandKind, Origin, Program, Reg, Target, Terminator,
    Type, eval,
};
use cranelift_entity::EntityRef;
use std::collections::HashSet;

/// A program point: a block and how many of its instructions come before. Parameters are assigned at 0.
type Position = (BlockId, usize);

pub(super) struct BodyCheck<'a> {
    pub(super) program: &'a Program,
    pub(super) tables: Tables<'a>,
    function: &'a Function,
    pub(super) body: &'a Body,
    assigned: Vec<Option<Position>>,
    cfg: Cfg,
    dominators: Dominators,
}

pub(super) fn check(program: &Program, function: &Function, faults: &mut Faults) {
    let tables = Tables { program };
    tables.check_place(function.place, faults);
    let says_nothing = function.effects.is_empty() && !function.embedded;
    faults.unless(says_nothing || function.origin == Origin::Model, Fault::NotModel);
    for effect in function.effects.iter().filter(|e| !e.fits(&function.params)) {
        faults.add(Fault::Effect(*effect));
    }
    let Some(body) = &function.body else { return };
    if body.blocks.is_empty() {
        return faults.add(Fault::NoBlocks);
    }
    let cfg = Cfg::new(body);
    let dominators = Dominators::new(&cfg);
    let assigned = vec![None; body.regs.len()];
    let mut check = BodyCheck { program, tables, function, body, assigned, cfg, dominators };
    check.params(faults);
    check.assignments(faults);
    for (id, block) in &body.blocks {
        check.block(id, block, faults);
    }
}

impl BodyCheck<'_> {
    fn params(&self, faults: &mut Faults) {
        let area = self.function.variadic.then_some(Type::Ptr);
        let types: Vec<Type> = self.function.params.iter().copied().chain(area).collect();
        let found: Vec<Operand> = self.body.params.iter().map(|reg| (*reg).into()).collect();
        self.row("parameters", "parameter", &types, &found, faults);
    }

    fn assignments(&mut self, faults: &mut Faults) {
        for &reg in &self.body.params {
            self.assign(reg, (BlockId::from_u32(0), 0), faults);
        }
        for (id, block) in &self.body.blocks {
            faults.at(FunctionPart::Params(id));
            faults.unless(id.index() != 0 || block.params.is_empty(), Fault::EntryBlockParams);
            block.params.iter().for_each(|reg| self.assign(*reg, (id, 0), faults));
            for (i, inst) in block.insts.iter().enumerate() {
                faults.at(FunctionPart::Inst(id, i));
                inst.results().for_each(|reg| self.assign(reg, (id, i + 1), faults));
            }
        }
    }

    fn assign(&mut self, reg: Reg, position: Position, faults: &mut Faults) {
        match self.assigned.get_mut(reg.index()) {
            Some(Some(_)) => faults.add(Fault::AssignedTwice(reg)),
            Some(slot) => *slot = Some(position),
            None => faults.add(Fault::Missing(Handle::Reg(reg))),
        }
    }

    fn block(&self, id: BlockId, block: &Block, faults: &mut Faults) {
        for (i, inst) in block.insts.iter().enumerate() {
            faults.at(FunctionPart::Inst(id, i));
            self.tables.check_place(inst.place, faults);
            inst.op.each_operand(|operand, _| self.used(*operand, (id, i), faults));
            self.inst(inst, faults);
        }
        faults.at(FunctionPart::Terminator(id));
        self.tables.check_place(block.terminator_place, faults);
        let end = (id, block.insts.len());
        block.terminator.each_operand(|operand, expect| {
            self.used(operand, end, faults);
            self.operand(operand, expect, faults);
        });
        block.terminator.each_target(|target| {
            target.args.iter().for_each(|arg| self.used(*arg, end, faults));
            self.target(target, faults);
        });
        match &block.terminator {
            Terminator::Return(values) => {
                self.row("results", "result", &self.function.results, values, faults);
            }
            Terminator::Switch(switch) => {
                let mut seen = HashSet::new();
                for (case, _) in &switch.cases {
                    faults.unless(eval::truncate(*case, switch.width) == *case, Fault::ExtraBits(*case));
                    faults.unless(seen.insert(case), Fault::CaseTwice(*case));
                }
            }
            Terminator::Jump(_) | Terminator::Branch { .. } | Terminator::Unreachable => {}
        }
    }

    /// The operand exists, and is assigned on every path to this position.
    fn used(&self, operand: Operand, (block, index): Position, faults: &mut Faults) {
        let reg = match operand.kind() {
            OperandKind::Reg(reg) => reg,
            OperandKind::Const(id) => {
                self.tables.check_const(id, faults);
                return;
            }
        };
        let Some(assigned) = self.assigned.get(reg.index()) else {
            return faults.add(Fault::Missing(Handle::Reg(reg)));
        };
        let before = match assigned {
            Some((home, at)) if *home == block => *at <= index,
            Some((home, _)) => {
                !self.cfg.is_reachable(block)
                    || (self.cfg.is_reachable(*home) && self.dominators.dominates(*home, block))
            }
            None => false,
        };
        faults.unless(before, Fault::NotAssigned(reg));
    }

    fn target(&self, target: &Target, faults: &mut Faults) {
        match self.body.blocks.get(target.block) {
            None => faults.add(Fault::Missing(Handle::Block(target.block))),
            Some(block) => {
                let types: Vec<Type> = block.params.iter().filter_map(|reg| self.reg_type(*reg)).collect();
                self.row("block arguments", "block argument", &types, &target.args, faults);
            }
        }
    }

    /// Values against the types they must have, in order.
    pub(super) fn row(
        &self,
        several: &'static str,
        one: &'static str,
        types: &[Type],
        values: &[Operand],
        faults: &mut Faults,
    ) {
        if types.len() != values.len() {
            return faults.add(Fault::Count { what: several, expected: types.len(), found: values.len() });
        }
        for (index, (expected, value)) in types.iter().zip(values).enumerate() {
            if let Some(found) = self.type_of(*value)
                && found != *expected
            {
                faults.add(Fault::TypeOf { what: one, index, expected: *expected, found });
            }
        }
    }

    pub(super) fn operand(&self, operand: Operand, expected: Expect, faults: &mut Faults) {
        if let Some(found) = self.type_of(operand)
            && !expected.accepts(found, self.program.data_model)
        {
            faults.add(Fault::OperandType { operand, expected, found });
        }
    }

    pub(super) fn reg_type(&self, reg: Reg) -> Option<Type> {
        self.body.regs.get(reg).map(|info| info.ty)
    }

    /// `None` if the operand does not exist; that is reported elsewhere.
    pub(super) fn type_of(&self, operand: Operand) -> Option<Type> {
        match operand.kind() {
            OperandKind::Reg(reg) => self.reg_type(reg),
            OperandKind::Const(id) => self.program.constants.get(id).map(|c| c.ty()),
        }
    }
}
