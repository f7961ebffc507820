//! Comparisons: equality and the two orders.

use crate::term::{Relation, Term, TermKind, Terms};
use crate::total;
use tp_ir::eval::mask;
use tp_ir::{BinOp, Width};

/// A comparison with a constant descends into at most this many nested choices.
const DEEPEST: u32 = 32;

impl Terms {
    pub(super) fn relate(&mut self, relation: Relation, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.width(a), self.width(b));
        self.relate_to_depth(relation, a, b, DEEPEST)
    }

    fn relate_to_depth(&mut self, relation: Relation, a: Term, b: Term, depth: u32) -> Term {
        let width = self.width(a);
        if let (Some(x), Some(y)) = (self.as_const(a), self.as_const(b)) {
            return self.bool(total::compare(relation, width, x, y));
        }
        if a == b {
            return self.bool(relation == Relation::Eq);
        }
        if width == Width::BOOL {
            return self.relate_truths(relation, a, b);
        }
        if let Some(t) = self.relate_choice(relation, a, b, depth) {
            return t;
        }
        let simpler = match relation {
            Relation::Eq => self.simpler_eq(a, b),
            Relation::Ult => self.simpler_ult(a, b),
            Relation::Slt => self.simpler_slt(a, b),
        };
        if let Some(t) = simpler {
            return t;
        }
        let (a, b) = if relation == Relation::Eq { self.ordered(a, b) } else { (a, b) };
        self.intern(TermKind::Compare(relation, a, b), Width::BOOL)
    }

    /// On one bit: the signed order is the unsigned one reversed, since 1 stands for -1.
    fn relate_truths(&mut self, relation: Relation, a: Term, b: Term) -> Term {
        match relation {
            Relation::Eq => {
                let differ = self.xor(a, b);
                self.not(differ)
            }
            Relation::Ult => {
                let a = self.not(a);
                self.and(a, b)
            }
            Relation::Slt => {
                let b = self.not(b);
                self.and(a, b)
            }
        }
    }

    /// Compares a constant with the two sides of a choice, if at least one of them is a constant.
    fn relate_choice(&mut self, relation: Relation, a: Term, b: Term, depth: u32) -> Option<Term> {
        if depth == 0 {
            return None;
        }
        let (choice, swapped) = match (self.as_const(a), self.as_const(b)) {
            (None, Some(_)) => (a, false),
            (Some(_), None) => (b, true),
            _ => return None,
        };
        let TermKind::Ite(c, x, y) = self.kind(choice) else { return None };
        if self.as_const(x).is_none() && self.as_const(y).is_none() {
            return None;
        }
        let mut side = |t| {
            let (l, r) = if swapped { (a, t) } else { (t, b) };
            self.relate_to_depth(relation, l, r, depth - 1)
        };
        let (x, y) = (side(x), side(y));
        Some(self.ite(c, x, y))
    }

    fn simpler_eq(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        let (a, b) = self.ordered(a, b);
        if self.are_opposite(a, b) {
            return Some(self.bool(false));
        }
        if let Some(at) = self.common_cut(a, b) {
            return Some(self.eq_by_parts(a, b, at));
        }
        if let Some(k) = self.as_const(b) {
            return self.eq_const(a, k);
        }
        if let (TermKind::Not(x), TermKind::Not(y)) = (self.kind(a), self.kind(b)) {
            return Some(self.eq(x, y));
        }
        if let (TermKind::SignExtend(x, _), TermKind::SignExtend(y, _)) = (self.kind(a), self.kind(b))
            && self.width(x) == self.width(y)
        {
            return Some(self.eq(x, y));
        }
        for (t, other) in [(a, b), (b, a)] {
            if let Some((x, y)) = self.as_binary(BinOp::Add, t) {
                // Adding is injective, so a summand that both sides have can be dropped.
                let rest = if x == other {
                    Some(y)
                } else if y == other {
                    Some(x)
                } else {
                    None
                };
                if let Some(rest) = rest {
                    let zero = self.zero(width);
                    return Some(self.eq(rest, zero));
                }
            }
            if let TermKind::Ite(c, x, y) = self.kind(t) {
                if x == other {
                    let same = self.eq(y, other);
                    return Some(self.or(c, same));
                }
                if y == other {
                    let (same, c) = (self.eq(x, other), self.not(c));
                    return Some(self.or(c, same));
                }
            }
        }
        self.eq_of_sums(a, b)
    }

    /// Two sums with a summand in common.
    fn eq_of_sums(&mut self, a: Term, b: Term) -> Option<Term> {
        let (p, q) = (self.as_binary(BinOp::Add, a)?, self.as_binary(BinOp::Add, b)?);
        for (x, y) in [(p.0, p.1), (p.1, p.0)] {
            for (u, v) in [(q.0, q.1), (q.1, q.0)] {
                if x == u {
                    return Some(self.eq(y, v));
                }
            }
        }
        let (c, d) = (self.as_const(p.1)?, self.as_const(q.1)?);
        let width = self.width(a);
        let difference = self.fold(BinOp::Sub, width, d, c);
        let right = self.add(q.0, difference);
        Some(self.eq(p.0, right))
    }

    /// An invertible operation is undone on the constant.
    fn eq_const(&mut self, a: Term, k: u128) -> Option<Term> {
        let width = self.width(a);
        let (x, k) = match self.kind(a) {
            TermKind::Not(x) => (x, total::not(width, k)),
            TermKind::SignExtend(x, _) => {
                let inner = self.width(x);
                if total::extend_sign(total::extract(k, 0, inner), inner, width) != k {
                    return Some(self.bool(false));
                }
                (x, k)
            }
            TermKind::Binary(BinOp::Add, x, c) => (x, total::binary(BinOp::Sub, width, k, self.as_const(c)?)),
            TermKind::Binary(BinOp::Xor, x, c) => (x, total::binary(BinOp::Xor, width, k, self.as_const(c)?)),
            TermKind::Binary(BinOp::Sub, x, y) if k == 0 => return Some(self.eq(x, y)),
            TermKind::Binary(BinOp::Sub, c, x) => (x, total::binary(BinOp::Sub, width, self.as_const(c)?, k)),
            _ => return None,
        };
        let inner = self.width(x);
        let k = self.constant(inner, k);
        Some(self.eq(x, k))
    }

    /// Where both terms can be split at no cost, at least one being a concatenation: the width of the low part.
    fn common_cut(&self, a: Term, b: Term) -> Option<Width> {
        let low = |t| match self.kind(t) {
            TermKind::Concat(_, low) => Some(self.width(low)),
            _ => None,
        };
        match (low(a), low(b)) {
            (Some(x), Some(y)) => (x == y).then_some(x),
            (Some(x), None) => self.as_const(b).map(|_| x),
            (None, Some(y)) => self.as_const(a).map(|_| y),
            (None, None) => None,
        }
    }

    /// The high parts and the low parts of two terms.
    fn cut(&mut self, a: Term, b: Term, at: Width) -> Option<[(Term, Term); 2]> {
        let rest = Width::new(self.width(a).bits() - at.bits())?;
        let high = (self.extract(a, at.bits(), rest), self.extract(b, at.bits(), rest));
        let low = (self.extract(a, 0, at), self.extract(b, 0, at));
        Some([high, low])
    }

    fn eq_by_parts(&mut self, a: Term, b: Term, at: Width) -> Term {
        match self.cut(a, b, at) {
            Some([high, low]) => {
                let (x, y) = (self.eq(high.0, high.1), self.eq(low.0, low.1));
                self.and(x, y)
            }
            // A concatenation is wider than its low part.
            None => self.intern(TermKind::Compare(Relation::Eq, a, b), Width::BOOL),
        }
    }

    fn simpler_ult(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        if self.is_zero(b) || self.is_ones(a) {
            return Some(self.bool(false));
        }
        if self.is_zero(a) || self.is_ones(b) {
            return Some(self.ne(a, b));
        }
        if self.as_const(b) == Some(1) {
            let zero = self.zero(width);
            return Some(self.eq(a, zero));
        }
        if self.as_const(a) == Some(mask::<u128>(width) - 1) {
            let ones = self.constant(width, mask(width));
            return Some(self.eq(b, ones));
        }
        if let (TermKind::Not(x), TermKind::Not(y)) = (self.kind(a), self.kind(b)) {
            return Some(self.relate(Relation::Ult, y, x));
        }
        let at = self.common_cut(a, b)?;
        let [high, low] = self.cut(a, b, at)?;
        if high.0 == high.1 {
            return Some(self.relate(Relation::Ult, low.0, low.1));
        }
        let decided = self.as_const(high.0).is_some() && self.as_const(high.1).is_some();
        if decided || low.0 == low.1 {
            return Some(self.relate(Relation::Ult, high.0, high.1));
        }
        None
    }

    fn simpler_slt(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        let most = mask::<u128>(width) >> 1;
        let least = most + 1;
        if self.as_const(b) == Some(least) || self.as_const(a) == Some(most) {
            return Some(self.bool(false));
        }
        if self.as_const(a) == Some(least) || self.as_const(b) == Some(most) {
            return Some(self.ne(a, b));
        }
        if self.is_zero(b) {
            return Some(self.extract(a, width.bits() - 1, Width::BOOL));
        }
        if self.is_ones(a) {
            let sign = self.extract(b, width.bits() - 1, Width::BOOL);
            return Some(self.not(sign));
        }
        match (self.sign(a), self.sign(b)) {
            (Some(x), Some(y)) if x == y => return Some(self.relate(Relation::Ult, a, b)),
            (Some(x), Some(_)) => return Some(self.bool(x)),
            _ => {}
        }
        match (self.kind(a), self.kind(b)) {
            (TermKind::Not(x), TermKind::Not(y)) => Some(self.relate(Relation::Slt, y, x)),
            (TermKind::SignExtend(x, _), TermKind::SignExtend(y, _)) if self.width(x) == self.width(y) => {
                Some(self.relate(Relation::Slt, x, y))
            }
            (TermKind::SignExtend(x, _), TermKind::Const(_, k)) => {
                self.slt_extended(x, k.value(), width, false)
            }
            (TermKind::Const(_, k), TermKind::SignExtend(y, _)) => {
                self.slt_extended(y, k.value(), width, true)
            }
            _ => None,
        }
    }

    /// Compares a sign-extended `x` with a constant that fits the narrow width, or is below or above all that do.
    fn slt_extended(&mut self, x: Term, k: u128, width: Width, constant_first: bool) -> Option<Term> {
        let inner = self.width(x);
        if total::extend_sign(total::extract(k, 0, inner), inner, width) != k {
            let negative = k >> (width.bits() - 1) == 1;
            return Some(self.bool(negative == constant_first));
        }
        let k = self.constant(inner, k);
        let (l, r) = if constant_first { (k, x) } else { (x, k) };
        Some(self.relate(Relation::Slt, l, r))
    }
}
