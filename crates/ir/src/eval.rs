//! What the operators compute, on concrete bits. This is the only definition: the machine applies it, and the constant
//! folding of every later stage calls it.
//!
//! A value of width `w` is held in a machine word with all bits above `w` zero. The definitions are generic in the word,
//! so that values of up to 64 bits are computed in one register.

use crate::{
    BinOp, CastOp, CmpOp, FloatBinary, FloatCmp, FloatUnary, Property, RmwOp, RmwValue, Type, Width,
};

/// An unsigned machine word that values are held in: `u64` or `u128`.
pub trait Word:
    Copy
    + Eq
    + Ord
    + std::ops::BitAnd<Output = Self>
    + std::ops::BitOr<Output = Self>
    + std::ops::BitXor<Output = Self>
    + std::ops::Not<Output = Self>
{
    const ZERO: Self;
    const ONES: Self;
    const BITS: u32;
    fn from_u64(v: u64) -> Self;
    fn low_u64(self) -> u64;
    fn shl(self, n: u32) -> Self;
    fn shr(self, n: u32) -> Self;
    fn sar(self, n: u32) -> Self;
    fn add(self, o: Self) -> Self;
    fn sub(self, o: Self) -> Self;
    fn mul(self, o: Self) -> Self;
    /// The signed product, unless it does not fit in the word.
    fn checked_signed_mul(self, o: Self) -> Option<Self>;
    fn div(self, o: Self) -> Self;
    fn rem(self, o: Self) -> Self;
    fn signed_div(self, o: Self) -> Self;
    fn signed_rem(self, o: Self) -> Self;
    fn signed_lt(self, o: Self) -> bool;
}

macro_rules! word {
    ($u:ty, $i:ty) => {
        impl Word for $u {
            const ZERO: Self = 0;
            const ONES: Self = <$u>::MAX;
            const BITS: u32 = <$u>::BITS;
            #[inline(always)]
            fn from_u64(v: u64) -> Self {
                v as $u
            }
            #[inline(always)]
            fn low_u64(self) -> u64 {
                self as u64
            }
            #[inline(always)]
            fn shl(self, n: u32) -> Self {
                self << n
            }
            #[inline(always)]
            fn shr(self, n: u32) -> Self {
                self >> n
            }
            #[inline(always)]
            fn sar(self, n: u32) -> Self {
                ((self as $i) >> n) as $u
            }
            #[inline(always)]
            fn add(self, o: Self) -> Self {
                self.wrapping_add(o)
            }
            #[inline(always)]
            fn sub(self, o: Self) -> Self {
                self.wrapping_sub(o)
            }
            #[inline(always)]
            fn mul(self, o: Self) -> Self {
                self.wrapping_mul(o)
            }
            #[inline(always)]
            fn checked_signed_mul(self, o: Self) -> Option<Self> {
                (self as $i).checked_mul(o as $i).map(|v| v as $u)
            }
            #[inline(always)]
            fn div(self, o: Self) -> Self {
                self / o
            }
            #[inline(always)]
            fn rem(self, o: Self) -> Self {
                self % o
            }
            #[inline(always)]
            fn signed_div(self, o: Self) -> Self {
                (self as $i).wrapping_div(o as $i) as $u
            }
            #[inline(always)]
            fn signed_rem(self, o: Self) -> Self {
                (self as $i).wrapping_rem(o as $i) as $u
            }
            #[inline(always)]
            fn signed_lt(self, o: Self) -> bool {
                (self as $i) < (o as $i)
            }
        }
    };
}
word!(u64, i64);
word!(u128, i128);

/// Ones in the low `width` bits.
#[inline(always)]
pub fn mask<W: Word>(width: Width) -> W {
    W::ONES.shr(W::BITS - width.bits())
}

/// Clears the bits above `width`.
#[inline(always)]
pub fn truncate<W: Word>(v: W, width: Width) -> W {
    v & mask(width)
}

/// Spreads the sign bit of a value of `width` over the whole word.
#[inline(always)]
pub fn sign_extend<W: Word>(v: W, width: Width) -> W {
    let n = W::BITS - width.bits();
    v.shl(n).sar(n)
}

/// The result of an integer operation, or the rule of C that it breaks. With `checked`, signed overflow of `Add`, `Sub`
/// and `Mul` is an error; without it they wrap.
#[inline(always)]
pub fn binary<W: Word>(op: BinOp, width: Width, a: W, b: W, checked: bool) -> Result<W, Property> {
    let exact = |wide: W| {
        let v = truncate(wide, width);
        if checked && sign_extend(v, width) != wide { Err(Property::Overflow) } else { Ok(v) }
    };
    match op {
        BinOp::Add | BinOp::Sub if checked => {
            let (x, y) = (sign_extend(a, width), sign_extend(b, width));
            let wide = if op == BinOp::Add { x.add(y) } else { x.sub(y) };
            let v = truncate(wide, width);
            // A sum overflows when both operands differ from it in sign; a difference, when only the minuend does.
            let y = if op == BinOp::Add { y } else { !y };
            let r = sign_extend(v, width);
            if ((x ^ r) & (y ^ r)).signed_lt(W::ZERO) { Err(Property::Overflow) } else { Ok(v) }
        }
        BinOp::Add => Ok(truncate(a.add(b), width)),
        BinOp::Sub => Ok(truncate(a.sub(b), width)),
        BinOp::Mul if checked => match sign_extend(a, width).checked_signed_mul(sign_extend(b, width)) {
            Some(wide) => exact(wide),
            None => Err(Property::Overflow),
        },
        BinOp::Mul => Ok(truncate(a.mul(b), width)),
        BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem if b == W::ZERO => {
            Err(Property::DivisionByZero)
        }
        BinOp::UDiv => Ok(a.div(b)),
        BinOp::URem => Ok(a.rem(b)),
        BinOp::SDiv | BinOp::SRem => {
            let (x, y) = (sign_extend(a, width), sign_extend(b, width));
            let least = sign_extend(mask::<W>(width) ^ mask::<W>(width).shr(1), width);
            if x == least && y == W::ONES {
                return Err(Property::Overflow);
            }
            let v = if op == BinOp::SDiv { x.signed_div(y) } else { x.signed_rem(y) };
            Ok(truncate(v, width))
        }
        BinOp::Shl | BinOp::LShr | BinOp::AShr if b >= W::from_u64(width.bits() as u64) => {
            Err(Property::Shift)
        }
        BinOp::Shl => Ok(truncate(a.shl(b.low_u64() as u32), width)),
        BinOp::LShr => Ok(a.shr(b.low_u64() as u32)),
        BinOp::AShr => Ok(truncate(sign_extend(a, width).sar(b.low_u64() as u32), width)),
        BinOp::And => Ok(a & b),
        BinOp::Or => Ok(a | b),
        BinOp::Xor => Ok(a ^ b),
    }
}

/// The value of an operation whose error is ignored: overflow wraps, a shift count is taken modulo the width, and a
/// division by zero gives zero.
pub fn binary_after_error<W: Word>(op: BinOp, width: Width, a: W, b: W) -> W {
    match op {
        BinOp::Add | BinOp::Sub | BinOp::Mul => binary(op, width, a, b, false).unwrap_or(W::ZERO),
        BinOp::SDiv if b != W::ZERO => a,
        BinOp::Shl | BinOp::LShr | BinOp::AShr => {
            let wrapped = W::from_u64(b.low_u64() % width.bits() as u64);
            binary(op, width, a, wrapped, false).unwrap_or(W::ZERO)
        }
        _ => W::ZERO,
    }
}

#[inline(always)]
pub fn compare<W: Word>(op: CmpOp, width: Width, a: W, b: W) -> bool {
    let (x, y) = (sign_extend(a, width), sign_extend(b, width));
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Ult => a < b,
        CmpOp::Ule => a <= b,
        CmpOp::Ugt => a > b,
        CmpOp::Uge => a >= b,
        CmpOp::Slt => x.signed_lt(y),
        CmpOp::Sle => !y.signed_lt(x),
        CmpOp::Sgt => y.signed_lt(x),
        CmpOp::Sge => !x.signed_lt(y),
    }
}

/// The value that an atomic read-modify-write stores.
pub fn rmw<W: Word>(op: RmwOp, ty: Type, width: Width, old: W, value: W) -> W {
    let wrap = |op| binary(op, width, old, value, false).unwrap_or(W::ZERO);
    match op.value() {
        RmwValue::Operand => value,
        RmwValue::Binary(op) => wrap(op),
        RmwValue::Complement(op) => truncate(!wrap(op), width),
        RmwValue::OldIf(cmp) => match compare(cmp, width, old, value) {
            true => old,
            false => value,
        },
        RmwValue::Float(op) => W::from_u64(float_binary(op, ty, old.low_u64(), value.low_u64())),
    }
}

/// The number that the bits of a float type stand for.
#[inline(always)]
pub fn to_f64(ty: Type, bits: u64) -> f64 {
    if ty == Type::F32 { f32::from_bits(bits as u32) as f64 } else { f64::from_bits(bits) }
}

/// The bits of the nearest number of a float type.
#[inline(always)]
pub fn from_f64(ty: Type, v: f64) -> u64 {
    if ty == Type::F32 { (v as f32).to_bits() as u64 } else { v.to_bits() }
}

/// Evaluates `body` once for each float type, with `x` reading an operand's bits in that type.
macro_rules! in_float_type {
    ($ty:expr, |$x:ident| $body:expr) => {
        if $ty == Type::F32 {
            let $x = |bits: u64| f32::from_bits(bits as u32);
            ($body).to_bits() as u64
        } else {
            let $x = f64::from_bits;
            ($body).to_bits()
        }
    };
}

/// The bits of the result, computed in the type itself (not by way of a wider one).
#[inline]
pub fn float_unary(op: FloatUnary, ty: Type, a: u64) -> u64 {
    in_float_type!(ty, |x| match op {
        FloatUnary::Neg => -x(a),
        FloatUnary::Abs => x(a).abs(),
        FloatUnary::Sqrt => x(a).sqrt(),
        FloatUnary::Floor => x(a).floor(),
        FloatUnary::Ceil => x(a).ceil(),
        FloatUnary::Trunc => x(a).trunc(),
        FloatUnary::Round => x(a).round(),
        FloatUnary::RoundEven => x(a).round_ties_even(),
        FloatUnary::Sin => x(a).sin(),
        FloatUnary::Cos => x(a).cos(),
        FloatUnary::Tan => x(a).tan(),
        FloatUnary::Asin => x(a).asin(),
        FloatUnary::Acos => x(a).acos(),
        FloatUnary::Atan => x(a).atan(),
        FloatUnary::Exp => x(a).exp(),
        FloatUnary::Log => x(a).ln(),
        FloatUnary::Log2 => x(a).log2(),
        FloatUnary::Log10 => x(a).log10(),
    })
}

/// The bits of the result, computed in the type itself.
#[inline]
pub fn float_binary(op: FloatBinary, ty: Type, a: u64, b: u64) -> u64 {
    in_float_type!(ty, |x| match op {
        FloatBinary::Add => x(a) + x(b),
        FloatBinary::Sub => x(a) - x(b),
        FloatBinary::Mul => x(a) * x(b),
        FloatBinary::Div => x(a) / x(b),
        FloatBinary::Rem => x(a) % x(b),
        FloatBinary::Min => x(a).min(x(b)),
        FloatBinary::Max => x(a).max(x(b)),
        FloatBinary::CopySign => x(a).copysign(x(b)),
        FloatBinary::Pow => x(a).powf(x(b)),
        FloatBinary::Atan2 => x(a).atan2(x(b)),
    })
}

#[inline]
pub fn float_compare(op: FloatCmp, ty: Type, a: u64, b: u64) -> bool {
    let (x, y) = (to_f64(ty, a), to_f64(ty, b));
    let unordered = x.is_nan() || y.is_nan();
    match op {
        FloatCmp::Oeq => x == y,
        FloatCmp::Ogt => x > y,
        FloatCmp::Oge => x >= y,
        FloatCmp::Olt => x < y,
        FloatCmp::Ole => x <= y,
        FloatCmp::One => !unordered && x != y,
        FloatCmp::Ord => !unordered,
        FloatCmp::Ueq => unordered || x == y,
        FloatCmp::Ugt => unordered || x > y,
        FloatCmp::Uge => unordered || x >= y,
        FloatCmp::Ult => unordered || x < y,
        FloatCmp::Ule => unordered || x <= y,
        FloatCmp::Une => unordered || x != y,
        FloatCmp::Uno => unordered,
    }
}

/// The result of a conversion; `from` and `to` are the widths of the two types (pointers have the pointer width).
#[inline]
pub fn cast(op: CastOp, from: (Type, Width), to: (Type, Width), a: u128) -> Result<u128, Property> {
    let (to_ty, to_width) = to;
    let (from_ty, from_width) = from;
    Ok(match op {
        CastOp::Trunc | CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bitcast => {
            truncate(a, to_width)
        }
        CastOp::SExt => truncate(sign_extend(a, from_width), to_width),
        CastOp::FloatToFloat => from_f64(to_ty, to_f64(from_ty, a as u64)) as u128,
        CastOp::SignedToFloat => {
            let v = sign_extend(a, from_width) as i128;
            if to_ty == Type::F32 { (v as f32).to_bits() as u128 } else { (v as f64).to_bits() as u128 }
        }
        CastOp::UnsignedToFloat => {
            if to_ty == Type::F32 {
                (a as f32).to_bits() as u128
            } else {
                (a as f64).to_bits() as u128
            }
        }
        CastOp::FloatToSigned | CastOp::FloatToUnsigned => {
            let v = to_f64(from_ty, a as u64).trunc();
            let bits = to_width.bits() as i32;
            let (low, high) = if op == CastOp::FloatToSigned {
                (-2f64.powi(bits - 1), 2f64.powi(bits - 1))
            } else {
                (0.0, 2f64.powi(bits))
            };
            if !(v >= low && v < high) {
                return Err(Property::FloatConversion);
            }
            if op == CastOp::FloatToSigned { truncate(v as i128 as u128, to_width) } else { v as u128 }
        }
    })
}

/// The result of a float conversion whose error is ignored: x86's "integer indefinite" value.
pub fn cast_after_error(to: Width) -> u128 {
    1u128 << (to.bits() - 1)
}
