//! The steps that a getelementptr, instruction or constant, takes from its base.

use crate::llvm::{DataLayout, TyKind, Value};
use crate::types::{Lowered, unsupported};
use llvm_sys::LLVMValueKind;

pub enum GepStep<'a> {
    /// A constant number of bytes.
    Field(u64),
    /// `index` times `stride` bytes.
    Index { index: Value<'a>, stride: u64 },
}

pub fn steps<'a>(layout: DataLayout<'a>, gep: Value<'a>) -> Lowered<Vec<GepStep<'a>>> {
    let mut steps = Vec::new();
    let mut ty = gep.gep_source_type();
    for i in 1..gep.operand_count() {
        let Some(index) = gep.operand(i) else { return unsupported("an address without an index") };
        if i == 1 {
            steps.push(GepStep::Index { index, stride: layout.size(ty) });
            continue;
        }
        match ty.kind() {
            TyKind::Struct => {
                let field = field_number(index)?;
                let Some(&element) = ty.struct_elements().get(field as usize) else {
                    return unsupported("a field that is not there");
                };
                steps.push(GepStep::Field(layout.field_offset(ty, field)));
                ty = element;
            }
            TyKind::Array { element, .. } => {
                steps.push(GepStep::Index { index, stride: layout.size(element) });
                ty = element;
            }
            TyKind::Vector { element, .. } => {
                steps.push(GepStep::Index { index, stride: layout.bits(element) / 8 });
                ty = element;
            }
            _ => return unsupported("an index into a scalar"),
        }
    }
    Ok(steps)
}

fn field_number(index: Value<'_>) -> Lowered<u32> {
    let number = match (index.kind(), index.ty().kind()) {
        (LLVMValueKind::LLVMConstantIntValueKind, TyKind::Int(width)) => index.int_bits(width),
        _ => None,
    };
    match number.and_then(|n| u32::try_from(n).ok()) {
        Some(n) => Ok(n),
        None => unsupported("a field chosen by a variable"),
    }
}
