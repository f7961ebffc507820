//! Arithmetic on values that are more than numbers, and conversions.

use crate::machine::{Machine, StepStop};
use crate::thread::Thread;
use crate::value::Value;
use tp_ir::{BinOp, CastOp, Operand, Type, Width, eval};
impl<'p> Machine<'p, '_> {
    /// An operation on operands that are not both plain numbers: addresses, terms, or values that were never written.
    /// Bit-fields are set by bit operations on the latter, so those do not count as a use.
    pub(crate) fn binary_on_addresses(
        &self,
        t: &Thread<'p>,
        (op, width, checked): (BinOp, Width, bool),
        (a, x): (Operand, Value),
        (b, y): (Operand, Value),
    ) -> Result<Value, StepStop> {
        let bitwise =
            matches!(op, BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::LShr | BinOp::AShr);
        if x.is_uninit() || y.is_uninit() {
            if !bitwise {
                return Err(self.uninitialised(t, if x.is_uninit() { a } else { b }));
            }
            self.state.guessed.set(true);
            let clean = |v: Value| if v.is_uninit() { Value::ZERO } else { v };
            let v = eval::binary::<u64>(op, width, clean(x).bits, clean(y).bits, checked).unwrap_or(0);
            return Ok(Value::int(v));
        }
        if x.term().is_some() || y.term().is_some() {
            if let Some(value) = self.binary_on_symbols((op, width, checked), x, y) {
                return Ok(value);
            }
            let (x, y) = (self.decided(x), self.decided(y));
            return self.binary_on_addresses(t, (op, width, checked), (a, x), (b, y));
        }
        let keeps = matches!(op, BinOp::Add | BinOp::Sub | BinOp::And | BinOp::Or | BinOp::Xor);
        match eval::binary::<u64>(op, width, x.bits, y.bits, checked) {
            Ok(v) if keeps => Ok(Value::derived(v, x, y)),
            Ok(v) => Ok(Value::int(v)),
            Err(error) => self.arithmetic_error(t, error, (op, width), (x.wide(width), y.wide(width))),
        }
    }

    pub(crate) fn cast(
        &self,
        t: &Thread<'p>,
        op: CastOp,
        from: Type,
        to: Type,
        a: Operand,
    ) -> Result<Value, StepStop> {
        let data = self.program.data_model;
        let (from_width, to_width) = (from.width(data), to.width(data));
        let v = self.get(t, a);
        if from_width.bits() <= 64 && v.term().is_some() {
            let integral = matches!(op, CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bitcast);
            if integral && to_width.bits() <= 64 && !matches!(to, Type::F32 | Type::F64) {
                return Ok(self.resized(v, eval::truncate(v.bits, to_width), to_width, false));
            }
            let number = self.decided(v);
            return self.cast_number(t, op, (from, from_width), (to, to_width), number.bits as u128);
        }
        let narrow = from_width.bits() <= 64 && to_width.bits() <= 64;
        let bits = v.wide(from_width);
        if op == CastOp::IntToPtr && v.object().is_some() {
            return Ok(self.state.memory.as_pointer(v.with_bits(eval::truncate(v.bits, to_width))));
        }
        if narrow && matches!(op, CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bitcast) {
            let bits = eval::truncate(v.bits, to_width);
            return Ok(if to_width.bits() >= data.pointer_width().bits() || v.is_uninit() {
                v.with_bits(bits)
            } else {
                Value::int(bits)
            });
        }
        if from_width.bits() <= 64 && v.is_uninit() {
            return Err(self.uninitialised(t, a));
        }
        self.cast_number(t, op, (from, from_width), (to, to_width), bits)
    }

    fn cast_number(
        &self,
        t: &Thread<'p>,
        op: CastOp,
        (from, from_width): (Type, Width),
        (to, to_width): (Type, Width),
        bits: u128,
    ) -> Result<Value, StepStop> {
        match eval::cast(op, (from, from_width), (to, to_width), bits) {
            Ok(bits) => Ok(Value::from_wide(bits, to_width)),
            Err(error) if self.config.checks.has(error) => {
                Err(self.conversion_error(t, error, from, to, bits))
            }
            Err(_) => Ok(Value::from_wide(eval::cast_after_error(to_width), to_width)),
        }
    }
}
