//! Choices between two terms: if-then-else.

use crate::term::{Term, TermKind, Terms};
use tp_ir::{BinOp, Width};

impl Terms {
    /// `a` where the condition holds, `b` where it does not.
    pub fn ite(&mut self, c: Term, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.width(c), Width::BOOL);
        debug_assert_eq!(self.width(a), self.width(b));
        if a == b {
            return a;
        }
        match self.kind(c) {
            TermKind::Const(_, bits) => return if bits.value() == 1 { a } else { b },
            TermKind::Not(c) => return self.ite(c, b, a),
            _ => {}
        }
        if self.width(a) == Width::BOOL
            && let Some(t) = self.choose_truth(c, a, b)
        {
            return t;
        }
        if let Some(t) = self.merge_choices(c, a, b) {
            return t;
        }
        if let Some(t) = self.choose_part(c, a, b) {
            return t;
        }
        let width = self.width(a);
        self.intern(TermKind::Ite(c, a, b), width)
    }

    /// A choice of truth values that is an `and`, an `or` or an `xor`.
    fn choose_truth(&mut self, c: Term, a: Term, b: Term) -> Option<Term> {
        if self.is_ones(a) || a == c {
            return Some(self.or(c, b));
        }
        if self.is_zero(b) || b == c {
            return Some(self.and(c, a));
        }
        if self.is_zero(a) || self.are_opposite(a, c) {
            let c = self.not(c);
            return Some(self.and(c, b));
        }
        if self.is_ones(b) || self.are_opposite(b, c) {
            let c = self.not(c);
            return Some(self.or(c, a));
        }
        self.are_opposite(a, b).then(|| self.xor(c, b))
    }

    /// Merges a choice with a side that is itself a choice, on the same condition or with a value in common.
    fn merge_choices(&mut self, c: Term, a: Term, b: Term) -> Option<Term> {
        if let TermKind::Ite(d, x, y) = self.kind(a) {
            if d == c {
                return Some(self.ite(c, x, b));
            }
            if y == b {
                let both = self.and(c, d);
                return Some(self.ite(both, x, b));
            }
            if x == b {
                let d = self.not(d);
                let both = self.and(c, d);
                return Some(self.ite(both, y, b));
            }
        }
        if let TermKind::Ite(d, x, y) = self.kind(b) {
            if d == c {
                return Some(self.ite(c, a, y));
            }
            if x == a {
                let either = self.or(c, d);
                return Some(self.ite(either, a, y));
            }
            if y == a {
                let d = self.not(d);
                let either = self.or(c, d);
                return Some(self.ite(either, a, x));
            }
        }
        // The condition holds on the first side, so a conjunct that repeats it can be dropped.
        if let Some((x, y)) = self.as_binary(BinOp::And, a) {
            if x == c {
                return Some(self.ite(c, y, b));
            }
            if y == c {
                return Some(self.ite(c, x, b));
            }
        }
        None
    }

    /// Two concatenations with a part in common: only the other part is chosen.
    fn choose_part(&mut self, c: Term, a: Term, b: Term) -> Option<Term> {
        let low_width = |t| match self.kind(t) {
            TermKind::Concat(_, low) => Some(self.width(low)),
            _ => None,
        };
        let at = match (low_width(a), low_width(b)) {
            (Some(x), Some(y)) if x == y => x,
            (Some(x), None) if self.as_const(b).is_some() => x,
            (None, Some(y)) if self.as_const(a).is_some() => y,
            _ => return None,
        };
        let rest = Width::new(self.width(a).bits() - at.bits())?;
        let (high_a, high_b) = (self.extract(a, at.bits(), rest), self.extract(b, at.bits(), rest));
        let (low_a, low_b) = (self.extract(a, 0, at), self.extract(b, 0, at));
        if high_a != high_b && low_a != low_b {
            return None;
        }
        let (high, low) = (self.ite(c, high_a, high_b), self.ite(c, low_a, low_b));
        Some(self.concat(high, low))
    }
}
