//! Arithmetic on vectors of literals, lowest bit first. Both operands have the same length, at least one.

use crate::gates::Gates;
use crate::sat::{Lit, Sat};
use tp_ir::BinOp;

impl<S: Sat> Gates<S> {
    pub(crate) fn add(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let carry = self.constant(false);
        self.add_with_carry(a, b, carry)
    }

    pub(crate) fn sub(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let b: Vec<Lit> = b.iter().map(|&l| !l).collect();
        let carry = self.constant(true);
        self.add_with_carry(a, &b, carry)
    }

    fn add_with_carry(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> Vec<Lit> {
        let mut sum = Vec::with_capacity(a.len());
        for (i, (&x, &y)) in a.iter().zip(b).enumerate() {
            sum.push(self.xor3(x, y, carry));
            if i + 1 < a.len() {
                carry = self.majority(x, y, carry);
            }
        }
        sum
    }

    fn neg_if(&mut self, condition: Lit, a: &[Lit]) -> Vec<Lit> {
        let flipped: Vec<Lit> = a.iter().map(|&l| self.xor(l, condition)).collect();
        let zero = vec![self.constant(false); a.len()];
        self.add_with_carry(&flipped, &zero, condition)
    }

    /// By the borrow of `a - b`.
    pub(crate) fn less_unsigned(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let start = self.constant(false);
        a.iter().zip(b).fold(start, |borrow, (&x, &y)| self.majority(!x, y, borrow))
    }

    /// As unsigned, with the sign bits exchanged: a negative number is the smaller one.
    pub(crate) fn less_signed(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let (Some((&x, low_a)), Some((&y, low_b))) = (a.split_last(), b.split_last()) else {
            return self.constant(false);
        };
        let borrow = self.less_unsigned(low_a, low_b);
        self.majority(x, !y, borrow)
    }

    pub(crate) fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same = a.iter().zip(b).map(|(&x, &y)| !self.xor(x, y)).collect();
        self.all(same)
    }

    pub(crate) fn choose(&mut self, c: Lit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        a.iter().zip(b).map(|(&x, &y)| self.mux(c, x, y)).collect()
    }

    /// Shifted copies of one operand are added up, one for each bit of the other that can be set.
    pub(crate) fn mul(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let zero = self.constant(false);
        let zeros = |v: &[Lit]| v.iter().filter(|&&l| l == zero).count();
        let (a, b) = if zeros(a) > zeros(b) { (b, a) } else { (a, b) };
        let mut sum = vec![zero; a.len()];
        for (i, &bit) in b.iter().enumerate().filter(|(_, bit)| **bit != zero) {
            let row: Vec<Lit> = a[..a.len() - i].iter().map(|&l| self.and(l, bit)).collect();
            let high = self.add(&sum[i..], &row);
            sum.truncate(i);
            sum.extend(high);
        }
        sum
    }

    /// Quotient and remainder, by subtracting the divisor from the remainder so far wherever it fits, from the top bit
    /// down. A divisor of zero always fits, which gives the quotient all ones and the remainder the dividend.
    pub(crate) fn divide_unsigned(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let zero = self.constant(false);
        let mut rest = vec![zero; a.len()];
        let mut quotient = vec![zero; a.len()];
        for (i, &bit) in a.iter().enumerate().rev() {
            // The remainder is never larger than the top bits of the dividend, so shifting it up loses nothing.
            rest.rotate_right(1);
            rest[0] = bit;
            let fits = !self.less_unsigned(&rest, b);
            let reduced = self.sub(&rest, b);
            rest = self.choose(fits, &reduced, &rest);
            quotient[i] = fits;
        }
        (quotient, rest)
    }

    /// Rounds towards zero; the remainder has the sign of the dividend.
    pub(crate) fn divide_signed(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let zero = self.constant(false);
        let sign = |v: &[Lit]| v.last().copied().unwrap_or(zero);
        let (sign_a, sign_b) = (sign(a), sign(b));
        let (size_a, size_b) = (self.neg_if(sign_a, a), self.neg_if(sign_b, b));
        let (quotient, rest) = self.divide_unsigned(&size_a, &size_b);
        let differ = self.xor(sign_a, sign_b);
        (self.neg_if(differ, &quotient), self.neg_if(sign_a, &rest))
    }

    /// A barrel shifter: one stage for each bit of the amount; high bits shift everything out.
    pub(crate) fn shift(&mut self, op: BinOp, a: &[Lit], by: &[Lit]) -> Vec<Lit> {
        let zero = self.constant(false);
        let fill = match op {
            BinOp::AShr => a.last().copied().unwrap_or(zero),
            _ => zero,
        };
        let mut value = a.to_vec();
        for (stage, &bit) in by.iter().enumerate() {
            let distance = if stage < 32 { (1usize << stage).min(a.len()) } else { a.len() };
            let kept = a.len() - distance;
            let filler = std::iter::repeat_n(fill, distance);
            let moved: Vec<Lit> = match op {
                BinOp::Shl => filler.chain(value[..kept].iter().copied()).collect(),
                _ => value[distance..].iter().copied().chain(filler).collect(),
            };
            value = self.choose(bit, &moved, &value);
        }
        value
    }
}
