//! Arithmetic and shifts. Constants in sums move outwards and are folded; operations that a constant makes cheap (a
//! shift, a division by a power of two) become extracted parts and sums, which are cheap or free to translate.

use crate::term::{Term, TermKind, Terms};
use tp_ir::eval::mask;
use tp_ir::{BinOp, Width};

impl Terms {
    pub(super) fn make_add(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let (a, b) = self.ordered(a, b);
        if self.is_zero(b) {
            return a;
        }
        if let Some(k) = self.as_const(b) {
            if let Some((x, c)) = self.with_constant(BinOp::Add, a) {
                let k = self.fold(BinOp::Add, width, c, k);
                return self.add(x, k);
            }
            if let Some((c, x)) = self.as_binary(BinOp::Sub, a)
                && let Some(c) = self.as_const(c)
            {
                let k = self.fold(BinOp::Add, width, c, k);
                return self.sub(k, x);
            }
            return self.intern(TermKind::Binary(BinOp::Add, a, b), width);
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some((z, c)) = self.with_constant(BinOp::Add, x) {
                let sum = self.add(z, y);
                let c = self.constant(width, c);
                return self.add(sum, c);
            }
            match self.as_binary(BinOp::Sub, x) {
                Some((z, w)) if w == y => return z,
                Some((z, w)) if self.is_zero(z) => return self.sub(y, w),
                _ => {}
            }
        }
        if a == b {
            let one = self.constant(width, 1);
            return self.binary(BinOp::Shl, a, one);
        }
        self.intern(TermKind::Binary(BinOp::Add, a, b), width)
    }

    pub(super) fn make_sub(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if a == b {
            return self.zero(width);
        }
        if let Some(k) = self.as_const(b) {
            let k = self.fold(BinOp::Sub, width, 0, k);
            return self.add(a, k);
        }
        if let Some((y, c)) = self.with_constant(BinOp::Add, b) {
            let difference = self.sub(a, y);
            let c = self.fold(BinOp::Sub, width, 0, c);
            return self.add(difference, c);
        }
        if let Some((x, c)) = self.with_constant(BinOp::Add, a) {
            let difference = self.sub(x, b);
            let c = self.constant(width, c);
            return self.add(difference, c);
        }
        match self.as_binary(BinOp::Add, a) {
            Some((x, y)) if x == b => return y,
            Some((x, y)) if y == b => return x,
            _ => {}
        }
        match self.as_binary(BinOp::Add, b) {
            Some((x, y)) if x == a => return self.neg(y),
            Some((x, y)) if y == a => return self.neg(x),
            _ => {}
        }
        match self.as_binary(BinOp::Sub, b) {
            Some((x, y)) if x == a => return y,
            Some((x, y)) if self.is_zero(a) => return self.sub(y, x),
            _ => {}
        }
        self.intern(TermKind::Binary(BinOp::Sub, a, b), width)
    }

    pub(super) fn make_mul(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let (a, b) = self.ordered(a, b);
        if let Some(k) = self.as_const(b) {
            if k == 0 {
                return b;
            }
            if k.is_power_of_two() {
                let by = self.constant(width, k.trailing_zeros() as u128);
                return self.binary(BinOp::Shl, a, by);
            }
            if k == mask(width) {
                return self.neg(a);
            }
            if let Some((x, c)) = self.with_constant(BinOp::Mul, a) {
                let k = self.fold(BinOp::Mul, width, c, k);
                return self.binary(BinOp::Mul, x, k);
            }
        }
        self.intern(TermKind::Binary(BinOp::Mul, a, b), width)
    }

    pub(super) fn make_udiv(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        match self.as_const(b) {
            Some(0) => return self.constant(width, mask(width)),
            Some(k) if k.is_power_of_two() => {
                let by = self.constant(width, k.trailing_zeros() as u128);
                return self.binary(BinOp::LShr, a, by);
            }
            _ => {}
        }
        // A narrow quotient by zero has fewer ones than a wide one, so the divisor has to be known.
        match self.narrow(a, b) {
            Some((x, y)) if self.as_const(b).is_some() => {
                let quotient = self.binary(BinOp::UDiv, x, y);
                self.zero_extend(quotient, width)
            }
            _ => self.intern(TermKind::Binary(BinOp::UDiv, a, b), width),
        }
    }

    pub(super) fn make_urem(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if a == b {
            return self.zero(width);
        }
        match self.as_const(b) {
            Some(0) => return a,
            Some(k) if k.is_power_of_two() => {
                let below = self.constant(width, k - 1);
                return self.and(a, below);
            }
            _ => {}
        }
        match self.narrow(a, b) {
            Some((x, y)) => {
                let rest = self.binary(BinOp::URem, x, y);
                self.zero_extend(rest, width)
            }
            None => self.intern(TermKind::Binary(BinOp::URem, a, b), width),
        }
    }

    /// Both operands without their common leading zeros, if there are any.
    fn narrow(&mut self, a: Term, b: Term) -> Option<(Term, Term)> {
        let width = self.width(a);
        let used = self.used_bits(a).max(self.used_bits(b));
        let used = Width::new(used.max(1)).filter(|&u| u < width)?;
        Some((self.extract(a, 0, used), self.extract(b, 0, used)))
    }

    /// The number of bits of `t`, without leading bits that are known to be zero.
    fn used_bits(&self, t: Term) -> u32 {
        match self.kind(t) {
            TermKind::Const(_, bits) => 128 - bits.value().leading_zeros(),
            TermKind::Concat(high, low) if self.is_zero(high) => self.width(low).bits(),
            _ => self.width(t).bits(),
        }
    }

    pub(super) fn make_sdiv(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if let Some(k) = self.as_const(b) {
            if k == 1 && width != Width::BOOL {
                return a;
            }
            if k == mask(width) {
                return self.neg(a);
            }
            if let Some(by) = self.positive_power(b) {
                return self.sdiv_by_power(a, by);
            }
        }
        if self.sign(a) == Some(false) && self.sign(b) == Some(false) {
            return self.binary(BinOp::UDiv, a, b);
        }
        self.intern(TermKind::Binary(BinOp::SDiv, a, b), width)
    }

    pub(super) fn make_srem(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if a == b || self.as_const(b) == Some(1) || self.is_ones(b) {
            return self.zero(width);
        }
        if let Some(by) = self.positive_power(b) {
            let quotient = self.sdiv_by_power(a, by);
            let by = self.constant(width, by as u128);
            let multiple = self.binary(BinOp::Shl, quotient, by);
            return self.sub(a, multiple);
        }
        if self.sign(a) == Some(false) && self.sign(b) == Some(false) {
            return self.binary(BinOp::URem, a, b);
        }
        self.intern(TermKind::Binary(BinOp::SRem, a, b), width)
    }

    /// The exponent, if `b` is a constant power of two that is positive as a signed number and not one.
    fn positive_power(&self, b: Term) -> Option<u32> {
        let k = self.as_const(b)?;
        let by = k.trailing_zeros();
        (k.is_power_of_two() && by > 0 && by + 1 < self.width(b).bits()).then_some(by)
    }

    /// Rounds towards zero: a negative dividend is first raised by the divisor minus one.
    fn sdiv_by_power(&mut self, a: Term, by: u32) -> Term {
        let width = self.width(a);
        let sign = self.constant(width, width.bits() as u128 - 1);
        let negative = self.binary(BinOp::AShr, a, sign);
        let below = self.constant(width, (1 << by) - 1);
        let raise = self.and(negative, below);
        let raised = self.add(a, raise);
        let by = self.constant(width, by as u128);
        self.binary(BinOp::AShr, raised, by)
    }

    /// The sign bit, where it is known.
    pub(super) fn sign(&self, t: Term) -> Option<bool> {
        match self.kind(t) {
            TermKind::Const(width, bits) => Some(bits.value() >> (width.bits() - 1) == 1),
            TermKind::Concat(high, _) => self.sign(high),
            TermKind::SignExtend(x, _) => self.sign(x),
            _ => None,
        }
    }

    pub(super) fn make_shift(&mut self, op: BinOp, a: Term, by: Term) -> Term {
        let width = self.width(a);
        if self.is_zero(a) {
            return a;
        }
        match self.as_const(by) {
            Some(k) => self.shift_by(op, a, k.min(width.bits() as u128) as u32),
            None => self.intern(TermKind::Binary(op, a, by), width),
        }
    }

    /// A shift by a constant that is at most the width.
    fn shift_by(&mut self, op: BinOp, a: Term, by: u32) -> Term {
        let width = self.width(a);
        let (Some(out), Some(kept)) = (Width::new(by), Width::new(width.bits() - by)) else {
            // By zero, or by the whole width.
            return match op {
                _ if by == 0 => a,
                BinOp::AShr => {
                    let sign = self.extract(a, width.bits() - 1, Width::BOOL);
                    self.sign_extend(sign, width)
                }
                _ => self.zero(width),
            };
        };
        match op {
            BinOp::Shl => {
                let (kept, zero) = (self.extract(a, 0, kept), self.zero(out));
                self.concat(kept, zero)
            }
            BinOp::AShr => {
                let kept = self.extract(a, by, kept);
                self.sign_extend(kept, width)
            }
            _ => {
                let kept = self.extract(a, by, kept);
                self.zero_extend(kept, width)
            }
        }
    }
}
