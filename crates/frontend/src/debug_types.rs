//! Types as the source declares them, read from the debug information.

use crate::llvm::Meta;
use std::collections::HashMap;
use tp_ir::{Field, PrimaryMap, SourceType, SourceTypeId};

/// DWARF's tags for the types of C (DWARF 5, table 7.3).
pub mod tag {
    pub const ARRAY: u16 = 0x01;
    pub const ENUMERATION: u16 = 0x04;
    pub const MEMBER: u16 = 0x0d;
    pub const POINTER: u16 = 0x0f;
    pub const STRUCTURE: u16 = 0x13;
    pub const TYPEDEF: u16 = 0x16;
    pub const UNION: u16 = 0x17;
    pub const CLASS: u16 = 0x02;
    pub const CONST: u16 = 0x26;
    pub const VOLATILE: u16 = 0x35;
    pub const RESTRICT: u16 = 0x37;
    pub const ATOMIC: u16 = 0x47;
    pub const BASE: u16 = 0x24;
}

/// Nested types deeper than this are left without parts: no program declares them by hand.
const DEEPEST: u32 = 64;

/// Remembers which row each type has; a record may contain pointers to itself.
#[derive(Default)]
pub struct SourceTypes<'a> {
    known: HashMap<Meta<'a>, SourceTypeId>,
}

type Rows = PrimaryMap<SourceTypeId, SourceType>;

impl<'a> SourceTypes<'a> {
    pub fn get(&mut self, rows: &mut Rows, ty: Meta<'a>) -> SourceTypeId {
        self.named(rows, ty, None, 0)
    }

    /// `name` is that of the typedef through which the type was reached.
    fn named(&mut self, rows: &mut Rows, ty: Meta<'a>, name: Option<String>, depth: u32) -> SourceTypeId {
        if let Some(&id) = self.known.get(&ty) {
            return id;
        }
        let size = ty.type_bits().div_ceil(8);
        let tag = ty.tag();
        if let tag::TYPEDEF | tag::CONST | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC = tag
            && let Some(base) = ty.base_type()
            && depth < DEEPEST
        {
            let alias = (tag == tag::TYPEDEF).then(|| ty.type_name());
            let id = self.named(rows, base, name.or(alias), depth + 1);
            self.known.insert(ty, id);
            return id;
        }
        let own_name = ty.type_name();
        let shown = if own_name.is_empty() { name.unwrap_or_default() } else { own_name };
        // The row is entered before its parts, because they may lead back to it.
        let id = rows.push(SourceType::Scalar { name: shown.clone().into(), size });
        self.known.insert(ty, id);
        if depth >= DEEPEST {
            return id;
        }
        match tag {
            tag::POINTER => {
                let to = ty.base_type().filter(|t| !t.is_function_type());
                rows[id] = SourceType::Pointer { to: to.map(|t| self.named(rows, t, None, depth + 1)) };
            }
            tag::STRUCTURE | tag::UNION | tag::CLASS => {
                let fields = self.fields(rows, ty, depth);
                rows[id] = SourceType::Record { name: shown.into(), size, fields };
            }
            tag::ARRAY => self.array(rows, ty, id, depth),
            tag::ENUMERATION => {
                rows[id] = SourceType::Scalar { name: format!("enum {shown}").into(), size };
            }
            _ => {}
        }
        id
    }

    fn fields(&mut self, rows: &mut Rows, ty: Meta<'a>, depth: u32) -> Box<[Field]> {
        let members = ty.elements().into_iter().filter(|m| m.tag() == tag::MEMBER);
        members
            .filter_map(|member| {
                let base = member.base_type()?;
                Some(Field {
                    name: member.type_name().into(),
                    offset: member.member_offset_bits() / 8,
                    ty: self.named(rows, base, None, depth + 1),
                })
            })
            .collect()
    }

    /// An array of several dimensions is an array of arrays; the last dimension is the innermost.
    fn array(&mut self, rows: &mut Rows, ty: Meta<'a>, id: SourceTypeId, depth: u32) {
        let Some(base) = ty.base_type() else { return };
        let counts: Vec<u64> = ty.elements().iter().map(|d| d.dimension_count().unwrap_or(0)).collect();
        let mut element = self.named(rows, base, None, depth + 1);
        let mut element_size = size_of(rows, element, base);
        let Some((&outer, inner)) = counts.split_first() else { return };
        for &count in inner.iter().rev() {
            element = rows.push(SourceType::Array { element, count, element_size });
            element_size = element_size.saturating_mul(count);
        }
        rows[id] = SourceType::Array { element, count: outer, element_size };
    }
}

/// The size of an array's element. Qualified types have none in the debug information, but their base has.
fn size_of(rows: &Rows, id: SourceTypeId, mut ty: Meta<'_>) -> u64 {
    match &rows[id] {
        SourceType::Scalar { size, .. } | SourceType::Record { size, .. } => *size,
        SourceType::Array { count, element_size, .. } => count.saturating_mul(*element_size),
        SourceType::Pointer { .. } => {
            for _ in 0..DEEPEST {
                match ty.base_type() {
                    Some(base) if ty.tag() != tag::POINTER => ty = base,
                    _ => break,
                }
            }
            ty.type_bits() / 8
        }
    }
}
