//! Operands, and emitting instructions.

use super::FunctionImport;
use crate::constants::{Base, Scalar};
use crate::llvm::{TyKind, Value};
use crate::types::{Lowered, leaf_types, scalar_type, unsupported};
use llvm_sys::LLVMValueKind;
use tp_ir::{BinOp, CastOp, CmpOp, Const, Inst, Op, Operand, Reg, Type, Width, eval};

/// One scalar of a value. An undefined one becomes an instruction only where it is used.
#[derive(Copy, Clone)]
pub enum Leaf {
    Known(Operand),
    Undefined(Type),
}

impl<'a> FunctionImport<'_, 'a> {
    pub fn emit(&mut self, op: Op, result: Option<Reg>) {
        let place = self.place;
        self.body.blocks[self.block].insts.push(Inst { op, result, place });
    }

    pub fn effect(&mut self, op: Op) {
        self.emit(op, None);
    }

    /// Emits an instruction with a result.
    pub fn compute(&mut self, op: Op, ty: Type) -> Operand {
        let result = self.register(ty);
        self.emit(op, Some(result));
        result.into()
    }

    pub fn known(&mut self, leaf: Leaf) -> Operand {
        match leaf {
            Leaf::Known(operand) => operand,
            Leaf::Undefined(ty) => self.compute(Op::Uninit { ty }, ty),
        }
    }

    /// A value that is one scalar.
    pub fn operand(&mut self, value: Value<'a>) -> Lowered<Operand> {
        match self.leaves(value)?[..] {
            [leaf] => Ok(self.known(leaf)),
            _ => unsupported("an aggregate where a scalar is expected"),
        }
    }

    pub fn typed_operand(&mut self, value: Value<'a>) -> Lowered<(Operand, Type)> {
        let ty = scalar_type(value.ty())?;
        Ok((self.operand(value)?, ty))
    }

    /// The scalars of a value.
    pub fn leaves(&mut self, value: Value<'a>) -> Lowered<Vec<Leaf>> {
        if let Some(leaves) = self.values.get(&value) {
            return Ok(leaves.clone());
        }
        if value.is_constant() {
            return self.constant(value);
        }
        // Only code that cannot be reached uses a value that was not lowered.
        Ok(leaf_types(value.ty())?.into_iter().map(Leaf::Undefined).collect())
    }

    fn constant(&mut self, value: Value<'a>) -> Lowered<Vec<Leaf>> {
        let count = match value.ty().kind() {
            TyKind::Struct => value.ty().struct_elements().len() as u64,
            TyKind::Array { len, .. } => len,
            TyKind::Vector { len, .. } => len as u64,
            _ => return Ok(vec![self.constant_scalar(value)?]),
        };
        let types = leaf_types(value.ty())?;
        if let LLVMValueKind::LLVMUndefValueValueKind | LLVMValueKind::LLVMPoisonValueKind = value.kind() {
            return Ok(types.into_iter().map(Leaf::Undefined).collect());
        }
        let mut leaves = Vec::with_capacity(types.len());
        for i in 0..count as u32 {
            match value.element(i) {
                Some(element) => leaves.extend(self.constant(element)?),
                None => return unsupported("an aggregate constant that cannot be taken apart"),
            }
        }
        Ok(leaves)
    }

    fn constant_scalar(&mut self, value: Value<'a>) -> Lowered<Leaf> {
        if matches!(value.kind(), LLVMValueKind::LLVMPoisonValueKind) {
            return unsupported("an operation on constants that has no value");
        }
        match self.importer.scalar(value) {
            Ok(scalar) => Ok(self.scalar_leaf(scalar)),
            // An expression that is no constant of ours can still be computed, with the operations of instructions.
            Err(_) if matches!(value.kind(), LLVMValueKind::LLVMConstantExprValueKind) => {
                match self.operation(value.constant_opcode(), value)?[..] {
                    [leaf] => Ok(leaf),
                    _ => unsupported("a constant expression that is an aggregate"),
                }
            }
            Err(what) => Err(what),
        }
    }

    fn scalar_leaf(&mut self, scalar: Scalar) -> Leaf {
        match scalar {
            Scalar::Undefined { ty } => Leaf::Undefined(ty),
            Scalar::Bits { ty: Type::Int(width), bits } => Leaf::Known(self.int(width, bits)),
            Scalar::Bits { ty: Type::F32, bits } => Leaf::Known(self.constant_row(Const::F32(bits as u32))),
            Scalar::Bits { ty: Type::F64, bits } => Leaf::Known(self.constant_row(Const::F64(bits as u64))),
            Scalar::Bits { ty: Type::Ptr, bits: 0 } => Leaf::Known(self.constant_row(Const::Null)),
            Scalar::Bits { ty: Type::Ptr, bits } => {
                let width = self.importer.data_model.pointer_width();
                let a = self.int(width, bits);
                Leaf::Known(self.cast(CastOp::IntToPtr, Type::Int(width), Type::Ptr, a))
            }
            Scalar::Address { ty, base, offset } => {
                let address = self.address_of(base, offset);
                match ty {
                    Type::Ptr => Leaf::Known(address),
                    _ => Leaf::Known(self.cast(CastOp::PtrToInt, Type::Ptr, ty, address)),
                }
            }
        }
    }

    fn address_of(&mut self, base: Base, offset: i64) -> Operand {
        match base {
            Base::Global(global) if self.importer.tables.globals[global].thread_local => {
                let instance = self.compute(Op::ThreadLocal { global }, Type::Ptr);
                self.offset(instance, offset)
            }
            Base::Global(global) => self.constant_row(Const::Global { global, offset }),
            Base::Function(function) => {
                let start = self.constant_row(Const::Function(function));
                self.offset(start, offset)
            }
        }
    }

    pub fn constant_row(&mut self, constant: Const) -> Operand {
        self.importer.tables.constant(constant)
    }

    pub fn const_of(&self, operand: Operand) -> Option<&Const> {
        operand.as_const().map(|id| &self.importer.tables.constants.table()[id])
    }

    /// The address `by` bytes after `base`.
    pub fn offset(&mut self, base: Operand, by: i64) -> Operand {
        if by == 0 {
            return base;
        }
        if let Some(&Const::Global { global, offset }) = self.const_of(base) {
            return self.constant_row(Const::Global { global, offset: offset.wrapping_add(by) });
        }
        let width = self.importer.data_model.pointer_width();
        let index = self.int(width, by as u128);
        self.compute(Op::PtrAdd { base, index, width, scale: 1 }, Type::Ptr)
    }

    pub fn cast(&mut self, op: CastOp, from: Type, to: Type, a: Operand) -> Operand {
        if let (CastOp::Trunc | CastOp::ZExt | CastOp::SExt, &Type::Int(width)) = (op, &to)
            && let Some(&Const::Int { width: own, bits }) = self.const_of(a)
            && let Ok(bits) = eval::cast(op, (from, own), (to, width), bits)
        {
            return self.int(width, bits);
        }
        self.compute(Op::Cast { op, from, to, a }, to)
    }

    /// An integer operation that wraps.
    pub fn binary(&mut self, op: BinOp, width: Width, a: Operand, b: Operand) -> Operand {
        self.compute(Op::Binary { op, width, a, b, checked: false }, Type::Int(width))
    }

    pub fn compare(&mut self, op: CmpOp, width: Width, a: Operand, b: Operand) -> Operand {
        self.compute(Op::Cmp { op, width, a, b }, Type::BOOL)
    }

    pub fn select(&mut self, ty: Type, cond: Operand, a: Operand, b: Operand) -> Operand {
        self.compute(Op::Select { cond, a, b }, ty)
    }

    /// An integer operand, with its width.
    pub fn int_operand(&mut self, value: Value<'a>) -> Lowered<(Operand, Width)> {
        match self.typed_operand(value)? {
            (operand, Type::Int(width)) => Ok((operand, width)),
            _ => unsupported("a number of another type"),
        }
    }

    /// The value of an operand that must be a constant.
    pub fn literal(&mut self, value: Value<'a>) -> Lowered<u128> {
        match self.importer.scalar(value) {
            Ok(Scalar::Bits { bits, .. }) if value.is_constant() => Ok(bits),
            _ => unsupported("an argument that has to be a constant"),
        }
    }
}
