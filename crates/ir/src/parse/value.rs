//! Constants, global and function names, and places: rows of the program's tables, found by value.

use super::cursor::{Cursor, Result, find_type};
use super::error::Problem;
use crate::{
    Const, ConstId, FileId, FuncId, GlobalId, Place, PlaceId, PrimaryMap, Program, Type, Width, eval,
};
use cranelift_entity::EntityRef;
use std::borrow::Cow;
use std::collections::HashMap;

/// The names of one table, and the first row of each.
pub(super) struct Names<'a, K: EntityRef> {
    rows: PrimaryMap<K, Cow<'a, str>>,
    first: HashMap<Cow<'a, str>, K>,
}

impl<'a, K: EntityRef> Names<'a, K> {
    pub(super) fn new() -> Names<'a, K> {
        Names { rows: PrimaryMap::new(), first: HashMap::new() }
    }

    /// Reads the name of the next row, where it is defined.
    pub(super) fn define(&mut self, cursor: &mut Cursor<'a>) -> Result<()> {
        let name = cursor.name()?;
        let id = self.rows.push(name.clone());
        self.first.entry(name).or_insert(id);
        if cursor.peek() == Some(b'#') {
            cursor.expect("#")?;
            let index = cursor.index()?;
            if index as usize != id.index() {
                return Err(cursor.error(Problem::OutOfOrder { expected: format!("#{}", id.index()).into() }));
            }
        }
        Ok(())
    }

    /// Reads the name of a row: `name`, or `name#5` when it is not the first of that name.
    pub(super) fn find(&self, what: &'static str, cursor: &mut Cursor<'a>) -> Result<K> {
        let start = cursor.clone();
        let name = cursor.name()?;
        let found = if cursor.peek() == Some(b'#') {
            cursor.expect("#")?;
            let id = K::new(cursor.index()? as usize);
            (self.rows.get(id) == Some(&name)).then_some(id)
        } else {
            self.first.get(&name).copied()
        };
        match found {
            Some(id) => Ok(id),
            None => start.undefined(what, &name),
        }
    }

    pub(super) fn row(&self, id: K) -> Box<str> {
        self.rows.get(id).map_or("", |name| &**name).into()
    }
}

/// The program read so far, with the indexes that find rows by value.
pub(super) struct Tables<'a> {
    pub(super) program: Program,
    pub(super) functions: Names<'a, FuncId>,
    pub(super) globals: Names<'a, GlobalId>,
    constants: HashMap<Const, ConstId>,
    places: HashMap<Place, PlaceId>,
}

impl<'a> Tables<'a> {
    pub(super) fn new(
        program: Program,
        functions: Names<'a, FuncId>,
        globals: Names<'a, GlobalId>,
    ) -> Tables<'a> {
        Tables { program, functions, globals, constants: HashMap::new(), places: HashMap::new() }
    }

    /// A row of the table of constants; the handle of a value is the first row that has it.
    pub(super) fn constant_row(&mut self, cursor: &mut Cursor<'a>) -> Result<()> {
        let value = self.constant(cursor, None)?;
        let id = self.program.constants.push(value.clone());
        self.constants.entry(value).or_insert(id);
        Ok(())
    }

    pub(super) fn const_operand(
        &mut self,
        cursor: &mut Cursor<'a>,
        implied: Option<Type>,
    ) -> Result<ConstId> {
        let start = cursor.clone();
        if let Some(index) = cursor.eat_handle("const") {
            let id = ConstId::from_u32(index);
            return if self.program.constants.is_valid(id) {
                Ok(id)
            } else {
                start.undefined("constant", &id.to_string())
            };
        }
        let value = self.constant(cursor, implied)?;
        if let Some(id) = self.constants.get(&value) {
            return Ok(*id);
        }
        let id = self.program.constants.push(value.clone());
        self.constants.insert(value, id);
        Ok(id)
    }

    fn constant(&self, cursor: &mut Cursor<'a>, implied: Option<Type>) -> Result<Const> {
        cursor.skip_blanks();
        let start = cursor.clone();
        match cursor.peek() {
            Some(b'&') => {
                cursor.expect("&")?;
                return Ok(Const::Function(self.functions.find("function", cursor)?));
            }
            Some(b'@') => {
                cursor.expect("@")?;
                return self.global(cursor);
            }
            Some(b'0'..=b'9' | b'-') => {
                return match implied {
                    Some(ty) => literal(cursor, ty),
                    None => cursor.expected("the type of this number before it"),
                };
            }
            _ => {}
        }
        match cursor.word() {
            "" => cursor.expected("a register or constant"),
            "null" => Ok(Const::Null),
            "true" => Ok(Const::Int { width: Width::BOOL, bits: 1 }),
            "false" => Ok(Const::Int { width: Width::BOOL, bits: 0 }),
            word => match find_type(word) {
                Some(ty) => literal(cursor, ty),
                None => start.unknown("a register or constant", word),
            },
        }
    }

    fn global(&self, cursor: &mut Cursor<'a>) -> Result<Const> {
        let global = self.globals.find("global", cursor)?;
        let sign = match cursor.peek() {
            Some(b'+') => "+",
            Some(b'-') => "-",
            _ => return Ok(Const::Global { global, offset: 0 }),
        };
        let start = cursor.clone();
        cursor.expect(sign)?;
        let magnitude = cursor.number::<u64>()? as i128;
        let offset = i64::try_from(if sign == "-" { -magnitude } else { magnitude });
        match offset {
            Ok(offset) => Ok(Const::Global { global, offset }),
            Err(_) => Err(start.error(Problem::NumberRange)),
        }
    }

    pub(super) fn place_row(&mut self, cursor: &mut Cursor<'a>) -> Result<()> {
        let mut place = position(cursor)?;
        if cursor.eat_word("inlined") {
            place.inlined_at = Some(PlaceId::from_u32(cursor.handle("place")?));
        }
        self.push_place(place);
        Ok(())
    }

    pub(super) fn push_place(&mut self, place: Place) -> PlaceId {
        let id = self.program.places.push(place);
        self.places.entry(place).or_insert(id);
        id
    }

    /// The place at the end of a line; the first place if there is none.
    pub(super) fn place(&mut self, cursor: &mut Cursor<'a>) -> Result<PlaceId> {
        if !cursor.eat_place_mark() {
            return Ok(PlaceId::from_u32(0));
        }
        let start = cursor.clone();
        if let Some(index) = cursor.eat_handle("place") {
            let id = PlaceId::from_u32(index);
            return if self.program.places.is_valid(id) {
                Ok(id)
            } else {
                start.undefined("place", &id.to_string())
            };
        }
        let mut chain = vec![position(cursor)?];
        while cursor.eat_word("inlined") {
            chain.push(position(cursor)?);
        }
        let mut outer = None;
        for mut place in chain.into_iter().rev() {
            place.inlined_at = outer;
            outer = Some(match self.places.get(&place) {
                Some(id) => *id,
                None => self.push_place(place),
            });
        }
        Ok(outer.unwrap_or(PlaceId::from_u32(0)))
    }
}

fn position(cursor: &mut Cursor<'_>) -> Result<Place> {
    let file = FileId::from_u32(cursor.index()?);
    cursor.expect(":")?;
    let line = cursor.number()?;
    cursor.expect(":")?;
    Ok(Place { file, line, column: cursor.number()?, inlined_at: None })
}

/// A number of the type: an integer in decimal, a float in decimal, or the bits of either in hexadecimal.
fn literal(cursor: &mut Cursor<'_>, ty: Type) -> Result<Const> {
    cursor.skip_blanks();
    let start = cursor.clone();
    let text = cursor.literal();
    let range = || start.error(Problem::NumberRange);
    if let Some(hex) = text.strip_prefix("0x") {
        let bits = u128::from_str_radix(hex, 16).map_err(|_| range())?;
        return match ty {
            Type::Int(width) => Ok(Const::Int { width, bits }),
            Type::F32 => Ok(Const::F32(u32::try_from(bits).map_err(|_| range())?)),
            Type::F64 => Ok(Const::F64(u64::try_from(bits).map_err(|_| range())?)),
            Type::Ptr => start.expected("a pointer"),
        };
    }
    match ty {
        Type::Int(width) => match integer(text, width) {
            Some(bits) => Ok(Const::Int { width, bits }),
            None if text.bytes().any(|c| c.is_ascii_digit()) => Err(range()),
            None => start.expected("an integer"),
        },
        Type::F32 => match text.parse::<f32>() {
            Ok(v) if v.is_finite() => Ok(Const::F32(v.to_bits())),
            Ok(_) => Err(range()),
            Err(_) => start.expected("a float"),
        },
        Type::F64 => match text.parse::<f64>() {
            Ok(v) if v.is_finite() => Ok(Const::F64(v.to_bits())),
            Ok(_) => Err(range()),
            Err(_) => start.expected("a float"),
        },
        Type::Ptr => start.expected("a pointer"),
    }
}

/// The bits of a decimal number that fits the width, as signed or as unsigned.
fn integer(text: &str, width: Width) -> Option<u128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    if !digits.bytes().all(|c| c.is_ascii_digit()) {
        return None;
    }
    let magnitude: u128 = digits.parse().ok()?;
    let mask: u128 = eval::mask(width);
    if negative {
        (magnitude <= (mask >> 1) + 1).then(|| eval::truncate(magnitude.wrapping_neg(), width))
    } else {
        (magnitude <= mask).then_some(magnitude)
    }
}

/// The value of a switch case: an integer constant without its type.
pub(super) fn case_value(cursor: &mut Cursor<'_>, width: Width) -> Result<u128> {
    match literal(cursor, Type::Int(width))? {
        Const::Int { bits, .. } => Ok(bits),
        _ => cursor.expected("an integer"),
    }
}
