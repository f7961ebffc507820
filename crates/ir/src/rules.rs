//! The rules of C that integer operations can break, as conditions over terms instead of numbers.
//!
//! `eval::binary` says for two numbers which rule an operation breaks; here is the condition under which it does.

use crate::{BinOp, CmpOp, Property, Width};

/// Terms of some width: numbers that are not known yet.
pub trait TermBuilder {
    type Term: Copy;

    fn constant(&mut self, width: Width, value: u128) -> Self::Term;
    fn binary(&mut self, op: BinOp, a: Self::Term, b: Self::Term) -> Self::Term;
    /// The result has one bit.
    fn compare(&mut self, op: CmpOp, a: Self::Term, b: Self::Term) -> Self::Term;
    fn sign_extend(&mut self, a: Self::Term, to: Width) -> Self::Term;
}

/// The properties that an integer operation can violate.
pub const ARITHMETIC: [Property; 3] = [Property::DivisionByZero, Property::Overflow, Property::Shift];

/// When the operation on operands of `width` breaks the rule; `checked` as for `eval::binary`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Breaks<T> {
    Never,
    If(T),
    /// Terms of twice the width would be needed.
    TooWide,
}

pub fn breaks<S: TermBuilder>(
    terms: &mut S,
    property: Property,
    (op, width, checked): (BinOp, Width, bool),
    a: S::Term,
    b: S::Term,
) -> Breaks<S::Term> {
    let bits = width.bits();
    Breaks::If(match (property, op) {
        (Property::DivisionByZero, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem) => {
            let zero = terms.constant(width, 0);
            terms.compare(CmpOp::Eq, b, zero)
        }
        (Property::Shift, BinOp::Shl | BinOp::LShr | BinOp::AShr) => {
            let size = terms.constant(width, bits as u128);
            terms.compare(CmpOp::Uge, b, size)
        }
        (Property::Overflow, BinOp::SDiv | BinOp::SRem) => {
            let (least, ones) = (terms.constant(width, 1 << (bits - 1)), terms.constant(width, u128::MAX));
            let (x, y) = (terms.compare(CmpOp::Eq, a, least), terms.compare(CmpOp::Eq, b, ones));
            terms.binary(BinOp::And, x, y)
        }
        (Property::Overflow, BinOp::Add | BinOp::Sub) if checked => {
            // A sum overflows when both operands differ from it in sign; a difference, when only the minuend does.
            let result = terms.binary(op, a, b);
            let ones = terms.constant(width, u128::MAX);
            let b = if op == BinOp::Add { b } else { terms.binary(BinOp::Xor, b, ones) };
            let (x, y) = (terms.binary(BinOp::Xor, a, result), terms.binary(BinOp::Xor, b, result));
            let both = terms.binary(BinOp::And, x, y);
            let zero = terms.constant(width, 0);
            terms.compare(CmpOp::Slt, both, zero)
        }
        (Property::Overflow, BinOp::Mul) if checked => {
            let Some(double) = Width::new(2 * bits) else { return Breaks::TooWide };
            let (x, y) = (terms.sign_extend(a, double), terms.sign_extend(b, double));
            let (exact, result) = (terms.binary(op, x, y), terms.binary(op, a, b));
            let result = terms.sign_extend(result, double);
            terms.compare(CmpOp::Ne, exact, result)
        }
        _ => return Breaks::Never,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval;

    /// Terms that are numbers, with their widths.
    struct Numbers;

    impl TermBuilder for Numbers {
        type Term = (Width, u128);

        fn constant(&mut self, width: Width, value: u128) -> (Width, u128) {
            (width, eval::truncate(value, width))
        }

        fn binary(&mut self, op: BinOp, a: (Width, u128), b: (Width, u128)) -> (Width, u128) {
            (a.0, eval::binary(op, a.0, a.1, b.1, false).unwrap_or(0))
        }

        fn compare(&mut self, op: CmpOp, a: (Width, u128), b: (Width, u128)) -> (Width, u128) {
            (Width::BOOL, eval::compare(op, a.0, a.1, b.1) as u128)
        }

        fn sign_extend(&mut self, a: (Width, u128), to: Width) -> (Width, u128) {
            (to, eval::truncate(eval::sign_extend(a.1, a.0), to))
        }
    }

    /// For every pair of numbers of a few bits.
    #[test]
    fn a_rule_is_broken_where_eval_says_so() {
        for bits in 1..=5 {
            let width = Width::new(bits).expect("a width");
            let numbers = 0..1u128 << bits;
            for (a, b) in numbers.clone().flat_map(|a| numbers.clone().map(move |b| (a, b))) {
                for (op, checked) in BinOp::ALL.into_iter().flat_map(|op| [(op, false), (op, true)]) {
                    let said = eval::binary(op, width, a, b, checked).err();
                    let is_broken = |property| {
                        let how = (op, width, checked);
                        breaks(&mut Numbers, property, how, (width, a), (width, b))
                            == Breaks::If((Width::BOOL, 1))
                    };
                    let broken = ARITHMETIC.into_iter().find(|&property| is_broken(property));
                    assert_eq!(broken, said, "{a} {op:?} {b}, {bits} bits, checked: {checked}");
                }
            }
        }
    }
}
