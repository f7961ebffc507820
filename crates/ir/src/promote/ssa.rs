//! Local variables that are only loaded and stored as a whole become registers.
//!
//! This is SSA construction with pruned block parameters (Cytron et al., "Efficiently Computing Static Single
//! Assignment Form and the Control Dependence Graph"): a variable gets a parameter in the iterated dominance frontier of
//! the blocks that write it, where its value is still read; a walk of the dominator tree then replaces every load by the
//! value that reaches it. Parameters that turn out to have one value only are removed at the end.
//!
//! The declaration of a variable and the begin of its scope write an `Uninit`, so two reads of the same uninitialised
//! variable give the same value. An `Alloca` in a loop is such a write in each iteration, which is right: its register
//! names the newest object only.

use crate::cfg::Cfg;
use crate::dominators::Dominators;
use crate::{
    Block, BlockId, Body, Const, ConstId, DataModel, Inst, MemoryOrder, Op, Operand, OperandKind, Reg,
    RegInfo, Terminator, Type,
};
use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};

/// A local that becomes registers.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Var(u32);
entity_impl!(Var, "var");

struct Variable {
    name: Option<Box<str>>,
    /// The type of all its accesses.
    ty: Type,
    /// The blocks that write it.
    writes: Vec<BlockId>,
    /// The blocks that read it before they write it.
    reads: Vec<BlockId>,
}

/// Returns whether another pass may promote more: a local whose address was stored only in a promoted pointer can be
/// promoted now.
pub(super) fn promote_locals(
    body: &mut Body,
    constants: &PrimaryMap<ConstId, Const>,
    data: DataModel,
) -> bool {
    let cfg = Cfg::new(body);
    let (vars, var_of) = promotable(body, &cfg, constants, data);
    if vars.is_empty() {
        return false;
    }
    let dominators = Dominators::new(&cfg);
    let phis = place_params(body, &vars, &cfg, &dominators);
    let mut rename = Rename {
        body,
        vars: &vars,
        var_of: &var_of,
        phis: &phis,
        current: vec![None; vars.len()],
        undo: Vec::new(),
        replaced: Vec::new(),
        uninit: Vec::new(),
    };
    rename.walk(&cfg, &dominators);
    let (mut replaced, uninit) = (rename.replaced, rename.uninit);
    super::params::remove_single_valued(body, &phis.regs, &mut replaced);
    remove_unused_uninit(body, &uninit);
    vars.values().any(|var| var.ty == Type::Ptr)
}

/// Whether a register holds the address of a local that may be promoted.
enum Local {
    /// Not such an address.
    No,
    /// Accessed with this type so far.
    Yes { size: u128, ty: Option<Type>, name: Option<Box<str>> },
}

/// The variables, and for each register the one whose address it holds. A variable that is never accessed gets a
/// meaningless type, and no value of it is ever made.
fn promotable(
    body: &Body,
    cfg: &Cfg,
    constants: &PrimaryMap<ConstId, Const>,
    data: DataModel,
) -> (PrimaryMap<Var, Variable>, Vec<Option<Var>>) {
    let mut locals: Vec<Local> = body.regs.keys().map(|_| Local::No).collect();
    for inst in body.blocks.values().flat_map(|block| &block.insts) {
        if let (Op::Alloca { size, info, .. }, Some(result)) = (&inst.op, inst.result)
            && let OperandKind::Const(c) = size.kind()
            && let Const::Int { bits, .. } = &constants[c]
        {
            locals[result.index()] = Local::Yes { size: *bits, ty: None, name: info.name.clone() };
        }
    }
    for block in body.blocks.values() {
        for inst in &block.insts {
            restrict(&mut locals, &inst.op);
        }
        block.terminator.each_operand(|operand, _| exclude(&mut locals, operand));
        block.terminator.each_target(|target| target.args.iter().for_each(|arg| exclude(&mut locals, *arg)));
    }
    let mut vars = PrimaryMap::new();
    let var_of = locals
        .into_iter()
        .zip(super::scope::used_after_end(body, cfg))
        .map(|local| match local {
            (Local::Yes { size, ty, name }, false) if ty.is_none_or(|ty| ty.bytes(data) as u128 <= size) => {
                let ty = ty.unwrap_or(Type::BOOL);
                Some(vars.push(Variable { name, ty, writes: Vec::new(), reads: Vec::new() }))
            }
            _ => None,
        })
        .collect::<Vec<_>>();
    for (id, block) in &body.blocks {
        record_accesses(&mut vars, &var_of, id, block);
    }
    (vars, var_of)
}

fn exclude(locals: &mut [Local], operand: Operand) {
    if let Some(reg) = operand.as_reg() {
        locals[reg.index()] = Local::No;
    }
}

fn restrict(locals: &mut [Local], op: &Op) {
    let mut access = |ptr: &Operand, accessed: Type| {
        if let Some(reg) = ptr.as_reg()
            && let Local::Yes { ty, .. } = &mut locals[reg.index()]
        {
            match ty {
                Some(ty) if *ty != accessed => locals[reg.index()] = Local::No,
                _ => *ty = Some(accessed),
            }
        }
    };
    match op {
        Op::Load { ty, ptr, order: MemoryOrder::Plain } => access(ptr, *ty),
        Op::Store { ty, ptr, value, order: MemoryOrder::Plain } => {
            access(ptr, *ty);
            exclude(locals, *value);
        }
        Op::ScopeBegin { .. } | Op::ScopeEnd { .. } => {}
        _ => op.each_operand(|operand, _| exclude(locals, *operand)),
    }
}

/// What an instruction does to a variable.
enum Access {
    Read,
    Write(Operand),
    Reset,
    /// The variable is dead after this.
    End,
}

fn access(var_of: &[Option<Var>], inst: &Inst) -> Option<(Var, Access)> {
    let var = |ptr: &Operand| ptr.as_reg().and_then(|reg| var_of[reg.index()]);
    match &inst.op {
        Op::Load { ptr, .. } => Some((var(ptr)?, Access::Read)),
        Op::Store { ptr, value, .. } => Some((var(ptr)?, Access::Write(*value))),
        Op::ScopeBegin { ptr } => Some((var(ptr)?, Access::Reset)),
        Op::ScopeEnd { ptr, .. } => Some((var(ptr)?, Access::End)),
        Op::Alloca { .. } => Some((var_of[inst.result?.index()]?, Access::Reset)),
        _ => None,
    }
}

fn record_accesses(vars: &mut PrimaryMap<Var, Variable>, var_of: &[Option<Var>], id: BlockId, block: &Block) {
    for inst in &block.insts {
        if let Some((var, access)) = access(var_of, inst) {
            let var = &mut vars[var];
            let written = var.writes.last() == Some(&id);
            match access {
                Access::Read if !written && var.reads.last() != Some(&id) => var.reads.push(id),
                Access::Write(_) | Access::Reset if !written => var.writes.push(id),
                _ => {}
            }
        }
    }
}

/// The new parameters of each block, after the ones it has.
struct Phis {
    of_block: Vec<Vec<(Var, Reg)>>,
    regs: Vec<Reg>,
}

fn place_params(
    body: &mut Body,
    vars: &PrimaryMap<Var, Variable>,
    cfg: &Cfg,
    dominators: &Dominators,
) -> Phis {
    let count = body.blocks.len();
    let frontiers = dominators.frontiers(cfg);
    let mut phis = Phis { of_block: vec![Vec::new(); count], regs: Vec::new() };
    // Marks are stamped with the current variable, so that they need not be cleared.
    let (mut writes, mut live, mut placed) = (vec![None; count], vec![None; count], vec![None; count]);
    for (var, variable) in vars {
        let mark = Some(var);
        variable.writes.iter().for_each(|block| writes[block.index()] = mark);
        let mut worklist = variable.reads.clone();
        while let Some(block) = worklist.pop() {
            if live[block.index()] != mark {
                live[block.index()] = mark;
                worklist.extend(cfg.preds(block).iter().filter(|pred| writes[pred.index()] != mark));
            }
        }
        let mut worklist = variable.writes.clone();
        while let Some(block) = worklist.pop() {
            for &join in &frontiers[block.index()] {
                if live[join.index()] == mark && placed[join.index()] != mark {
                    placed[join.index()] = mark;
                    let reg = body.regs.push(RegInfo { ty: variable.ty, name: variable.name.clone() });
                    phis.of_block[join.index()].push((var, reg));
                    phis.regs.push(reg);
                    worklist.push(join);
                }
            }
        }
    }
    for (block, phis) in body.blocks.values_mut().zip(&phis.of_block) {
        block.params.extend(phis.iter().map(|(_, reg)| *reg));
    }
    phis
}

struct Rename<'a> {
    body: &'a mut Body,
    vars: &'a PrimaryMap<Var, Variable>,
    var_of: &'a [Option<Var>],
    phis: &'a Phis,
    /// The value of each variable here.
    current: Vec<Option<Operand>>,
    /// The values to go back to when the walk leaves a block.
    undo: Vec<(Var, Option<Operand>)>,
    /// By result of a removed load: the value that replaces it. May be shorter than the list of registers.
    replaced: Vec<Option<Operand>>,
    uninit: Vec<Reg>,
}

enum Walk {
    Enter(BlockId),
    Leave { undo: usize },
}

impl Rename<'_> {
    fn walk(&mut self, cfg: &Cfg, dominators: &Dominators) {
        let mut stack: Vec<Walk> = cfg.order().first().map(|entry| Walk::Enter(*entry)).into_iter().collect();
        while let Some(step) = stack.pop() {
            match step {
                Walk::Enter(block) => {
                    stack.push(Walk::Leave { undo: self.undo.len() });
                    self.block(block);
                    stack.extend(dominators.children(block).iter().map(|child| Walk::Enter(*child)));
                }
                Walk::Leave { undo } => {
                    for (var, value) in self.undo.drain(undo..).rev() {
                        self.current[var.index()] = value;
                    }
                }
            }
        }
    }

    fn set(&mut self, var: Var, value: Operand) {
        let old = self.current[var.index()].replace(value);
        self.undo.push((var, old));
    }

    fn value(&self, operand: Operand) -> Operand {
        let replaced = operand.as_reg().and_then(|reg| *self.replaced.get(reg.index())?);
        replaced.unwrap_or(operand)
    }

    fn block(&mut self, id: BlockId) {
        let phis = self.phis;
        for (var, reg) in &phis.of_block[id.index()] {
            self.set(*var, (*reg).into());
        }
        let insts = std::mem::take(&mut self.body.blocks[id].insts);
        let mut kept = Vec::with_capacity(insts.len());
        for inst in insts {
            kept.extend(self.inst(inst));
        }
        let mut terminator = std::mem::replace(&mut self.body.blocks[id].terminator, Terminator::Unreachable);
        terminator.each_operand_mut(|operand| *operand = self.value(*operand));
        terminator.each_target_mut(|target| {
            let phis = &phis.of_block[target.block.index()];
            if !phis.is_empty() {
                // In a valid function a variable that is live here has a value.
                let values = phis.iter().map(|(var, reg)| self.current[var.index()].unwrap_or((*reg).into()));
                target.args = target.args.iter().copied().chain(values).collect();
            }
        });
        let block = &mut self.body.blocks[id];
        block.insts = kept;
        block.terminator = terminator;
    }

    /// The instruction that remains, if any.
    fn inst(&mut self, mut inst: Inst) -> Option<Inst> {
        match access(self.var_of, &inst) {
            None => {
                inst.op.each_operand_mut(|operand, _| *operand = self.value(*operand));
                Some(inst)
            }
            Some((var, Access::Read)) => {
                if let (Some(value), Some(result)) = (self.current[var.index()], inst.result) {
                    if self.replaced.len() <= result.index() {
                        self.replaced.resize(self.body.regs.len(), None);
                    }
                    self.replaced[result.index()] = Some(value);
                }
                None
            }
            Some((var, Access::Write(value))) => {
                let value = self.value(value);
                if let Some(reg) = value.as_reg() {
                    let name = &mut self.body.regs[reg].name;
                    *name = name.take().or_else(|| self.vars[var].name.clone());
                }
                self.set(var, value);
                None
            }
            Some((_, Access::End)) => None,
            Some((var, Access::Reset)) => {
                let Variable { ty, name, .. } = &self.vars[var];
                let reg = self.body.regs.push(RegInfo { ty: *ty, name: name.clone() });
                self.uninit.push(reg);
                self.set(var, reg.into());
                Some(Inst { op: Op::Uninit { ty: *ty }, result: Some(reg), place: inst.place })
            }
        }
    }
}

/// Most variables are written before they are read.
fn remove_unused_uninit(body: &mut Body, uninit: &[Reg]) {
    let mut unused = vec![false; body.regs.len()];
    uninit.iter().for_each(|reg| unused[reg.index()] = true);
    let mut used = |operand: Operand| {
        if let Some(reg) = operand.as_reg() {
            unused[reg.index()] = false;
        }
    };
    for block in body.blocks.values() {
        block.insts.iter().for_each(|inst| inst.op.each_operand(|operand, _| used(*operand)));
        block.terminator.each_operand(|operand, _| used(operand));
        block.terminator.each_target(|target| target.args.iter().for_each(|arg| used(*arg)));
    }
    for block in body.blocks.values_mut() {
        block.insts.retain(|inst| !inst.result.is_some_and(|reg| unused[reg.index()]));
    }
}
