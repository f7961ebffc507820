//! Names, strings, constants, registers and places as text.

use super::Printer;
use crate::{Body, Const, ConstId, Expect, Operand, OperandKind, PlaceId, Reg, Type, Width, eval};
use std::fmt::{self, Display, Write};

/// Places with a longer chain of inlined calls are written by their handle.
const MOST_INLINED: usize = 8;

/// A name, quoted when it has anything but letters, digits, `_` and `.`.
pub(crate) struct Name<'a>(pub &'a str);

/// Bytes in quotes; what is not printable ASCII, and `"` and `\`, is written as `\` and two hexadecimal digits.
pub(crate) struct Quoted<'a>(pub &'a [u8]);

pub(crate) fn is_name_start(c: u8) -> bool {
    c.is_ascii_alphabetic() || c == b'_' || c == b'.'
}

pub(crate) fn is_name_part(c: u8) -> bool {
    is_name_start(c) || c.is_ascii_digit()
}

impl Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0.as_bytes();
        if bytes.first().is_some_and(|c| is_name_start(*c)) && bytes.iter().all(|c| is_name_part(*c)) {
            f.write_str(self.0)
        } else {
            Quoted(bytes).fmt(f)
        }
    }
}

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for &byte in self.0 {
            match byte {
                b'"' | b'\\' => write!(f, "\\{byte:02x}")?,
                b' '..=b'~' => f.write_char(byte as char)?,
                _ => write!(f, "\\{byte:02x}")?,
            }
        }
        f.write_char('"')
    }
}

/// An integer as a signed decimal, or in hexadecimal when it has bits above its width.
pub(crate) struct Int(pub u128, pub Width);

impl Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Int(bits, width) = *self;
        if eval::truncate(bits, width) == bits {
            write!(f, "{}", eval::sign_extend(bits, width) as i128)
        } else {
            write!(f, "{bits:#x}")
        }
    }
}

impl Printer<'_> {
    /// A constant by value; its type is left out where it is `implied`.
    pub(super) fn constant(&self, out: &mut impl Write, c: &Const, implied: Option<Type>) -> fmt::Result {
        let prefixed = matches!(c, Const::Int { .. } | Const::F32(_) | Const::F64(_));
        let is_bool = matches!(c, Const::Int { width: Width::BOOL, bits: 0 | 1 });
        if prefixed && !is_bool && implied != Some(c.ty()) {
            write!(out, "{} ", c.ty())?;
        }
        match c {
            Const::Int { bits, .. } if is_bool => write!(out, "{}", *bits == 1),
            Const::Int { width, bits } => write!(out, "{}", Int(*bits, *width)),
            Const::F32(bits) if f32::from_bits(*bits).is_finite() => {
                write!(out, "{:?}", f32::from_bits(*bits))
            }
            Const::F64(bits) if f64::from_bits(*bits).is_finite() => {
                write!(out, "{:?}", f64::from_bits(*bits))
            }
            Const::F32(bits) => write!(out, "{bits:#x}"),
            Const::F64(bits) => write!(out, "{bits:#x}"),
            Const::Null => out.write_str("null"),
            Const::Function(id) => self.func_name(out, *id),
            Const::Global { global, offset } => {
                self.global_name(out, *global)?;
                if *offset == 0 { Ok(()) } else { write!(out, "{offset:+}") }
            }
        }
    }

    pub(super) fn const_operand(
        &self,
        out: &mut impl Write,
        id: ConstId,
        implied: Option<Type>,
    ) -> fmt::Result {
        match self.program.constants.get(id) {
            Some(c) if self.constants.get(c) == Some(&id) => self.constant(out, c, implied),
            _ => write!(out, "{id}"),
        }
    }

    pub(super) fn operand(
        &self,
        out: &mut impl Write,
        body: &Body,
        o: Operand,
        expect: Expect,
    ) -> fmt::Result {
        match o.kind() {
            OperandKind::Reg(reg) => self.reg(out, body, reg),
            OperandKind::Const(id) => self.const_operand(out, id, expect.implied(self.program.data_model)),
        }
    }

    /// `%3`, or `%x.3` when it holds the variable `x`.
    pub(super) fn reg(&self, out: &mut impl Write, body: &Body, reg: Reg) -> fmt::Result {
        match body.regs.get(reg).and_then(|info| info.name.as_deref()) {
            Some(name) => write!(out, "%{}.{}", Name(name), reg.as_u32()),
            None => write!(out, "%{}", reg.as_u32()),
        }
    }

    /// ` @ file:line:column`, then the calls it was inlined at; nothing for the first place.
    pub(super) fn place(&self, out: &mut impl Write, id: PlaceId) -> fmt::Result {
        if id.as_u32() == 0 {
            return Ok(());
        }
        out.write_str(" @ ")?;
        let mut chain = Vec::new();
        let mut next = Some(id);
        while let Some(id) = next {
            let place = self.program.places.get(id);
            match place {
                Some(place) if chain.len() < MOST_INLINED && self.places.get(place) == Some(&id) => {
                    chain.push(place);
                    next = place.inlined_at;
                }
                _ => break,
            }
        }
        if next.is_some() {
            return write!(out, "{id}");
        }
        for (i, place) in chain.into_iter().enumerate() {
            let separator = if i == 0 { "" } else { " inlined " };
            write!(out, "{separator}{}:{}:{}", place.file.as_u32(), place.line, place.column)?;
        }
        Ok(())
    }
}
