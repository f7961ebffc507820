//! What the operators of terms compute. The IR's definition decides. Where the IR calls an operation an error, a term
//! still needs a value, and has that of SMT-LIB: an unsigned division by zero gives all ones, a signed one -1 or, for a
//! negative dividend, 1; its remainder is the dividend. A signed quotient that does not fit wraps. A shift by the width
//! or more gives zero; an arithmetic one, copies of the sign.

use crate::term::Relation;
use tp_ir::eval::{self, mask, sign_extend, truncate};
use tp_ir::{BinOp, CmpOp, Width};

pub fn binary(op: BinOp, width: Width, a: u128, b: u128) -> u128 {
    eval::binary(op, width, a, b, false).unwrap_or_else(|_| {
        let negative = sign_extend(a, width) >> 127 == 1;
        let ones = mask(width);
        match op {
            BinOp::UDiv => ones,
            BinOp::URem => a,
            BinOp::SDiv if b != 0 => a,
            BinOp::SDiv if negative => 1,
            BinOp::SDiv => ones,
            BinOp::SRem if b != 0 => 0,
            BinOp::SRem => a,
            BinOp::AShr if negative => ones,
            _ => 0,
        }
    })
}

pub fn not(width: Width, a: u128) -> u128 {
    binary(BinOp::Xor, width, a, mask(width))
}

pub fn compare(relation: Relation, width: Width, a: u128, b: u128) -> bool {
    let op = match relation {
        Relation::Eq => CmpOp::Eq,
        Relation::Ult => CmpOp::Ult,
        Relation::Slt => CmpOp::Slt,
    };
    eval::compare(op, width, a, b)
}

/// `low_width` is the width of the low part.
pub fn concat(high: u128, low: u128, low_width: Width) -> u128 {
    // Both widths are at least one and their sum is at most 128, so the shift is in range.
    high << low_width.bits() | low
}

pub fn extract(a: u128, low: u32, width: Width) -> u128 {
    truncate(a >> low, width)
}

pub fn extend_sign(a: u128, from: Width, to: Width) -> u128 {
    truncate(sign_extend(a, from), to)
}
