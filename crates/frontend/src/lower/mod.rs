//! The import of one function: blocks, block parameters for phi nodes, terminators; the rest is in the other modules.
//!
//! | module | what it lowers |
//! |---|---|
//! | `values` | operands, and emitting instructions |
//! | `arithmetic` | integer and float operations, comparisons, casts, aggregates and vectors |
//! | `memory` | locals, addresses, loads and stores, atomics |
//! | `calls` | calls, variable arguments, arguments that disagree with the callee |
//! | `intrinsics`, `bits` | LLVM's intrinsics, and the expansion of those that are arithmetic |
//! | `guards` | branches on options of the models |
//! | `primitives` | the primitives of models/tp.h |
//! | `scopes` | lifetime marks for locals that clang does not mark |
//! | `assembly`, `x86` | the forms of inline assembly that are understood, and their syntax |
//!
//! Blocks are lowered in reverse postorder, so that a value is known before it is used; only the arguments of block
//! parameters may come later, and are filled in at the end.

mod arithmetic;
mod assembly;
mod bits;
mod calls;
mod guards;
mod intrinsics;
mod memory;
mod primitives;
mod scopes;
mod values;
mod x86;

use crate::importer::Importer;
use crate::llvm::{Block, Meta, Value};
use crate::types::{Lowered, leaf_types, unsupported};
use llvm_sys::{LLVMOpcode, LLVMValueKind};
use scopes::Scopes;
use std::collections::{HashMap, HashSet};
use tp_ir::{
    BlockId, Body, CastOp, FuncId, Inst, ModelEffect, Op, Operand, Origin, PlaceId, Property, Reg, RegInfo,
    Switch, Target, Terminator, Type, Width,
};
use values::Leaf;

pub struct FunctionImport<'i, 'a> {
    importer: &'i mut Importer<'a>,
    function: Value<'a>,
    body: Body,
    /// The block that instructions are appended to, and the place they get.
    block: BlockId,
    place: PlaceId,
    blocks: HashMap<Block<'a>, BlockId>,
    values: HashMap<Value<'a>, Vec<Leaf>>,
    /// By edge (from, to): the values of the phi nodes of `to`.
    incoming: HashMap<(Block<'a>, Block<'a>), Vec<Value<'a>>>,
    /// The variable that lives at an address, and where it is declared.
    variables: HashMap<Value<'a>, (Meta<'a>, Option<Meta<'a>>)>,
    /// Locals that the import itself needs; they go to the front of the entry block.
    extra_locals: Vec<Inst>,
    scopes: Scopes<'a>,
    is_atomic: bool,
    /// The function is `quiet`: its relaxed accesses order nothing.
    is_quiet: bool,
}

/// The body of a defined function.
pub fn function_body<'a>(importer: &mut Importer<'a>, id: FuncId, function: Value<'a>) -> Body {
    let row = &importer.tables.functions[id];
    let (place, params, variadic) = (row.place, row.params.clone(), row.variadic);
    let by_user = row.origin == Origin::User;
    let is_quiet = row.trusted_effects().contains(&ModelEffect::Quiet);
    let name = row.name.to_string();
    let mut import = FunctionImport {
        importer,
        function,
        body: Body::default(),
        block: BlockId::from_u32(0),
        place,
        blocks: HashMap::new(),
        values: HashMap::new(),
        incoming: HashMap::new(),
        variables: HashMap::new(),
        extra_locals: Vec::new(),
        scopes: Scopes::default(),
        is_atomic: by_user && is_atomic_by_name(&name),
        is_quiet,
    };
    let order = import.number_blocks();
    import.collect_variables(&order);
    import.parameters(&params, variadic);
    if by_user && name == "reach_error" {
        import.report_error_call();
    }
    if import.is_atomic {
        import.effect(Op::AtomicBegin);
    }
    for &block in &order {
        import.phi_nodes(block);
    }
    for &block in &order {
        import.instructions(block);
    }
    for &block in &order {
        import.terminator(block);
    }
    import.finish()
}

/// Whether the name makes the function one atomic step, by the rules of SV-COMP.
fn is_atomic_by_name(name: &str) -> bool {
    let rest = name.strip_prefix("__VERIFIER_atomic_");
    rest.is_some_and(|rest| rest != "begin" && rest != "end")
}

impl<'a> FunctionImport<'_, 'a> {
    /// Gives numbers to the blocks that can be reached, in the order of the function; returns them in reverse
    /// postorder.
    fn number_blocks(&mut self) -> Vec<Block<'a>> {
        let Some(entry) = self.function.blocks().next() else { return Vec::new() };
        let next = |b: Block<'a>| b.terminator().map(|last| self.followed(last)).unwrap_or_default();
        let mut seen = HashSet::from([entry]);
        let mut postorder = Vec::new();
        let mut stack = vec![(entry, next(entry).into_iter())];
        while let Some((block, rest)) = stack.last_mut() {
            match rest.next() {
                Some(successor) if seen.insert(successor) => {
                    stack.push((successor, next(successor).into_iter()))
                }
                Some(_) => {}
                None => {
                    postorder.push(*block);
                    stack.pop();
                }
            }
        }
        for block in self.function.blocks().filter(|b| seen.contains(b)) {
            let row = tp_ir::Block {
                params: Vec::new(),
                insts: Vec::new(),
                terminator: Terminator::Unreachable,
                terminator_place: self.place,
            };
            self.blocks.insert(block, self.body.blocks.push(row));
        }
        postorder.reverse();
        postorder
    }

    fn collect_variables(&mut self, order: &[Block<'a>]) {
        for record in order.iter().flat_map(|b| b.instructions()).flat_map(|i| i.debug_records()) {
            if let Some((address, variable, place)) = record.declared() {
                self.variables.entry(address).or_insert((variable, place));
            }
        }
    }

    fn register(&mut self, ty: Type) -> Reg {
        self.body.regs.push(RegInfo { ty, name: None })
    }

    /// A parameter of several leaves is several parameters; one passed by value is copied into a local.
    fn parameters(&mut self, types: &[Type], variadic: bool) {
        for &ty in types {
            let reg = self.register(ty);
            self.body.params.push(reg);
        }
        if variadic {
            let area = self.register(Type::Ptr);
            self.body.params.push(area);
        }
        let mut position = 0;
        for (i, parameter) in (0..).zip(self.function.parameters()) {
            let count = leaf_types(parameter.ty()).map_or(0, |leaves| leaves.len());
            let regs = &self.body.params[position..position + count];
            let mut leaves: Vec<Leaf> = regs.iter().map(|&r| Leaf::Known(r.into())).collect();
            position += count;
            if let Some(ty) = self.function.byval_parameter(i)
                && let [Leaf::Known(from)] = leaves[..]
            {
                leaves = vec![Leaf::Known(self.copy_of_argument(parameter, from, ty))];
            }
            self.values.insert(parameter, leaves);
        }
    }

    fn report_error_call(&mut self) {
        let cond = self.int(Width::BOOL, 0);
        let message = self.importer.message("reach_error.message", "reach_error() is called");
        self.effect(Op::Assert { cond, property: Property::ReachError, message, goes_on: false });
    }

    /// Makes block parameters for the phi nodes of a block.
    fn phi_nodes(&mut self, block: Block<'a>) {
        let id = self.blocks[&block];
        for phi in block.instructions().take_while(|i| i.opcode() == LLVMOpcode::LLVMPHI) {
            let types = leaf_types(phi.ty()).unwrap_or_default();
            let regs: Vec<Reg> = types.into_iter().map(|ty| self.register(ty)).collect();
            self.values.insert(phi, regs.iter().map(|&r| Leaf::Known(r.into())).collect());
            self.body.blocks[id].params.extend(regs);
            // A phi lists a predecessor once per edge; several edges from one switch carry the same value.
            let mut seen = HashSet::new();
            for (from, value) in phi.incoming().filter(|(from, _)| seen.insert(*from)) {
                self.incoming.entry((from, block)).or_default().push(value);
            }
        }
    }

    fn instructions(&mut self, block: Block<'a>) {
        self.block = self.blocks[&block];
        for instruction in block.instructions().filter(|i| i.opcode() != LLVMOpcode::LLVMPHI) {
            self.move_to(instruction);
            match self.instruction(instruction) {
                Ok(Some(leaves)) => {
                    self.values.insert(instruction, leaves);
                }
                Ok(None) => {}
                Err(what) => self.report_unsupported(instruction, what.0),
            }
        }
    }

    /// An instruction without a location gets the place of the one before it.
    fn move_to(&mut self, instruction: Value<'a>) {
        let location = instruction.debug_location();
        let place = location.and_then(|l| self.importer.places.of_location(&mut self.importer.tables, l));
        self.place = place.unwrap_or(self.place);
        // Clang gives lifetime marks any convenient location: it does not say which lexical block the code is in.
        if let Some(source) = location.and_then(|l| l.location_scope()).filter(|_| !is_mark(instruction)) {
            self.scopes.begin(self.block, self.body.blocks[self.block].insts.len(), source);
        }
    }

    fn report_unsupported(&mut self, instruction: Value<'a>, what: String) {
        self.effect(Op::Unsupported { what: what.into() });
        let leaves = leaf_types(instruction.ty()).unwrap_or_default();
        self.values.insert(instruction, leaves.into_iter().map(Leaf::Undefined).collect());
    }

    /// Lowers anything but phi nodes and the jump of a terminator; returns the value of the instruction, if it has one.
    fn instruction(&mut self, instruction: Value<'a>) -> Lowered<Option<Vec<Leaf>>> {
        use LLVMOpcode::*;
        let opcode = instruction.opcode();
        match opcode {
            LLVMRet | LLVMBr | LLVMSwitch | LLVMIndirectBr | LLVMUnreachable => Ok(None),
            LLVMAlloca | LLVMLoad | LLVMAtomicCmpXchg | LLVMAtomicRMW => self.memory(instruction).map(Some),
            LLVMStore | LLVMFence => self.memory(instruction).map(|_| None),
            LLVMCall | LLVMInvoke => self.call(instruction),
            LLVMVAArg => unsupported("the instruction va_arg"),
            LLVMLandingPad | LLVMResume | LLVMCleanupRet | LLVMCatchRet | LLVMCatchPad | LLVMCleanupPad
            | LLVMCatchSwitch => unsupported("exceptions"),
            LLVMCallBr => unsupported("inline assembly with jumps"),
            _ => self.operation(opcode, instruction).map(Some),
        }
    }

    fn terminator(&mut self, block: Block<'a>) {
        self.block = self.blocks[&block];
        let Some(last) = block.terminator() else { return };
        self.place = self.body.blocks[self.block].insts.last().map_or(self.place, |i| i.place);
        self.move_to(last);
        let terminator = match self.jump(block, last) {
            Ok(terminator) => terminator,
            Err(what) => {
                self.effect(Op::Unsupported { what: what.0.into() });
                Terminator::Unreachable
            }
        };
        let row = &mut self.body.blocks[self.block];
        row.terminator = terminator;
        row.terminator_place = self.place;
    }

    fn jump(&mut self, block: Block<'a>, last: Value<'a>) -> Lowered<Terminator> {
        use LLVMOpcode::*;
        match last.opcode() {
            LLVMRet => self.return_values(last),
            LLVMBr if let Some(to) = self.only_way(last) => Ok(Terminator::Jump(self.target(block, to)?)),
            LLVMBr => {
                let targets: Vec<Block<'a>> = last.successors();
                match (last.branch_condition(), &targets[..]) {
                    (None, &[to]) => Ok(Terminator::Jump(self.target(block, to)?)),
                    (Some(cond), &[then, otherwise]) => {
                        let cond = self.operand(cond)?;
                        let then = self.target(block, then)?;
                        Ok(Terminator::Branch { cond, then, otherwise: self.target(block, otherwise)? })
                    }
                    _ => unsupported("a branch of an unknown form"),
                }
            }
            LLVMSwitch => self.switch(block, last),
            LLVMIndirectBr => self.computed_goto(block, last),
            LLVMInvoke => match last.invoke_normal() {
                Some(to) => Ok(Terminator::Jump(self.target(block, to)?)),
                None => Ok(Terminator::Unreachable),
            },
            _ => Ok(Terminator::Unreachable),
        }
    }

    fn return_values(&mut self, last: Value<'a>) -> Lowered<Terminator> {
        let leaves = match last.operand(0) {
            Some(value) if leaf_types(value.ty()).is_ok() => self.leaves(value)?,
            _ => Vec::new(),
        };
        let operands = leaves.into_iter().map(|leaf| self.known(leaf)).collect();
        if self.is_atomic {
            self.effect(Op::AtomicEnd);
        }
        Ok(Terminator::Return(operands))
    }

    fn target(&mut self, from: Block<'a>, to: Block<'a>) -> Lowered<Target> {
        let mut args = Vec::new();
        for value in self.incoming.get(&(from, to)).cloned().unwrap_or_default() {
            if leaf_types(value.ty()).is_ok() {
                let leaves = self.leaves(value)?;
                args.extend(leaves.into_iter().map(|leaf| self.known(leaf)));
            }
        }
        Ok(Target { block: self.blocks[&to], args: args.into() })
    }

    fn switch(&mut self, block: Block<'a>, last: Value<'a>) -> Lowered<Terminator> {
        let Some(value) = last.operand(0) else { return unsupported("a switch without a value") };
        let (value, ty) = self.typed_operand(value)?;
        let Type::Int(width) = ty else { return unsupported("a switch over a non-integer") };
        let targets = last.successors();
        let Some((&default, others)) = targets.split_first() else {
            return unsupported("a switch without targets");
        };
        let mut cases = Vec::with_capacity(others.len());
        for (i, &to) in (1..).zip(others) {
            let Some(bits) = last.switch_case(i).and_then(|v| v.int_bits(width.bits())) else {
                return unsupported("a switch whose cases cannot be read");
            };
            cases.push((bits, self.target(block, to)?));
        }
        let default = self.target(block, default)?;
        Ok(Terminator::Switch(Box::new(Switch { value, width, cases, default })))
    }

    /// `goto *address`: the address of a label is the number of its block.
    fn computed_goto(&mut self, block: Block<'a>, last: Value<'a>) -> Lowered<Terminator> {
        let Some(address) = last.operand(0) else { return unsupported("a goto without an address") };
        let address = self.operand(address)?;
        let width = self.importer.data_model.pointer_width();
        let ty = Type::Int(width);
        let value = self.compute(Op::Cast { op: CastOp::PtrToInt, from: Type::Ptr, to: ty, a: address }, ty);
        let targets: HashSet<Block<'a>> = last.successors().into_iter().collect();
        let mut cases = Vec::new();
        for (number, to) in (1..).zip(self.function.blocks()) {
            if targets.contains(&to) {
                cases.push((number, self.target(block, to)?));
            }
        }
        let nowhere = self.body.blocks.push(tp_ir::Block {
            params: Vec::new(),
            insts: Vec::new(),
            terminator: Terminator::Unreachable,
            terminator_place: self.place,
        });
        let default = Target { block: nowhere, args: Box::default() };
        Ok(Terminator::Switch(Box::new(Switch { value, width, cases, default })))
    }

    fn finish(mut self) -> Body {
        self.scopes.mark(&mut self.body);
        if let Some(entry) = self.body.blocks.values_mut().next() {
            entry.insts.splice(0..0, self.extra_locals);
        }
        self.body
    }

    fn int(&mut self, width: Width, bits: u128) -> Operand {
        self.importer.tables.int(width, bits)
    }
}

/// Whether a call begins or ends the lifetime of locals.
fn is_mark(instruction: Value<'_>) -> bool {
    if instruction.opcode() != LLVMOpcode::LLVMCall {
        return false;
    }
    let called = instruction.called_value().filter(|f| crate::importer::is_function(*f));
    let name = called.and_then(|f| f.intrinsic_name()).unwrap_or_default();
    ["llvm.lifetime.", "llvm.stacksave", "llvm.stackrestore"].iter().any(|mark| name.starts_with(mark))
}

fn is_inline_asm(value: Value<'_>) -> bool {
    matches!(value.kind(), LLVMValueKind::LLVMInlineAsmValueKind)
}
