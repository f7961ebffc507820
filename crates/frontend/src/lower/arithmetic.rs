//! Operations on values alone: integer and float arithmetic, comparisons, casts, and the parts of aggregates. Vectors
//! are computed lane by lane.

use super::FunctionImport;
use super::values::Leaf;
use crate::llvm::{Ty, TyKind, Value};
use crate::types::{Lowered, leaf_position, leaf_types, scalar_type, unsupported};
use llvm_sys::{LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate, LLVMValueKind};
use tp_ir::{BinOp, CastOp, CmpOp, FloatBinary, FloatCmp, FloatUnary, Op, Operand, Type, Width};

/// The type of a scalar, or of one lane of a vector.
pub fn lane_type(ty: Ty<'_>) -> Lowered<Type> {
    match ty.kind() {
        TyKind::Vector { element, .. } => scalar_type(element),
        _ => scalar_type(ty),
    }
}

fn int_op(opcode: LLVMOpcode) -> Option<BinOp> {
    use LLVMOpcode::*;
    Some(match opcode {
        LLVMAdd => BinOp::Add,
        LLVMSub => BinOp::Sub,
        LLVMMul => BinOp::Mul,
        LLVMUDiv => BinOp::UDiv,
        LLVMSDiv => BinOp::SDiv,
        LLVMURem => BinOp::URem,
        LLVMSRem => BinOp::SRem,
        LLVMShl => BinOp::Shl,
        LLVMLShr => BinOp::LShr,
        LLVMAShr => BinOp::AShr,
        LLVMAnd => BinOp::And,
        LLVMOr => BinOp::Or,
        LLVMXor => BinOp::Xor,
        _ => return None,
    })
}

fn float_op(opcode: LLVMOpcode) -> Option<FloatBinary> {
    use LLVMOpcode::*;
    Some(match opcode {
        LLVMFAdd => FloatBinary::Add,
        LLVMFSub => FloatBinary::Sub,
        LLVMFMul => FloatBinary::Mul,
        LLVMFDiv => FloatBinary::Div,
        LLVMFRem => FloatBinary::Rem,
        _ => return None,
    })
}

fn cast_op(opcode: LLVMOpcode) -> Option<CastOp> {
    use LLVMOpcode::*;
    Some(match opcode {
        LLVMTrunc => CastOp::Trunc,
        LLVMZExt => CastOp::ZExt,
        LLVMSExt => CastOp::SExt,
        LLVMFPToUI => CastOp::FloatToUnsigned,
        LLVMFPToSI => CastOp::FloatToSigned,
        LLVMUIToFP => CastOp::UnsignedToFloat,
        LLVMSIToFP => CastOp::SignedToFloat,
        LLVMFPTrunc | LLVMFPExt => CastOp::FloatToFloat,
        LLVMPtrToInt | LLVMPtrToAddr => CastOp::PtrToInt,
        LLVMIntToPtr => CastOp::IntToPtr,
        _ => return None,
    })
}

pub(super) fn compare_op(predicate: LLVMIntPredicate) -> CmpOp {
    use LLVMIntPredicate::*;
    match predicate {
        LLVMIntEQ => CmpOp::Eq,
        LLVMIntNE => CmpOp::Ne,
        LLVMIntUGT => CmpOp::Ugt,
        LLVMIntUGE => CmpOp::Uge,
        LLVMIntULT => CmpOp::Ult,
        LLVMIntULE => CmpOp::Ule,
        LLVMIntSGT => CmpOp::Sgt,
        LLVMIntSGE => CmpOp::Sge,
        LLVMIntSLT => CmpOp::Slt,
        LLVMIntSLE => CmpOp::Sle,
    }
}

/// `Err`: the comparison is always false or always true.
fn float_compare_op(predicate: LLVMRealPredicate) -> Result<FloatCmp, bool> {
    use LLVMRealPredicate::*;
    Ok(match predicate {
        LLVMRealPredicateFalse => return Err(false),
        LLVMRealPredicateTrue => return Err(true),
        LLVMRealOEQ => FloatCmp::Oeq,
        LLVMRealOGT => FloatCmp::Ogt,
        LLVMRealOGE => FloatCmp::Oge,
        LLVMRealOLT => FloatCmp::Olt,
        LLVMRealOLE => FloatCmp::Ole,
        LLVMRealONE => FloatCmp::One,
        LLVMRealORD => FloatCmp::Ord,
        LLVMRealUNO => FloatCmp::Uno,
        LLVMRealUEQ => FloatCmp::Ueq,
        LLVMRealUGT => FloatCmp::Ugt,
        LLVMRealUGE => FloatCmp::Uge,
        LLVMRealULT => FloatCmp::Ult,
        LLVMRealULE => FloatCmp::Ule,
        LLVMRealUNE => FloatCmp::Une,
    })
}

impl<'a> FunctionImport<'_, 'a> {
    /// An operation without effects, of an instruction or a constant expression.
    pub fn operation(&mut self, opcode: LLVMOpcode, value: Value<'a>) -> Lowered<Vec<Leaf>> {
        use LLVMOpcode::*;
        let Some(a) = value.operand(0) else { return unsupported("an operation without operands") };
        let lane = lane_type(a.ty());
        if let Some(op) = int_op(opcode) {
            let Type::Int(width) = lane? else { return unsupported("integer arithmetic on another type") };
            let can_overflow = matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul)
                && matches!(value.kind(), LLVMValueKind::LLVMInstructionValueKind);
            let checked = can_overflow && value.no_signed_wrap();
            let ty = Type::Int(width);
            return self.lanes(value, |me, a, b| me.compute(Op::Binary { op, width, a, b, checked }, ty));
        }
        if let Some(op) = float_op(opcode) {
            let ty = lane?;
            return self.lanes(value, |me, a, b| me.compute(Op::FloatBinary { op, ty, a, b }, ty));
        }
        if let Some(op) = cast_op(opcode) {
            let (from, to) = (lane?, lane_type(value.ty())?);
            return self.each_lane(a, |me, a| me.cast(op, from, to, a));
        }
        match opcode {
            LLVMFNeg => {
                let ty = lane?;
                self.each_lane(a, |me, a| me.compute(Op::FloatUnary { op: FloatUnary::Neg, ty, a }, ty))
            }
            LLVMICmp => {
                let op = compare_op(value.icmp_predicate());
                let width = lane?.width(self.importer.data_model);
                self.lanes(value, |me, a, b| me.compare(op, width, a, b))
            }
            LLVMFCmp => {
                let ty = lane?;
                match float_compare_op(value.fcmp_predicate()) {
                    Ok(op) => {
                        self.lanes(value, |me, a, b| me.compute(Op::FloatCmp { op, ty, a, b }, Type::BOOL))
                    }
                    Err(always) => self.lanes(value, |me, _, _| me.int(Width::BOOL, always as u128)),
                }
            }
            LLVMBitCast | LLVMAddrSpaceCast => self.bitcast(a, value.ty()),
            LLVMSelect => self.select_leaves(value),
            LLVMFreeze => self.each_lane(a, |_, a| a),
            LLVMGetElementPtr => Ok(vec![Leaf::Known(self.element_address(value)?)]),
            LLVMExtractValue => {
                let (position, part) = leaf_position(a.ty(), &value.indices())?;
                let count = leaf_types(part)?.len();
                self.part(a, position, count)
            }
            LLVMInsertValue => {
                let (position, _) = leaf_position(a.ty(), &value.indices())?;
                self.replaced(value, position)
            }
            LLVMExtractElement => {
                let position = self.lane_number(value.operand(1))?;
                self.part(a, position, 1)
            }
            LLVMInsertElement => {
                let position = self.lane_number(value.operand(2))?;
                self.replaced(value, position)
            }
            LLVMShuffleVector => self.shuffle(value),
            _ => unsupported(format!("the instruction `{}`", value.printed().trim())),
        }
    }

    /// Applies an operation to the lanes of the first two operands.
    pub fn lanes(
        &mut self,
        value: Value<'a>,
        mut apply: impl FnMut(&mut Self, Operand, Operand) -> Operand,
    ) -> Lowered<Vec<Leaf>> {
        let (Some(a), Some(b)) = (value.operand(0), value.operand(1)) else {
            return unsupported("an operation without operands");
        };
        let (a, b) = (self.leaves(a)?, self.leaves(b)?);
        Ok(a.into_iter()
            .zip(b)
            .map(|(a, b)| {
                let (a, b) = (self.known(a), self.known(b));
                Leaf::Known(apply(self, a, b))
            })
            .collect())
    }

    pub fn each_lane(
        &mut self,
        value: Value<'a>,
        mut apply: impl FnMut(&mut Self, Operand) -> Operand,
    ) -> Lowered<Vec<Leaf>> {
        let leaves = self.leaves(value)?;
        Ok(leaves
            .into_iter()
            .map(|leaf| {
                let a = self.known(leaf);
                Leaf::Known(apply(self, a))
            })
            .collect())
    }

    fn select_leaves(&mut self, value: Value<'a>) -> Lowered<Vec<Leaf>> {
        let (Some(cond), Some(a), Some(b)) = (value.operand(0), value.operand(1), value.operand(2)) else {
            return unsupported("a choice without operands");
        };
        let types = leaf_types(value.ty())?;
        let (conds, a, b) = (self.leaves(cond)?, self.leaves(a)?, self.leaves(b)?);
        let conds: Vec<Operand> = conds.into_iter().map(|c| self.known(c)).collect();
        let Some(&first) = conds.first() else { return unsupported("a choice without a condition") };
        let mut leaves = Vec::with_capacity(types.len());
        for (i, ((ty, a), b)) in types.into_iter().zip(a).zip(b).enumerate() {
            let cond = if conds.len() > 1 { conds.get(i).copied().unwrap_or(first) } else { first };
            let (a, b) = (self.known(a), self.known(b));
            leaves.push(Leaf::Known(self.select(ty, cond, a, b)));
        }
        Ok(leaves)
    }

    fn part(&mut self, whole: Value<'a>, position: usize, count: usize) -> Lowered<Vec<Leaf>> {
        match self.leaves(whole)?.get(position..position + count) {
            Some(leaves) => Ok(leaves.to_vec()),
            None => unsupported("a part outside of an aggregate"),
        }
    }

    /// The first operand with the leaves of the second put in at a position.
    fn replaced(&mut self, value: Value<'a>, position: usize) -> Lowered<Vec<Leaf>> {
        let (Some(whole), Some(part)) = (value.operand(0), value.operand(1)) else {
            return unsupported("an aggregate without operands");
        };
        let (mut whole, part) = (self.leaves(whole)?, self.leaves(part)?);
        match whole.get_mut(position..position + part.len()) {
            Some(room) => room.copy_from_slice(&part),
            None => return unsupported("a part outside of an aggregate"),
        }
        Ok(whole)
    }

    fn lane_number(&mut self, index: Option<Value<'a>>) -> Lowered<usize> {
        match index {
            Some(index) if index.is_constant() => Ok(self.literal(index)? as usize),
            _ => unsupported("a lane of a vector that is chosen by a variable"),
        }
    }

    fn shuffle(&mut self, value: Value<'a>) -> Lowered<Vec<Leaf>> {
        let (Some(a), Some(b)) = (value.operand(0), value.operand(1)) else {
            return unsupported("a shuffle without operands");
        };
        let ty = lane_type(value.ty())?;
        let mut all = self.leaves(a)?;
        all.extend(self.leaves(b)?);
        let lanes = value.shuffle_mask().into_iter();
        Ok(lanes
            .map(|lane| lane.and_then(|i| all.get(i as usize).copied()).unwrap_or(Leaf::Undefined(ty)))
            .collect())
    }

    /// The same bits as another type; vectors are joined and cut as they lie in memory.
    fn bitcast(&mut self, from: Value<'a>, to: Ty<'a>) -> Lowered<Vec<Leaf>> {
        let (from_types, to_types) = (leaf_types(from.ty())?, leaf_types(to)?);
        let leaves = self.leaves(from)?;
        let data = self.importer.data_model;
        let bits = |types: &[Type]| types.iter().map(|t| t.width(data).bits()).collect::<Vec<u32>>();
        if bits(&from_types) == bits(&to_types) {
            let pairs = from_types.into_iter().zip(to_types).zip(leaves);
            return Ok(pairs.map(|((from, to), leaf)| self.same_bits(leaf, from, to)).collect());
        }
        let total: u32 = bits(&to_types).iter().sum();
        let Some(width) = Width::new(total) else { return unsupported("a vector of more than 128 bits") };
        let mut joined = self.int(width, 0);
        let mut at = 0;
        for (ty, leaf) in from_types.into_iter().zip(leaves) {
            let lane = ty.width(data);
            let leaf = self.known(leaf);
            let piece = self.as_int(leaf, ty, lane, width);
            let shift = self.int(width, at as u128);
            let moved = self.binary(BinOp::Shl, width, piece, shift);
            joined = self.binary(BinOp::Or, width, joined, moved);
            at += lane.bits();
        }
        let mut result = Vec::with_capacity(to_types.len());
        let mut at = 0;
        for ty in to_types {
            let lane = ty.width(data);
            let shift = self.int(width, at as u128);
            let mut piece = self.binary(BinOp::LShr, width, joined, shift);
            if lane != width {
                piece = self.cast(CastOp::Trunc, Type::Int(width), Type::Int(lane), piece);
            }
            result.push(self.same_bits(Leaf::Known(piece), Type::Int(lane), ty));
            at += lane.bits();
        }
        Ok(result)
    }

    /// A scalar as an integer of at least its own width.
    fn as_int(&mut self, a: Operand, ty: Type, own: Width, width: Width) -> Operand {
        let bits = match self.same_bits(Leaf::Known(a), ty, Type::Int(own)) {
            Leaf::Known(bits) => bits,
            Leaf::Undefined(_) => a,
        };
        if own == width { bits } else { self.cast(CastOp::ZExt, Type::Int(own), Type::Int(width), bits) }
    }

    fn same_bits(&mut self, leaf: Leaf, from: Type, to: Type) -> Leaf {
        match leaf {
            Leaf::Undefined(_) => Leaf::Undefined(to),
            Leaf::Known(a) if from == to => Leaf::Known(a),
            Leaf::Known(a) => {
                let op = match (from, to) {
                    (Type::Ptr, _) => CastOp::PtrToInt,
                    (_, Type::Ptr) => CastOp::IntToPtr,
                    _ => CastOp::Bitcast,
                };
                Leaf::Known(self.cast(op, from, to, a))
            }
        }
    }
}
