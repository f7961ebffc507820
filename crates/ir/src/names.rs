//! The names of the parts of an object: an offset into a declared type, as the source writes it.

use crate::{Program, SourceType, SourceTypeId};
use std::fmt::Write;

/// `.items[2].next` for an offset into an object of a type; empty when it is the object itself.
pub fn describe_offset(program: &Program, ty: SourceTypeId, offset: u64) -> String {
    let mut text = String::new();
    let (mut ty, mut offset) = (ty, offset);
    // Types nest a few levels; the limit only guards against a table that refers to itself.
    for _ in 0..64 {
        match program.source_types.get(ty) {
            Some(SourceType::Record { fields, .. }) => {
                let Some(field) = fields.iter().filter(|f| f.offset <= offset).max_by_key(|f| f.offset)
                else {
                    break;
                };
                // What the C library keeps inside its own types is not the user's business.
                if field.name.starts_with("__") {
                    return text;
                }
                if !field.name.is_empty() {
                    let _ = write!(text, ".{}", field.name);
                }
                offset -= field.offset;
                ty = field.ty;
            }
            Some(SourceType::Array { element, element_size, .. }) if *element_size > 0 => {
                let _ = write!(text, "[{}]", offset / element_size);
                offset %= element_size;
                ty = *element;
            }
            _ => break,
        }
    }
    if offset > 0 {
        let _ = write!(text, "+{offset}");
    }
    text
}
