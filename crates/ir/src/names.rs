//! Names the part of an object that an offset lies in, as the source would: `.items[2].next`.

use crate::{Program, SourceType, SourceTypeId};
use std::fmt::Write;

/// Types nest less deeply than this, unless a record wrongly contains itself.
const MOST_LEVELS: usize = 64;

/// The path from an object of this type to the scalar at `offset` bytes: empty for a scalar at 0, so that it can follow
/// the name of the object. Bytes that no part covers (padding, the middle of a scalar, beyond the end) are left as a
/// number: `.count+2`. The first member of a union that covers the offset is taken; members without a name are passed
/// through. An index may lie beyond the array. The path ends before members with names that C reserves (`__lock`).
pub fn describe_offset(program: &Program, ty: SourceTypeId, offset: u64) -> String {
    let mut path = String::new();
    let (mut ty, mut rest) = (ty, offset);
    for _ in 0..MOST_LEVELS {
        match program.source_types.get(ty) {
            Some(SourceType::Record { fields, .. }) => {
                let covers =
                    |at: u64, ty| rest.checked_sub(at).is_some_and(|inside| inside < size(program, ty));
                let Some(field) = fields.iter().find(|field| covers(field.offset, field.ty)) else { break };
                // The user does not know the internals of the C library's types.
                if field.name.starts_with("__") {
                    return path;
                }
                if !field.name.is_empty() {
                    path.push('.');
                    path.push_str(&field.name);
                }
                rest -= field.offset;
                ty = field.ty;
            }
            Some(SourceType::Array { element, element_size, .. }) if *element_size > 0 => {
                // Writing to a `String` cannot fail.
                let _ = write!(path, "[{}]", rest / element_size);
                rest %= element_size;
                ty = *element;
            }
            _ => break,
        }
    }
    if rest > 0 {
        let _ = write!(path, "+{rest}");
    }
    path
}

/// A flexible array at the end of a record covers all that follows.
fn size(program: &Program, ty: SourceTypeId) -> u64 {
    match program.source_types.get(ty) {
        Some(SourceType::Scalar { size, .. } | SourceType::Record { size, .. }) => *size,
        Some(SourceType::Pointer { .. }) => program.data_model.pointer_width().bytes() as u64,
        Some(SourceType::Array { count: 0, .. }) => u64::MAX,
        Some(SourceType::Array { count, element_size, .. }) => count.saturating_mul(*element_size),
        None => 0,
    }
}
