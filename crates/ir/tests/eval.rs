//! The operators: every value of the small widths against plain integer arithmetic, edges of the large ones, floats and
//! conversions.

use threadproof_ir::eval::{self, Word};
use threadproof_ir::{BinOp, CastOp, CmpOp, FloatBinary, FloatCmp, FloatUnary, Property, RmwOp, Type, Width};

fn width(bits: u32) -> Width {
    Width::new(bits).expect("a width")
}

/// A number of a small width, as unsigned and as signed.
#[derive(Copy, Clone)]
struct Small {
    bits: u32,
    unsigned: i64,
    signed: i64,
}

impl Small {
    fn new(bits: u32, unsigned: i64) -> Small {
        let signed = if unsigned >> (bits - 1) == 1 { unsigned - (1 << bits) } else { unsigned };
        Small { bits, unsigned, signed }
    }

    fn all(bits: u32) -> impl Iterator<Item = Small> {
        (0..1 << bits).map(move |v| Small::new(bits, v))
    }

    fn fits(self, signed: i64) -> bool {
        (-(1 << (self.bits - 1))..1 << (self.bits - 1)).contains(&signed)
    }

    fn wrap(self, v: i64) -> i64 {
        v.rem_euclid(1 << self.bits)
    }
}

/// What C says, in arithmetic that cannot overflow.
fn expected(op: BinOp, a: Small, b: Small, checked: bool) -> Result<i64, Property> {
    let exact = |v: i64| if checked && !a.fits(v) { Err(Property::Overflow) } else { Ok(a.wrap(v)) };
    let divide = |by: i64, f: &dyn Fn() -> i64| if by == 0 { Err(Property::DivisionByZero) } else { Ok(f()) };
    let shift = |f: &dyn Fn() -> i64| {
        if b.unsigned >= a.bits as i64 { Err(Property::Shift) } else { Ok(a.wrap(f())) }
    };
    match op {
        BinOp::Add => exact(a.signed + b.signed),
        BinOp::Sub => exact(a.signed - b.signed),
        BinOp::Mul => exact(a.signed * b.signed),
        BinOp::UDiv => divide(b.unsigned, &|| a.unsigned / b.unsigned),
        BinOp::URem => divide(b.unsigned, &|| a.unsigned % b.unsigned),
        BinOp::SDiv | BinOp::SRem if b.signed != 0 && !a.fits(a.signed / b.signed) => Err(Property::Overflow),
        BinOp::SDiv => divide(b.signed, &|| a.wrap(a.signed / b.signed)),
        BinOp::SRem => divide(b.signed, &|| a.wrap(a.signed % b.signed)),
        BinOp::Shl => shift(&|| a.unsigned << b.unsigned),
        BinOp::LShr => shift(&|| a.unsigned >> b.unsigned),
        BinOp::AShr => shift(&|| a.signed >> b.unsigned),
        BinOp::And => Ok(a.unsigned & b.unsigned),
        BinOp::Or => Ok(a.unsigned | b.unsigned),
        BinOp::Xor => Ok(a.unsigned ^ b.unsigned),
    }
}

fn small_widths<W: Word + std::fmt::Debug>() {
    let word = |v: i64| W::from_u64(v as u64);
    for bits in 1..=6 {
        for a in Small::all(bits) {
            for b in Small::all(bits) {
                let (x, y, w) = (word(a.unsigned), word(b.unsigned), width(bits));
                for op in BinOp::ALL {
                    for checked in [false, true] {
                        let expect = expected(op, a, b, checked).map(word);
                        let found = eval::binary(op, w, x, y, checked);
                        assert_eq!(
                            found, expect,
                            "{op:?} i{bits} {} {} checked {checked}",
                            a.signed, b.signed
                        );
                        let after = eval::binary_after_error(op, w, x, y);
                        assert_eq!(after, eval::truncate(after, w), "{op:?} i{bits}");
                        if found.is_err() && matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul) {
                            assert_eq!(Ok(after), eval::binary(op, w, x, y, false));
                        }
                    }
                }
                check_compare(w, x, y, a, b);
                check_rmw(w, x, y, a, b);
            }
        }
    }
}

fn check_compare<W: Word>(w: Width, x: W, y: W, a: Small, b: Small) {
    for (op, expect) in [
        (CmpOp::Eq, a.unsigned == b.unsigned),
        (CmpOp::Ne, a.unsigned != b.unsigned),
        (CmpOp::Ult, a.unsigned < b.unsigned),
        (CmpOp::Ule, a.unsigned <= b.unsigned),
        (CmpOp::Ugt, a.unsigned > b.unsigned),
        (CmpOp::Uge, a.unsigned >= b.unsigned),
        (CmpOp::Slt, a.signed < b.signed),
        (CmpOp::Sle, a.signed <= b.signed),
        (CmpOp::Sgt, a.signed > b.signed),
        (CmpOp::Sge, a.signed >= b.signed),
    ] {
        assert_eq!(eval::compare(op, w, x, y), expect, "{op:?} {} {}", a.signed, b.signed);
    }
}

fn check_rmw<W: Word + std::fmt::Debug>(w: Width, x: W, y: W, a: Small, b: Small) {
    for (op, expect) in [
        (RmwOp::Exchange, b.unsigned),
        (RmwOp::Add, a.unsigned + b.unsigned),
        (RmwOp::Sub, a.unsigned - b.unsigned),
        (RmwOp::And, a.unsigned & b.unsigned),
        (RmwOp::Nand, !(a.unsigned & b.unsigned)),
        (RmwOp::Or, a.unsigned | b.unsigned),
        (RmwOp::Xor, a.unsigned ^ b.unsigned),
        (RmwOp::Max, a.signed.max(b.signed)),
        (RmwOp::Min, a.signed.min(b.signed)),
        (RmwOp::UMax, a.unsigned.max(b.unsigned)),
        (RmwOp::UMin, a.unsigned.min(b.unsigned)),
    ] {
        let found = eval::rmw(op, Type::Int(w), w, x, y);
        assert_eq!(found, W::from_u64(a.wrap(expect) as u64), "{op:?} {} {}", a.signed, b.signed);
    }
}

#[test]
fn small_widths_in_64_bits() {
    small_widths::<u64>();
}

#[test]
fn small_widths_in_128_bits() {
    small_widths::<u128>();
}

/// Both words agree with the arithmetic of Rust at the edges of its own types.
macro_rules! edges {
    ($name:ident, $u:ty, $i:ty, [$($word:ty),*]) => {
        #[test]
        fn $name() {
            let w = width(<$u>::BITS);
            let half = 1 as $u << (<$u>::BITS / 2);
            let edges: [$u; 14] = [
                0, 1, 2, 3, 7, half - 1, half, half + 1, <$i>::MAX as $u - 1, <$i>::MAX as $u, <$i>::MIN as $u,
                <$i>::MIN as $u + 1, <$u>::MAX - 1, <$u>::MAX,
            ];
            for a in edges {
                for b in edges {
                    $(edge_pair::<$word>(w, a as $word, b as $word, |op, checked| {
                        let (x, y) = (a as $i, b as $i);
                        let or = |v: Option<$i>, error| v.map(|v| v as $u as $word).ok_or(error);
                        let wrap = |checked_result: Option<$i>, wrapped: $i| match checked {
                            true => or(checked_result, Property::Overflow),
                            false => Ok(wrapped as $u as $word),
                        };
                        let shift = || match u32::try_from(b) {
                            Ok(n) if n < <$u>::BITS => Ok(n),
                            _ => Err(Property::Shift),
                        };
                        match op {
                            BinOp::Add => wrap(x.checked_add(y), x.wrapping_add(y)),
                            BinOp::Sub => wrap(x.checked_sub(y), x.wrapping_sub(y)),
                            BinOp::Mul => wrap(x.checked_mul(y), x.wrapping_mul(y)),
                            BinOp::UDiv => a.checked_div(b).map(|v| v as $word).ok_or(Property::DivisionByZero),
                            BinOp::URem => a.checked_rem(b).map(|v| v as $word).ok_or(Property::DivisionByZero),
                            BinOp::SDiv | BinOp::SRem if b == 0 => Err(Property::DivisionByZero),
                            BinOp::SDiv => or(x.checked_div(y), Property::Overflow),
                            BinOp::SRem => or(x.checked_rem(y), Property::Overflow),
                            BinOp::Shl => shift().map(|n| (a << n) as $word),
                            BinOp::LShr => shift().map(|n| (a >> n) as $word),
                            BinOp::AShr => shift().map(|n| (x >> n) as $u as $word),
                            BinOp::And => Ok((a & b) as $word),
                            BinOp::Or => Ok((a | b) as $word),
                            BinOp::Xor => Ok((a ^ b) as $word),
                        }
                    });
                    assert_eq!(eval::compare(CmpOp::Slt, w, a as $word, b as $word), (a as $i) < (b as $i));
                    assert_eq!(eval::compare(CmpOp::Sge, w, a as $word, b as $word), (a as $i) >= (b as $i));
                    assert_eq!(eval::compare(CmpOp::Ult, w, a as $word, b as $word), a < b);
                    )*
                }
            }
        }
    };
}

fn edge_pair<W: Word + std::fmt::Debug>(
    w: Width,
    a: W,
    b: W,
    expect: impl Fn(BinOp, bool) -> Result<W, Property>,
) {
    for op in BinOp::ALL {
        for checked in [false, true] {
            let found = eval::binary(op, w, a, b, checked);
            assert_eq!(found, expect(op, checked), "{op:?} {a:?} {b:?} checked {checked}");
        }
    }
}

edges!(edges_of_8, u8, i8, [u64, u128]);
edges!(edges_of_32, u32, i32, [u64, u128]);
edges!(edges_of_64, u64, i64, [u64, u128]);
edges!(edges_of_128, u128, i128, [u128]);

#[test]
fn after_an_error() {
    let w = Width::W32;
    let least = 1u64 << 31;
    assert_eq!(eval::binary_after_error(BinOp::SDiv, w, least, 0xffff_ffff), least);
    assert_eq!(eval::binary_after_error(BinOp::SRem, w, least, 0xffff_ffff), 0);
    assert_eq!(eval::binary_after_error(BinOp::UDiv, w, 5u64, 0), 0);
    assert_eq!(eval::binary_after_error(BinOp::Shl, w, 1u64, 33), 2);
    assert_eq!(eval::cast_after_error(w), 1 << 31);
}

fn int(bits: u32) -> (Type, Width) {
    (Type::Int(width(bits)), width(bits))
}

const F32: (Type, Width) = (Type::F32, Width::W32);
const F64: (Type, Width) = (Type::F64, Width::W64);

#[test]
fn integer_conversions() {
    for from in 1..=6 {
        for a in Small::all(from) {
            for to in 1..=9 {
                let bits = a.unsigned as u128;
                let wrapped = |v: i64| Ok(v.rem_euclid(1 << to) as u128);
                let cast = |op| eval::cast(op, int(from), int(to), bits);
                if to < from {
                    assert_eq!(cast(CastOp::Trunc), wrapped(a.unsigned));
                } else {
                    assert_eq!(cast(CastOp::ZExt), wrapped(a.unsigned));
                    assert_eq!(cast(CastOp::SExt), wrapped(a.signed));
                }
            }
            let number = |op, to| eval::cast(op, int(from), to, a.unsigned as u128);
            assert_eq!(number(CastOp::SignedToFloat, F64), Ok((a.signed as f64).to_bits() as u128));
            assert_eq!(number(CastOp::UnsignedToFloat, F32), Ok((a.unsigned as f32).to_bits() as u128));
        }
    }
    assert_eq!(eval::cast(CastOp::SExt, int(64), int(128), 1 << 63), Ok(u128::MAX << 63));
    let pointer = (Type::Ptr, Width::W32);
    assert_eq!(eval::cast(CastOp::PtrToInt, pointer, int(64), 0xffff_fff0), Ok(0xffff_fff0));
    assert_eq!(eval::cast(CastOp::IntToPtr, int(64), pointer, 0x1_0000_0004), Ok(4));
}

#[test]
fn float_conversions() {
    let bits = |v: f64| v.to_bits() as u128;
    let to_int = |op, v: f64, to| eval::cast(op, F64, int(to), bits(v));
    let outside = Err(Property::FloatConversion);
    assert_eq!(to_int(CastOp::FloatToSigned, -1.9, 8), Ok(0xff));
    assert_eq!(to_int(CastOp::FloatToSigned, 127.9, 8), Ok(127));
    assert_eq!(to_int(CastOp::FloatToSigned, 128.0, 8), outside);
    assert_eq!(to_int(CastOp::FloatToSigned, -128.9, 8), Ok(0x80));
    assert_eq!(to_int(CastOp::FloatToSigned, -129.0, 8), outside);
    assert_eq!(to_int(CastOp::FloatToUnsigned, 255.9, 8), Ok(255));
    assert_eq!(to_int(CastOp::FloatToUnsigned, -0.9, 8), Ok(0));
    assert_eq!(to_int(CastOp::FloatToUnsigned, -1.0, 8), outside);
    assert_eq!(to_int(CastOp::FloatToUnsigned, 256.0, 8), outside);
    assert_eq!(to_int(CastOp::FloatToSigned, 9223372036854774784.0, 64), Ok(9223372036854774784));
    assert_eq!(to_int(CastOp::FloatToSigned, 9223372036854775808.0, 64), outside);
    assert_eq!(to_int(CastOp::FloatToUnsigned, 18446744073709549568.0, 64), Ok(18446744073709549568));
    assert_eq!(to_int(CastOp::FloatToUnsigned, 2f64.powi(127), 128), Ok(1 << 127));
    assert_eq!(to_int(CastOp::FloatToUnsigned, 2f64.powi(128), 128), outside);
    assert_eq!(to_int(CastOp::FloatToSigned, -(2f64.powi(127)), 128), Ok(1 << 127));
    assert_eq!(to_int(CastOp::FloatToSigned, f64::NAN, 32), outside);
    assert_eq!(to_int(CastOp::FloatToUnsigned, f64::INFINITY, 32), outside);
    let single = |v: f32| v.to_bits() as u128;
    assert_eq!(eval::cast(CastOp::FloatToFloat, F64, F32, bits(0.1)), Ok(single(0.1)));
    assert_eq!(eval::cast(CastOp::FloatToFloat, F32, F64, single(0.1)), Ok(bits(0.1f32 as f64)));
    assert_eq!(eval::cast(CastOp::FloatToFloat, F64, F32, bits(1e300)), Ok(single(f32::INFINITY)));
    // 2^24 + 1 lies between two floats, 2^53 + 1 between two doubles: rounded to even.
    assert_eq!(eval::cast(CastOp::UnsignedToFloat, int(32), F32, (1 << 24) + 1), Ok(single(16777216.0)));
    assert_eq!(eval::cast(CastOp::SignedToFloat, int(64), F64, (1 << 53) + 1), Ok(bits(9007199254740992.0)));
    // Not through a double: that would round twice.
    let twice = (1u128 << 54) + (1 << 30) + 1;
    assert_eq!(eval::cast(CastOp::UnsignedToFloat, int(64), F32, twice), Ok(single(twice as f32)));
    assert_ne!(twice as f32, twice as f64 as f32);
    assert_eq!(eval::cast(CastOp::Bitcast, F64, int(64), bits(1.5)), Ok(bits(1.5)));
}

#[test]
fn floats_are_computed_in_their_own_type() {
    let double =
        |op, a: f64, b: f64| f64::from_bits(eval::float_binary(op, Type::F64, a.to_bits(), b.to_bits()));
    let single = |op, a: f32, b: f32| {
        f32::from_bits(eval::float_binary(op, Type::F32, a.to_bits() as u64, b.to_bits() as u64) as u32)
    };
    assert_eq!(double(FloatBinary::Add, 0.1, 0.2), 0.30000000000000004);
    assert_eq!(single(FloatBinary::Add, 0.1, 0.2), 0.1f32 + 0.2f32);
    assert_eq!(single(FloatBinary::Mul, 16777217.0, 3.0), 16777217.0f32 * 3.0);
    assert_eq!(double(FloatBinary::Sub, 1.0, 3.0), -2.0);
    assert_eq!(double(FloatBinary::Div, 1.0, 0.0), f64::INFINITY);
    assert_eq!(double(FloatBinary::Rem, -7.5, 2.0), -1.5);
    assert_eq!(double(FloatBinary::Min, f64::NAN, 2.0), 2.0);
    assert_eq!(double(FloatBinary::Max, 2.0, f64::NAN), 2.0);
    assert_eq!(double(FloatBinary::CopySign, 3.0, -0.0), -3.0);
    assert_eq!(double(FloatBinary::Pow, 2.0, 0.5), 2f64.sqrt());
    assert_eq!(double(FloatBinary::Atan2, 1.0, -1.0), 1f64.atan2(-1.0));
    let unary = |op, a: f64| f64::from_bits(eval::float_unary(op, Type::F64, a.to_bits()));
    assert_eq!(unary(FloatUnary::Neg, 0.0).to_bits(), (-0.0f64).to_bits());
    assert_eq!(unary(FloatUnary::Abs, -3.5), 3.5);
    assert_eq!(unary(FloatUnary::Round, -2.5), -3.0);
    assert_eq!(unary(FloatUnary::RoundEven, -2.5), -2.0);
    assert_eq!(unary(FloatUnary::Floor, -2.5), -3.0);
    assert_eq!(unary(FloatUnary::Ceil, -2.5), -2.0);
    assert_eq!(unary(FloatUnary::Trunc, -2.5), -2.0);
    assert_eq!(unary(FloatUnary::Sqrt, 2.25), 1.5);
    let half = 0.5f32.to_bits() as u64;
    assert_eq!(eval::float_unary(FloatUnary::Exp, Type::F32, half), 0.5f32.exp().to_bits() as u64);
    let add = eval::rmw(RmwOp::FAdd, Type::F32, Width::W32, half, half);
    assert_eq!(add, 1.0f32.to_bits() as u64);
    let sub =
        eval::rmw(RmwOp::FSub, Type::F64, Width::W64, 1.0f64.to_bits() as u128, 3.0f64.to_bits() as u128);
    assert_eq!(sub, (-2.0f64).to_bits() as u128);
}

#[test]
fn float_comparisons() {
    use std::cmp::Ordering::{self, *};
    use threadproof_ir::FloatCmp::*;
    let table: [(FloatCmp, &[Option<Ordering>]); 14] = [
        (Oeq, &[Some(Equal)]),
        (Ogt, &[Some(Greater)]),
        (Oge, &[Some(Greater), Some(Equal)]),
        (Olt, &[Some(Less)]),
        (Ole, &[Some(Less), Some(Equal)]),
        (One, &[Some(Less), Some(Greater)]),
        (Ord, &[Some(Less), Some(Equal), Some(Greater)]),
        (Ueq, &[Some(Equal), None]),
        (Ugt, &[Some(Greater), None]),
        (Uge, &[Some(Greater), Some(Equal), None]),
        (Ult, &[Some(Less), None]),
        (Ule, &[Some(Less), Some(Equal), None]),
        (Une, &[Some(Less), Some(Greater), None]),
        (Uno, &[None]),
    ];
    let values = [f64::NEG_INFINITY, -1.5, -0.0, 0.0, 1.0, f64::INFINITY, f64::NAN];
    for (op, holds) in table {
        for a in values {
            for b in values {
                let expect = holds.contains(&a.partial_cmp(&b));
                assert_eq!(
                    eval::float_compare(op, Type::F64, a.to_bits(), b.to_bits()),
                    expect,
                    "{op:?} {a} {b}"
                );
                let (x, y) = ((a as f32).to_bits() as u64, (b as f32).to_bits() as u64);
                assert_eq!(eval::float_compare(op, Type::F32, x, y), expect, "{op:?} {a} {b}");
            }
        }
    }
}
