//! Bitwise operations. *Or* is expressed with *and*, so each rule for one is also the rule for the other.

use crate::term::{Term, TermKind, Terms};
use crate::total;
use tp_ir::eval::mask;
use tp_ir::{BinOp, Width};

/// A conjunction with a mask is split at the runs of equal bits of the mask, if there are at most this many.
const MOST_RUNS: u32 = 3;

impl Terms {
    pub fn not(&mut self, a: Term) -> Term {
        let width = self.width(a);
        match self.kind(a) {
            TermKind::Const(_, bits) => self.constant(width, total::not(width, bits.value())),
            TermKind::Not(x) => x,
            TermKind::Concat(high, low) => {
                let (high, low) = (self.not(high), self.not(low));
                self.concat(high, low)
            }
            TermKind::SignExtend(x, to) => {
                let x = self.not(x);
                self.sign_extend(x, to)
            }
            _ => match self.over_leaves(a, |x| total::not(width, x), width) {
                Some(t) => t,
                None => self.intern(TermKind::Not(a), width),
            },
        }
    }

    pub(super) fn make_and(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let (a, b) = self.ordered(a, b);
        if a == b || self.is_ones(b) {
            return a;
        }
        if self.is_zero(b) || self.are_opposite(a, b) {
            return self.zero(width);
        }
        if let Some(k) = self.as_const(b) {
            if let Some((x, c)) = self.with_constant(BinOp::And, a) {
                let k = self.fold(BinOp::And, width, c, k);
                return self.and(x, k);
            }
            if let Some(at) = first_run(k, width) {
                return self.split_at(BinOp::And, a, b, at);
            }
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(t) = self.and_by_parts(x, y) {
                return t;
            }
        }
        if let Some(t) = self.resolve(a, b) {
            return t;
        }
        if let Some(at) = self.where_to_split(a, b) {
            return self.split_at(BinOp::And, a, b, at);
        }
        self.intern(TermKind::Binary(BinOp::And, a, b), width)
    }

    /// The conjunction, if `a` is itself a conjunction or the negation of one, with `b` or its negation as an operand.
    fn and_by_parts(&mut self, a: Term, b: Term) -> Option<Term> {
        if let Some((x, y)) = self.as_binary(BinOp::And, a) {
            if x == b || y == b {
                return Some(a);
            }
            if self.are_opposite(x, b) || self.are_opposite(y, b) {
                return Some(self.zero(self.width(a)));
            }
        }
        let TermKind::Not(inner) = self.kind(a) else { return None };
        let (x, y) = self.as_binary(BinOp::And, inner)?;
        if self.are_opposite(x, b) || self.are_opposite(y, b) {
            return Some(b);
        }
        let rest = if x == b {
            y
        } else if y == b {
            x
        } else {
            return None;
        };
        let rest = self.not(rest);
        Some(self.and(b, rest))
    }

    /// The conjunction of `not (x and y)` and `not (x and not y)` is `not x`.
    fn resolve(&mut self, a: Term, b: Term) -> Option<Term> {
        let (TermKind::Not(p), TermKind::Not(q)) = (self.kind(a), self.kind(b)) else { return None };
        let (p, q) = (self.as_binary(BinOp::And, p)?, self.as_binary(BinOp::And, q)?);
        for (x, y) in [(p.0, p.1), (p.1, p.0)] {
            for (u, v) in [(q.0, q.1), (q.1, q.0)] {
                if x == u && self.are_opposite(y, v) {
                    return Some(self.not(x));
                }
            }
        }
        None
    }

    pub(super) fn make_xor(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let (a, b) = self.ordered(a, b);
        if a == b {
            return self.zero(width);
        }
        if self.is_zero(b) {
            return a;
        }
        if self.is_ones(b) {
            return self.not(a);
        }
        // Negations are moved outwards, so that terms which differ by one share the rest.
        if let TermKind::Not(x) = self.kind(a) {
            let t = self.xor(x, b);
            return self.not(t);
        }
        if let TermKind::Not(y) = self.kind(b) {
            let t = self.xor(a, y);
            return self.not(t);
        }
        if let (Some(k), Some((x, c))) = (self.as_const(b), self.with_constant(BinOp::Xor, a)) {
            let k = self.fold(BinOp::Xor, width, c, k);
            return self.xor(x, k);
        }
        for (t, other) in [(a, b), (b, a)] {
            match self.as_binary(BinOp::Xor, t) {
                Some((x, y)) if x == other => return y,
                Some((x, y)) if y == other => return x,
                _ => {}
            }
        }
        if let Some(at) = self.where_to_split(a, b) {
            return self.split_at(BinOp::Xor, a, b, at);
        }
        self.intern(TermKind::Binary(BinOp::Xor, a, b), width)
    }

    /// The width of the low part, if the operation is simpler on a high and a low part separately.
    fn where_to_split(&self, a: Term, b: Term) -> Option<Width> {
        let trivial = |t| self.is_zero(t) || self.is_ones(t);
        for (t, other) in [(a, b), (b, a)] {
            let TermKind::Concat(high, low) = self.kind(t) else { continue };
            let at = self.width(low);
            let same = matches!(self.kind(other), TermKind::Concat(_, l) if self.width(l) == at);
            if same || trivial(high) || trivial(low) || self.as_const(other).is_some() {
                return Some(at);
            }
        }
        None
    }

    fn split_at(&mut self, op: BinOp, a: Term, b: Term, at: Width) -> Term {
        let rest = self.width(a).bits() - at.bits();
        let mut part = |low, width| {
            let (x, y) = (self.extract(a, low, width), self.extract(b, low, width));
            self.binary(op, x, y)
        };
        let low = part(0, at);
        match Width::new(rest) {
            Some(rest) => {
                let high = part(at.bits(), rest);
                self.concat(high, low)
            }
            None => low,
        }
    }
}

/// The length of the run of equal bits at the low end of a mask, if the mask has few runs and more than one.
fn first_run(k: u128, width: Width) -> Option<Width> {
    let changes = ((k ^ (k >> 1)) & (mask::<u128>(width) >> 1)).count_ones();
    if !(1..MOST_RUNS).contains(&changes) {
        return None;
    }
    Width::new(if k & 1 == 1 { k.trailing_ones() } else { k.trailing_zeros() })
}
