//! Calls of functions, intrinsics and primitives, and through pointers; variable arguments; calls whose arguments
//! disagree with the callee.
//!
//! Variable arguments lie in an area that the caller fills and whose address is the last argument. Its layout is that
//! of the arguments on the stack in the x86 ABIs, so that the code clang makes for `va_arg` reads it: slots of 8 bytes
//! (4 in 32-bit programs), objects of alignment 16 aligned, structs inline.

use super::values::Leaf;
use super::{FunctionImport, is_inline_asm};
use crate::constants::{Base, Scalar};
use crate::importer::is_function;
use crate::llvm::{Ty, Value};
use crate::types::{Lowered, leaf_types, memory_leaves, unsupported};
use llvm_sys::LLVMValueKind;
use tp_ir::{
    Call, Callee, CastOp, Const, DataModel, FuncId, LocalInfo, MemoryOrder, Op, Operand, Reg, Type, Width,
};

/// `gp_offset` and `fp_offset` of a va_list whose registers are all used up (System V ABI AMD64, 3.5.7).
const GENERAL_REGISTERS_END: u128 = 48;
const FLOAT_REGISTERS_END: u128 = 176;

/// An argument as the caller passes it.
#[derive(Clone, Copy)]
pub struct Argument<'a> {
    value: Value<'a>,
    /// Passed by value: the type of the object that the callee gets a copy of.
    byval: Option<Ty<'a>>,
}

impl<'a> FunctionImport<'_, 'a> {
    pub fn call(&mut self, instruction: Value<'a>) -> Lowered<Option<Vec<Leaf>>> {
        let Some(callee) = instruction.called_value() else { return unsupported("a call without a callee") };
        if is_inline_asm(callee) {
            return self.assembly(instruction, callee);
        }
        if is_function(callee) {
            if let Some(name) = callee.intrinsic_name() {
                return self.intrinsic(instruction, &name);
            }
            let resolved = self.importer.linker.resolve(callee);
            if resolved.is_declaration() && callee.name().starts_with("__tp_") {
                return self.primitive(instruction, &callee.name());
            }
        }
        let arguments = arguments(instruction);
        if let Some(function) = self.called_function(callee) {
            return self.direct_call(instruction, function, &arguments).map(Some);
        }
        let ty = instruction.called_type();
        let fixed = ty.parameters().len();
        let takes_area = ty.is_variadic() && fixed > 0;
        let direct = if takes_area { fixed.min(arguments.len()) } else { arguments.len() };
        let mut operands: Vec<Operand> =
            self.flat(&arguments[..direct])?.into_iter().map(|(a, _)| a).collect();
        let mut area = None;
        if takes_area {
            let (address, size) = self.variable_arguments(&arguments[direct..])?;
            operands.push(address);
            area = (size > 0).then_some(address);
        }
        let callee = Callee::Indirect(self.operand(callee)?);
        let results: Vec<Reg> =
            leaf_types(instruction.ty())?.into_iter().map(|ty| self.register(ty)).collect();
        let leaves = results.iter().map(|&r| Leaf::Known(r.into())).collect();
        self.effect(Op::Call(Box::new(Call { callee, args: operands.into(), results: results.into() })));
        if let Some(ptr) = area {
            self.effect(Op::ScopeEnd { ptr, last: false });
        }
        Ok(Some(leaves))
    }

    /// The called function, if it is known, and how many of its parameters are fixed.
    fn called_function(&mut self, callee: Value<'a>) -> Option<(FuncId, usize)> {
        if is_function(callee) || matches!(callee.kind(), LLVMValueKind::LLVMGlobalAliasValueKind) {
            let resolved = self.importer.linker.resolve(callee);
            if is_function(resolved) {
                return Some(self.function_and_fixed(resolved));
            }
        }
        if !callee.is_constant() {
            return None;
        }
        match self.importer.scalar(callee) {
            Ok(Scalar::Address { base: Base::Function(id), offset: 0, .. }) => {
                let row = &self.importer.tables.functions[id];
                (!row.variadic).then_some((id, 0))
            }
            _ => None,
        }
    }

    fn function_and_fixed(&mut self, resolved: Value<'a>) -> (FuncId, usize) {
        (self.importer.function(resolved), resolved.value_type().parameters().len())
    }

    /// A call of a model that the import itself chooses, such as `abort` for a trap.
    pub fn model_call(
        &mut self,
        instruction: Value<'a>,
        name: &str,
        count: usize,
    ) -> Lowered<Option<Vec<Leaf>>> {
        let Some(resolved) = self.importer.linker.model(name) else {
            return unsupported(format!("the function `{name}`, which has no model"));
        };
        let function = self.function_and_fixed(resolved);
        let mut arguments = arguments(instruction);
        arguments.truncate(count);
        self.direct_call(instruction, function, &arguments).map(Some)
    }

    /// `fixed`: how many arguments come before the variable ones; only used if the function is variadic.
    fn direct_call(
        &mut self,
        instruction: Value<'a>,
        (id, fixed): (FuncId, usize),
        arguments: &[Argument<'a>],
    ) -> Lowered<Vec<Leaf>> {
        let row = &self.importer.tables.functions[id];
        let (params, results, variadic) = (row.params.clone(), row.results.clone(), row.variadic);
        let direct = if variadic { fixed.min(arguments.len()) } else { arguments.len() };
        let given = self.flat(&arguments[..direct])?;
        let mut args = Vec::with_capacity(params.len() + 1);
        for (i, &wanted) in params.iter().enumerate() {
            let leaf = given.get(i).map(|&(operand, ty)| self.adapted(operand, ty, wanted));
            args.push(self.known(leaf.unwrap_or(Leaf::Undefined(wanted))));
        }
        let mut area = None;
        if variadic {
            let (address, size) = self.variable_arguments(&arguments[direct..])?;
            args.push(address);
            area = (size > 0).then_some(address);
        }
        let expected = leaf_types(instruction.ty())?;
        let taken: Vec<(Reg, Type)> =
            results.iter().take(expected.len()).map(|&ty| (self.register(ty), ty)).collect();
        let registers = taken.iter().map(|&(reg, _)| reg).collect();
        self.effect(Op::Call(Box::new(Call {
            callee: Callee::Direct(id),
            args: args.into(),
            results: registers,
        })));
        if let Some(ptr) = area {
            self.effect(Op::ScopeEnd { ptr, last: false });
        }
        let leaf = |(i, &wanted): (usize, &Type)| match taken.get(i) {
            Some(&(reg, ty)) => self.adapted(reg.into(), ty, wanted),
            None => Leaf::Undefined(wanted),
        };
        Ok(expected.iter().enumerate().map(leaf).collect())
    }

    /// The scalars of arguments, in order.
    fn flat(&mut self, arguments: &[Argument<'a>]) -> Lowered<Vec<(Operand, Type)>> {
        let mut list = Vec::new();
        for argument in arguments {
            let types = leaf_types(argument.value.ty())?;
            for (leaf, ty) in self.leaves(argument.value)?.into_iter().zip(types) {
                list.push((self.known(leaf), ty));
            }
        }
        Ok(list)
    }

    /// An argument or result in the type that the other side expects, roughly as an x86 register passes it on.
    fn adapted(&mut self, operand: Operand, from: Type, to: Type) -> Leaf {
        let data = self.importer.data_model;
        let (from_width, to_width) = (from.width(data), to.width(data));
        let op = match (from, to) {
            _ if from == to => return Leaf::Known(operand),
            (Type::Int(_), Type::Int(_)) if from_width > to_width => CastOp::Trunc,
            (Type::Int(_), Type::Int(_)) => CastOp::SExt,
            (Type::Ptr, Type::Int(_)) => CastOp::PtrToInt,
            (Type::Int(_), Type::Ptr) => CastOp::IntToPtr,
            (Type::F32 | Type::F64, Type::F32 | Type::F64) => CastOp::FloatToFloat,
            (Type::F32 | Type::F64, Type::Int(_)) | (Type::Int(_), Type::F32 | Type::F64)
                if from_width == to_width =>
            {
                CastOp::Bitcast
            }
            _ => return Leaf::Undefined(to),
        };
        Leaf::Known(self.cast(op, from, to, operand))
    }

    /// Fills an area with variable arguments; returns its address and size.
    fn variable_arguments(&mut self, arguments: &[Argument<'a>]) -> Lowered<(Operand, u64)> {
        let layout = self.importer.layout;
        let slot: u64 = match self.importer.data_model {
            DataModel::Lp64 => 8,
            DataModel::Ilp32 => 4,
        };
        let mut positions = Vec::with_capacity(arguments.len());
        let mut size: u64 = 0;
        for argument in arguments {
            let ty = argument.byval.unwrap_or_else(|| argument.value.ty());
            let align = if slot == 8 && layout.align(ty) >= 16 { 16 } else { slot };
            size = size.next_multiple_of(align);
            positions.push((size, ty));
            size += layout.size(ty).next_multiple_of(slot);
        }
        if size == 0 {
            return Ok((self.constant_row(Const::Null), 0));
        }
        // Private: only the callee has its address, and a `va_list` is of no use to another thread. The name is the
        // one that declares such arguments.
        let info = LocalInfo { name: Some("...".into()), ty: None };
        let area = self.extra_local(size, 16, true, Box::new(info));
        self.effect(Op::ScopeBegin { ptr: area });
        for (argument, (at, ty)) in arguments.iter().zip(positions) {
            if argument.byval.is_some() {
                let from = self.operand(argument.value)?;
                let to = self.offset(area, at as i64);
                self.copy_bytes(to, from, layout.size(ty));
                continue;
            }
            let parts = memory_leaves(layout, ty)?;
            for ((part, ty), leaf) in parts.into_iter().zip(self.leaves(argument.value)?) {
                self.store_leaf(area, at + part, ty, leaf, MemoryOrder::Plain);
            }
        }
        Ok((area, size))
    }

    /// `va_start`: the list starts with the area that the caller filled.
    pub fn start_variable_arguments(&mut self, list: Operand) -> Lowered<()> {
        let is_variadic = self.function.value_type().is_variadic();
        let Some(&area) = self.body.params.last().filter(|_| is_variadic) else {
            return unsupported("va_start in a function without variable arguments");
        };
        let area = Leaf::Known(area.into());
        if self.importer.data_model == DataModel::Ilp32 {
            self.store_leaf(list, 0, Type::Ptr, area, MemoryOrder::Plain);
            return Ok(());
        }
        let word = Type::Int(Width::W32);
        let general = Leaf::Known(self.int(Width::W32, GENERAL_REGISTERS_END));
        let float = Leaf::Known(self.int(Width::W32, FLOAT_REGISTERS_END));
        let null = Leaf::Known(self.constant_row(Const::Null));
        self.store_leaf(list, 0, word, general, MemoryOrder::Plain);
        self.store_leaf(list, 4, word, float, MemoryOrder::Plain);
        self.store_leaf(list, 8, Type::Ptr, area, MemoryOrder::Plain);
        self.store_leaf(list, 16, Type::Ptr, null, MemoryOrder::Plain);
        Ok(())
    }

    /// `va_copy`: a va_list is a pointer in 32-bit programs, else a record of 24 bytes.
    pub fn copy_variable_arguments(&mut self, to: Operand, from: Operand) {
        let size = match self.importer.data_model {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 24,
        };
        self.copy_bytes(to, from, size);
    }
}

fn arguments(instruction: Value<'_>) -> Vec<Argument<'_>> {
    let values = (0..).zip(instruction.arguments());
    values.map(|(i, value)| Argument { value, byval: instruction.byval_argument(i) }).collect()
}
