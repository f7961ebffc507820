//! Constants of LLVM: their value as scalars, and the bytes and pointers of a global's initialiser.

use crate::importer::{Importer, is_function};
use crate::llvm::{DataLayout, TyKind, Value};
use crate::types::{Lowered, scalar_type, unsupported};
use llvm_sys::{LLVMLinkage, LLVMOpcode, LLVMValueKind};
use tp_ir::{BinOp, Const, ConstId, FuncId, GlobalId, Init, Type, Width, eval};

/// Initialisers of more bytes than this are not kept, unless they are all zero.
const LARGEST_IMAGE: u64 = 1 << 30;

/// What an address is relative to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Base {
    Function(FuncId),
    Global(GlobalId),
}

/// A constant of one scalar type. A pointer may be given by its bits, and an integer by an address.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Scalar {
    Bits { ty: Type, bits: u128 },
    Address { ty: Type, base: Base, offset: i64 },
    Undefined { ty: Type },
}

impl<'a> Importer<'a> {
    fn width(&self, ty: Type) -> Width {
        ty.width(self.data_model)
    }

    /// The value of a scalar constant.
    pub fn scalar(&mut self, value: Value<'a>) -> Lowered<Scalar> {
        use LLVMValueKind::*;
        match value.kind() {
            LLVMFunctionValueKind | LLVMGlobalVariableValueKind | LLVMGlobalAliasValueKind => {
                self.address(value)
            }
            LLVMConstantIntValueKind => {
                let ty = scalar_type(value.ty())?;
                match value.int_bits(self.width(ty).bits()) {
                    Some(bits) => Ok(Scalar::Bits { ty, bits }),
                    None => unsupported("an integer constant that cannot be read"),
                }
            }
            LLVMConstantFPValueKind => {
                let ty = scalar_type(value.ty())?;
                Ok(Scalar::Bits { ty, bits: eval::from_f64(ty, value.float_value()) as u128 })
            }
            LLVMConstantPointerNullValueKind => Ok(Scalar::Bits { ty: scalar_type(value.ty())?, bits: 0 }),
            LLVMUndefValueValueKind | LLVMPoisonValueKind => {
                Ok(Scalar::Undefined { ty: scalar_type(value.ty())? })
            }
            LLVMConstantExprValueKind => self.expression(value),
            LLVMBlockAddressValueKind => Ok(Scalar::Bits { ty: Type::Ptr, bits: label_number(value)? }),
            LLVMGlobalIFuncValueKind => unsupported(format!("the indirect function `{}`", value.name())),
            _ => unsupported("a constant of an unknown kind"),
        }
    }

    fn address(&mut self, value: Value<'a>) -> Lowered<Scalar> {
        let resolved = self.linker.resolve(value);
        let ty = Type::Ptr;
        if is_function(resolved) {
            if matches!(resolved.linkage(), LLVMLinkage::LLVMExternalWeakLinkage) {
                return Ok(Scalar::Bits { ty, bits: 0 });
            }
            return Ok(Scalar::Address { ty, base: Base::Function(self.function(resolved)), offset: 0 });
        }
        if matches!(resolved.kind(), LLVMValueKind::LLVMGlobalVariableValueKind) {
            return Ok(Scalar::Address { ty, base: Base::Global(self.global(resolved)), offset: 0 });
        }
        // An alias to the middle of a variable.
        self.scalar(resolved)
    }

    fn expression(&mut self, value: Value<'a>) -> Lowered<Scalar> {
        use LLVMOpcode::*;
        let ty = scalar_type(value.ty())?;
        let (a, b) = (value.operand(0), value.operand(1));
        let opcode = value.constant_opcode();
        match (opcode, a, b) {
            (LLVMGetElementPtr, Some(base), _) => {
                let base = self.scalar(base)?;
                let offset = constant_gep_offset(self.layout, value)?;
                self.add_to(base, offset)
            }
            (
                LLVMPtrToInt | LLVMPtrToAddr | LLVMIntToPtr | LLVMBitCast | LLVMTrunc | LLVMAddrSpaceCast,
                Some(a),
                _,
            ) => {
                let a = self.scalar(a)?;
                self.retype(a, ty)
            }
            (LLVMAdd | LLVMSub | LLVMMul | LLVMXor | LLVMAnd | LLVMOr, Some(a), Some(b)) => {
                let (a, b) = (self.scalar(a)?, self.scalar(b)?);
                self.combine(opcode, ty, a, b)
            }
            _ => unsupported("a constant expression of an unknown kind"),
        }
    }

    fn add_to(&self, base: Scalar, by: i64) -> Lowered<Scalar> {
        Ok(match base {
            Scalar::Address { ty, base, offset } => {
                Scalar::Address { ty, base, offset: offset.wrapping_add(by) }
            }
            Scalar::Bits { ty, bits } => {
                Scalar::Bits { ty, bits: eval::truncate(bits.wrapping_add(by as u128), self.width(ty)) }
            }
            Scalar::Undefined { ty } => Scalar::Undefined { ty },
        })
    }

    fn retype(&self, a: Scalar, to: Type) -> Lowered<Scalar> {
        match a {
            Scalar::Bits { bits, .. } => {
                Ok(Scalar::Bits { ty: to, bits: eval::truncate(bits, self.width(to)) })
            }
            Scalar::Undefined { .. } => Ok(Scalar::Undefined { ty: to }),
            Scalar::Address { ty, base, offset } if self.width(to) == self.width(ty) => {
                Ok(Scalar::Address { ty: to, base, offset })
            }
            Scalar::Address { .. } => unsupported("part of an address as a constant"),
        }
    }

    fn combine(&self, opcode: LLVMOpcode, ty: Type, a: Scalar, b: Scalar) -> Lowered<Scalar> {
        use LLVMOpcode::*;
        let width = self.width(ty);
        match (opcode, a, b) {
            (LLVMAdd, Scalar::Address { .. }, Scalar::Bits { bits, .. }) => {
                self.add_to(a, eval::sign_extend(bits, width) as i64)
            }
            (LLVMAdd, Scalar::Bits { .. }, Scalar::Address { .. }) => self.combine(opcode, ty, b, a),
            (LLVMSub, Scalar::Address { .. }, Scalar::Bits { bits, .. }) => {
                self.add_to(a, (eval::sign_extend(bits, width) as i64).wrapping_neg())
            }
            (
                LLVMSub,
                Scalar::Address { base, offset, .. },
                Scalar::Address { base: other, offset: from, .. },
            ) if base == other => {
                Ok(Scalar::Bits { ty, bits: eval::truncate(offset.wrapping_sub(from) as u128, width) })
            }
            (_, Scalar::Bits { bits: a, .. }, Scalar::Bits { bits: b, .. }) => {
                let op = match opcode {
                    LLVMAdd => BinOp::Add,
                    LLVMSub => BinOp::Sub,
                    LLVMMul => BinOp::Mul,
                    LLVMAnd => BinOp::And,
                    LLVMOr => BinOp::Or,
                    _ => BinOp::Xor,
                };
                match eval::binary(op, width, a, b, false) {
                    Ok(bits) => Ok(Scalar::Bits { ty, bits }),
                    Err(_) => unsupported("a constant expression without a value"),
                }
            }
            _ => unsupported("arithmetic on the addresses of two different objects as a constant"),
        }
    }

    /// The contents of a defined global; `Unknown` if they cannot be computed.
    pub fn initialiser(&mut self, global: Value<'a>) -> Init {
        let Some(value) = global.initializer() else { return Init::Unknown };
        if value.is_null() {
            return Init::Zero;
        }
        let size = self.layout.size(global.value_type());
        if size > LARGEST_IMAGE {
            return Init::Unknown;
        }
        let mut image = Image { bytes: vec![0; size as usize], pointers: Vec::new() };
        match self.write(value, 0, &mut image) {
            Ok(()) => Init::Bytes { bytes: image.bytes, pointers: image.pointers },
            Err(_) => Init::Unknown,
        }
    }

    fn write(&mut self, value: Value<'a>, at: u64, image: &mut Image) -> Lowered<()> {
        use LLVMValueKind::*;
        let layout = self.layout;
        let ty = value.ty();
        match value.kind() {
            // Undefined bytes of a static object are zero.
            LLVMConstantAggregateZeroValueKind | LLVMUndefValueValueKind | LLVMPoisonValueKind => Ok(()),
            LLVMConstantDataArrayValueKind => {
                image.put(at, &value.raw_data());
                Ok(())
            }
            LLVMConstantStructValueKind => {
                (0..value.operand_count()).try_for_each(|i| match value.operand(i) {
                    Some(element) => self.write(element, at + layout.field_offset(ty, i), image),
                    None => Ok(()),
                })
            }
            LLVMConstantArrayValueKind | LLVMConstantVectorValueKind | LLVMConstantDataVectorValueKind => {
                let (TyKind::Array { element, .. } | TyKind::Vector { element, .. }) = ty.kind() else {
                    return unsupported("an array constant of another type");
                };
                let size = layout.size(element);
                (0..)
                    .map_while(|i| value.element(i).map(|e| (i, e)))
                    .try_for_each(|(i, e)| self.write(e, at + i as u64 * size, image))
            }
            _ => {
                let scalar = self.scalar(value)?;
                self.write_scalar(scalar, at, image)
            }
        }
    }

    fn write_scalar(&mut self, scalar: Scalar, at: u64, image: &mut Image) -> Lowered<()> {
        match scalar {
            Scalar::Undefined { .. } => Ok(()),
            Scalar::Bits { ty, bits } => {
                image.put(at, &bits.to_le_bytes()[..ty.bytes(self.data_model) as usize]);
                Ok(())
            }
            Scalar::Address { ty, base, offset } if self.width(ty) == self.data_model.pointer_width() => {
                let constant = match base {
                    Base::Function(f) if offset == 0 => Const::Function(f),
                    Base::Function(_) => return unsupported("an address inside of a function"),
                    Base::Global(global) => Const::Global { global, offset },
                };
                image.pointers.push((at, self.tables.constants.intern(constant)));
                Ok(())
            }
            Scalar::Address { .. } => unsupported("an address in an integer of another width"),
        }
    }
}

/// The bytes of an initialiser while they are written.
struct Image {
    bytes: Vec<u8>,
    pointers: Vec<(u64, ConstId)>,
}

impl Image {
    fn put(&mut self, at: u64, bytes: &[u8]) {
        let at = at as usize;
        if let Some(room) = self.bytes.get_mut(at..at.saturating_add(bytes.len())) {
            room.copy_from_slice(bytes);
        }
    }
}

/// Labels whose address is taken are numbers: the position of their block in the function, from 1.
pub fn label_number(value: Value<'_>) -> Lowered<u128> {
    let (Some(function), Some(block)) = value.block_address() else {
        return unsupported("the address of a label");
    };
    match (1..).zip(function.blocks()).find(|(_, b)| *b == block) {
        Some((number, _)) => Ok(number),
        None => unsupported("the address of a label that is not there"),
    }
}

/// The distance that a constant getelementptr adds to its base.
fn constant_gep_offset<'a>(layout: DataLayout<'a>, gep: Value<'a>) -> Lowered<i64> {
    let mut total: i64 = 0;
    for step in crate::gep::steps(layout, gep)? {
        let by = match step {
            crate::gep::GepStep::Field(offset) => offset as i64,
            crate::gep::GepStep::Index { index, stride } => {
                let TyKind::Int(width) = index.ty().kind() else {
                    return unsupported("a vector of addresses");
                };
                let (Some(bits), Some(w)) = (constant_index(index, width), Width::new(width)) else {
                    return unsupported("an index that is not a number in a constant");
                };
                (eval::sign_extend(bits, w) as i64).wrapping_mul(stride as i64)
            }
        };
        total = total.wrapping_add(by);
    }
    Ok(total)
}

fn constant_index(index: Value<'_>, width: u32) -> Option<u128> {
    matches!(index.kind(), LLVMValueKind::LLVMConstantIntValueKind).then(|| index.int_bits(width)).flatten()
}
