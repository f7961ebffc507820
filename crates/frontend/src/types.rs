//! How LLVM's types become ours: a first-class struct, array or vector is held as its scalar leaves.

use crate::llvm::{DataLayout, Ty, TyKind};
use tp_ir::{Type, Width};

/// Something that cannot be imported; becomes an instruction that reports itself when it is reached.
#[derive(Debug)]
pub struct Unsupported(pub String);

pub type Lowered<T> = Result<T, Unsupported>;

pub fn unsupported<T>(what: impl Into<String>) -> Lowered<T> {
    Err(Unsupported(what.into()))
}

/// Aggregates with more leaves than this are not held in registers.
const MOST_LEAVES: usize = 4096;

pub fn scalar_type(ty: Ty<'_>) -> Lowered<Type> {
    match ty.kind() {
        TyKind::Int(bits) => match Width::new(bits) {
            Some(width) => Ok(Type::Int(width)),
            None => unsupported(format!("integers of {bits} bits")),
        },
        TyKind::Float => Ok(Type::F32),
        TyKind::Double => Ok(Type::F64),
        TyKind::Pointer { address_space: 0 } => Ok(Type::Ptr),
        TyKind::Pointer { address_space } => {
            unsupported(format!("pointers to address space {address_space}"))
        }
        TyKind::Other(name) => unsupported(format!("values of type `{name}`")),
        TyKind::Void | TyKind::Struct | TyKind::Array { .. } | TyKind::Vector { .. } => {
            unsupported("an aggregate where a scalar is expected")
        }
    }
}

/// The scalars that a value of this type consists of, in order.
pub fn leaf_types(ty: Ty<'_>) -> Lowered<Vec<Type>> {
    let mut leaves = Vec::new();
    collect_leaves(ty, &mut leaves)?;
    Ok(leaves)
}

fn collect_leaves(ty: Ty<'_>, leaves: &mut Vec<Type>) -> Lowered<()> {
    if leaves.len() > MOST_LEAVES {
        return unsupported("an aggregate value that is too large");
    }
    match ty.kind() {
        TyKind::Void => Ok(()),
        TyKind::Struct => ty.struct_elements().into_iter().try_for_each(|e| collect_leaves(e, leaves)),
        TyKind::Array { len, .. } if len > MOST_LEAVES as u64 => {
            unsupported("an aggregate value that is too large")
        }
        TyKind::Array { element, len } => (0..len).try_for_each(|_| collect_leaves(element, leaves)),
        TyKind::Vector { element, len } => (0..len).try_for_each(|_| collect_leaves(element, leaves)),
        _ => {
            leaves.push(scalar_type(ty)?);
            Ok(())
        }
    }
}

/// The scalars that a value of this type consists of, with their offsets in memory.
pub fn memory_leaves<'a>(layout: DataLayout<'a>, ty: Ty<'a>) -> Lowered<Vec<(u64, Type)>> {
    let mut leaves = Vec::new();
    collect_memory_leaves(layout, ty, 0, &mut leaves)?;
    Ok(leaves)
}

fn collect_memory_leaves<'a>(
    layout: DataLayout<'a>,
    ty: Ty<'a>,
    at: u64,
    leaves: &mut Vec<(u64, Type)>,
) -> Lowered<()> {
    if leaves.len() > MOST_LEAVES {
        return unsupported("an aggregate value that is too large");
    }
    match ty.kind() {
        TyKind::Void => Ok(()),
        TyKind::Struct => (0..).zip(ty.struct_elements()).try_for_each(|(i, element)| {
            collect_memory_leaves(layout, element, at + layout.field_offset(ty, i), leaves)
        }),
        TyKind::Array { len, .. } if len > MOST_LEAVES as u64 => {
            unsupported("an aggregate value that is too large")
        }
        TyKind::Array { element, len } => {
            let size = layout.size(element);
            (0..len).try_for_each(|i| collect_memory_leaves(layout, element, at + i * size, leaves))
        }
        TyKind::Vector { element, len } => {
            let bits = layout.bits(element);
            if !bits.is_multiple_of(8) {
                return unsupported("a vector of bits in memory");
            }
            (0..len as u64)
                .try_for_each(|i| collect_memory_leaves(layout, element, at + i * bits / 8, leaves))
        }
        _ => {
            leaves.push((at, scalar_type(ty)?));
            Ok(())
        }
    }
}

/// How many leaves come before the part of an aggregate that a path of indices names, and the part's type.
pub fn leaf_position<'a>(mut ty: Ty<'a>, path: &[u32]) -> Lowered<(usize, Ty<'a>)> {
    let mut position = 0;
    for &index in path {
        ty = match ty.kind() {
            TyKind::Struct => {
                let elements = ty.struct_elements();
                for element in elements.iter().take(index as usize) {
                    position += leaf_types(*element)?.len();
                }
                match elements.get(index as usize) {
                    Some(&element) => element,
                    None => return unsupported("an index outside of an aggregate"),
                }
            }
            TyKind::Array { element, .. } | TyKind::Vector { element, .. } => {
                position += leaf_types(element)?.len() * index as usize;
                element
            }
            _ => return unsupported("an index into a scalar"),
        };
    }
    Ok((position, ty))
}
