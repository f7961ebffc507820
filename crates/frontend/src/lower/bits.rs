//! Intrinsics that are integer arithmetic, expanded into ordinary operations (Warren, Hacker's Delight, chapters 2, 5
//! and 7).

use super::FunctionImport;
use super::values::Leaf;
use crate::llvm::Value;
use crate::types::{Lowered, unsupported};
use tp_ir::{BinOp, CastOp, CmpOp, Op, Operand, Type, Width};

impl<'a> FunctionImport<'_, 'a> {
    /// `None`: not an intrinsic on integers.
    pub fn integer_intrinsic(
        &mut self,
        call: Value<'a>,
        name: &str,
        args: &[Value<'a>],
    ) -> Lowered<Option<Vec<Leaf>>> {
        let Some(name) = name.strip_prefix("llvm.") else { return Ok(None) };
        if let Some(kind) = name.strip_suffix(".with.overflow") {
            let (result, overflow, _) = self.with_overflow(kind, args)?;
            return Ok(Some(vec![Leaf::Known(result), Leaf::Known(overflow)]));
        }
        let result = match (name, args) {
            ("sadd.sat" | "uadd.sat" | "ssub.sat" | "usub.sat", _) => {
                self.saturated(name.trim_end_matches(".sat"), args)?
            }
            ("smax", _) => return self.pick(call, CmpOp::Sgt),
            ("smin", _) => return self.pick(call, CmpOp::Slt),
            ("umax", _) => return self.pick(call, CmpOp::Ugt),
            ("umin", _) => return self.pick(call, CmpOp::Ult),
            ("abs", &[x, least_is_undefined]) => {
                let checked = self.literal(least_is_undefined)? != 0;
                let (x, width) = self.int_operand(x)?;
                self.absolute(x, width, checked)
            }
            ("bswap", &[x]) => {
                let (x, width) = self.int_operand(x)?;
                self.swap_bytes(x, width)
            }
            ("bitreverse", &[x]) => {
                let (x, width) = self.power_of_two_operand(x)?;
                self.reverse_bits(x, width)
            }
            ("ctpop", &[x]) => {
                let (x, width) = self.power_of_two_operand(x)?;
                self.count_ones(x, width)
            }
            ("ctlz", &[x, _]) => {
                let (x, width) = self.power_of_two_operand(x)?;
                self.leading_zeros(x, width)
            }
            ("cttz", &[x, _]) => {
                let (x, width) = self.power_of_two_operand(x)?;
                self.trailing_zeros(x, width)
            }
            ("fshl" | "fshr", &[high, low, by]) => {
                let (high, width) = self.int_operand(high)?;
                let (low, by) = (self.operand(low)?, self.operand(by)?);
                self.funnel_shift(name == "fshl", width, high, low, by)
            }
            _ => return Ok(None),
        };
        Ok(Some(vec![Leaf::Known(result)]))
    }

    fn pick(&mut self, call: Value<'a>, op: CmpOp) -> Lowered<Option<Vec<Leaf>>> {
        let Some(first) = call.operand(0) else { return unsupported("a maximum of nothing") };
        let Type::Int(width) = super::arithmetic::lane_type(first.ty())? else {
            return unsupported("a maximum of non-integers");
        };
        let picked = self.lanes(call, |me, a, b| {
            let cond = me.compare(op, width, a, b);
            me.select(Type::Int(width), cond, a, b)
        });
        picked.map(Some)
    }

    fn power_of_two_operand(&mut self, x: Value<'a>) -> Lowered<(Operand, Width)> {
        let (x, width) = self.int_operand(x)?;
        if !width.bits().is_power_of_two() {
            return unsupported(format!("bit operations on integers of {} bits", width.bits()));
        }
        Ok((x, width))
    }

    /// The wrapped result, whether it wrapped, and the width. `kind` is `sadd`, `umul` and so on.
    fn with_overflow(&mut self, kind: &str, args: &[Value<'a>]) -> Lowered<(Operand, Operand, Width)> {
        let &[a, b] = args else { return unsupported("arithmetic without operands") };
        let (a, width) = self.int_operand(a)?;
        let b = self.operand(b)?;
        let (result, overflow) = match kind {
            "uadd" => {
                let sum = self.binary(BinOp::Add, width, a, b);
                (sum, self.compare(CmpOp::Ult, width, sum, a))
            }
            "usub" => (self.binary(BinOp::Sub, width, a, b), self.compare(CmpOp::Ult, width, a, b)),
            "sadd" => {
                let sum = self.binary(BinOp::Add, width, a, b);
                (sum, self.signs_differ(width, (a, sum), (b, sum)))
            }
            "ssub" => {
                let difference = self.binary(BinOp::Sub, width, a, b);
                (difference, self.signs_differ(width, (a, b), (a, difference)))
            }
            "umul" => self.wide_product(width, a, b, CastOp::ZExt)?,
            "smul" => self.wide_product(width, a, b, CastOp::SExt)?,
            _ => return unsupported(format!("the intrinsic `llvm.{kind}.with.overflow`")),
        };
        Ok((result, overflow, width))
    }

    /// Whether both pairs differ in sign.
    fn signs_differ(&mut self, width: Width, one: (Operand, Operand), other: (Operand, Operand)) -> Operand {
        let one = self.binary(BinOp::Xor, width, one.0, one.1);
        let other = self.binary(BinOp::Xor, width, other.0, other.1);
        let both = self.binary(BinOp::And, width, one, other);
        let zero = self.int(width, 0);
        self.compare(CmpOp::Slt, width, both, zero)
    }

    /// Multiplies in twice the width. There is an overflow if the lower half, extended, is not the product.
    fn wide_product(
        &mut self,
        width: Width,
        a: Operand,
        b: Operand,
        extend: CastOp,
    ) -> Lowered<(Operand, Operand)> {
        let Some(wide) = Width::new(width.bits() * 2) else {
            return unsupported("overflow of a product of 128 bits");
        };
        let (narrow_ty, wide_ty) = (Type::Int(width), Type::Int(wide));
        let (a, b) = (self.cast(extend, narrow_ty, wide_ty, a), self.cast(extend, narrow_ty, wide_ty, b));
        let product = self.binary(BinOp::Mul, wide, a, b);
        let result = self.cast(CastOp::Trunc, wide_ty, narrow_ty, product);
        let back = self.cast(extend, narrow_ty, wide_ty, result);
        Ok((result, self.compare(CmpOp::Ne, wide, back, product)))
    }

    fn saturated(&mut self, kind: &str, args: &[Value<'a>]) -> Lowered<Operand> {
        let (result, overflow, width) = self.with_overflow(kind, args)?;
        let ty = Type::Int(width);
        let limit = match kind {
            "uadd" => self.int(width, u128::MAX),
            "usub" => self.int(width, 0),
            // A wrapped signed result is negative exactly when the true one is too large.
            _ => {
                let largest = u128::MAX >> (129 - width.bits());
                let (largest, least) = (self.int(width, largest), self.int(width, largest + 1));
                let zero = self.int(width, 0);
                let negative = self.compare(CmpOp::Slt, width, result, zero);
                self.select(ty, negative, largest, least)
            }
        };
        Ok(self.select(ty, overflow, limit, result))
    }

    fn absolute(&mut self, x: Operand, width: Width, checked: bool) -> Operand {
        let ty = Type::Int(width);
        let zero = self.int(width, 0);
        let negated = self.compute(Op::Binary { op: BinOp::Sub, width, a: zero, b: x, checked }, ty);
        let negative = self.compare(CmpOp::Slt, width, x, zero);
        self.select(ty, negative, negated, x)
    }

    fn shift(&mut self, op: BinOp, width: Width, x: Operand, by: u32) -> Operand {
        let by = self.int(width, by as u128);
        self.binary(op, width, x, by)
    }

    fn and(&mut self, width: Width, x: Operand, mask: u128) -> Operand {
        let mask = self.int(width, mask);
        self.binary(BinOp::And, width, x, mask)
    }

    fn swap_bytes(&mut self, x: Operand, width: Width) -> Operand {
        let bits = width.bits();
        let mut result = self.int(width, 0);
        for at in (0..bits).step_by(8) {
            let byte = self.shift(BinOp::LShr, width, x, at);
            let byte = self.and(width, byte, 0xff);
            let moved = self.shift(BinOp::Shl, width, byte, bits - 8 - at);
            result = self.binary(BinOp::Or, width, result, moved);
        }
        result
    }

    /// Swaps neighbouring bits, then pairs, and so on.
    fn reverse_bits(&mut self, mut x: Operand, width: Width) -> Operand {
        for step in halvings(width) {
            let mask = low_halves(step);
            let up = self.and(width, x, mask);
            let up = self.shift(BinOp::Shl, width, up, step);
            let down = self.shift(BinOp::LShr, width, x, step);
            let down = self.and(width, down, mask);
            x = self.binary(BinOp::Or, width, up, down);
        }
        x
    }

    /// Adds neighbouring bits, then pairs, and so on.
    fn count_ones(&mut self, mut x: Operand, width: Width) -> Operand {
        for step in halvings(width) {
            let mask = low_halves(step);
            let low = self.and(width, x, mask);
            let high = self.shift(BinOp::LShr, width, x, step);
            let high = self.and(width, high, mask);
            x = self.binary(BinOp::Add, width, low, high);
        }
        x
    }

    fn not(&mut self, width: Width, x: Operand) -> Operand {
        let ones = self.int(width, u128::MAX);
        self.binary(BinOp::Xor, width, x, ones)
    }

    fn leading_zeros(&mut self, mut x: Operand, width: Width) -> Operand {
        for step in halvings(width) {
            let right = self.shift(BinOp::LShr, width, x, step);
            x = self.binary(BinOp::Or, width, x, right);
        }
        let zeros = self.not(width, x);
        self.count_ones(zeros, width)
    }

    fn trailing_zeros(&mut self, x: Operand, width: Width) -> Operand {
        let one = self.int(width, 1);
        let less = self.binary(BinOp::Sub, width, x, one);
        let not = self.not(width, x);
        let trailing = self.binary(BinOp::And, width, not, less);
        self.count_ones(trailing, width)
    }

    /// The upper (left shift) or lower (right shift) word of two words shifted together. The distance is taken modulo
    /// the width, and no single shift is by the whole width.
    fn funnel_shift(
        &mut self,
        left: bool,
        width: Width,
        high: Operand,
        low: Operand,
        by: Operand,
    ) -> Operand {
        let bits = self.int(width, width.bits() as u128);
        let by = self.binary(BinOp::URem, width, by, bits);
        let most = self.int(width, width.bits() as u128 - 1);
        let rest = self.binary(BinOp::Sub, width, most, by);
        let (upper, lower) = if left {
            let upper = self.binary(BinOp::Shl, width, high, by);
            let lower = self.shift(BinOp::LShr, width, low, 1);
            (upper, self.binary(BinOp::LShr, width, lower, rest))
        } else {
            let upper = self.shift(BinOp::Shl, width, high, 1);
            let upper = self.binary(BinOp::Shl, width, upper, rest);
            (upper, self.binary(BinOp::LShr, width, low, by))
        };
        self.binary(BinOp::Or, width, upper, lower)
    }
}

/// 1, 2, 4 … below the width.
fn halvings(width: Width) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(1), |step| Some(step * 2)).take_while(move |&step| step < width.bits())
}

/// The lower `step` of every `2 * step` bits.
fn low_halves(step: u32) -> u128 {
    let ones = (1u128 << step) - 1;
    (0..128).step_by(2 * step as usize).fold(0, |mask, at| mask | ones << at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks() {
        assert_eq!(low_halves(1) as u8, 0x55);
        assert_eq!(low_halves(4) as u16, 0x0f0f);
        assert_eq!(low_halves(64), u64::MAX as u128);
        assert_eq!(halvings(Width::W8).collect::<Vec<_>>(), [1, 2, 4]);
    }
}
