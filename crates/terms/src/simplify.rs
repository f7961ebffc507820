//! The construction of terms. Every function here returns a term equal to the operation it is named for, in normal
//! form, and as small as rules that look one or two levels deep can make it. A rule never makes a term that translates
//! to more clauses than the one it replaces.

mod arith;
mod bits;
mod compare;
mod ite;
mod shape;

use crate::term::{Relation, Term, TermKind, Terms};
use crate::total;
use tp_ir::eval::mask;
use tp_ir::{BinOp, CmpOp, Width};

/// An operation is applied to the leaves of a choice between constants of at most this many nodes: eight constants,
/// seven choices.
const MOST_NODES: usize = 15;

impl Terms {
    /// The operation of the IR on two terms of one width.
    pub fn binary(&mut self, op: BinOp, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.width(a), self.width(b));
        let width = self.width(a);
        match (self.as_const(a), self.as_const(b)) {
            (Some(x), Some(y)) => return self.fold(op, width, x, y),
            (Some(x), None) => {
                if let Some(t) = self.over_leaves(b, |y| total::binary(op, width, x, y), width) {
                    return t;
                }
            }
            (None, Some(y)) => {
                if let Some(t) = self.over_leaves(a, |x| total::binary(op, width, x, y), width) {
                    return t;
                }
            }
            (None, None) => {}
        }
        match op {
            BinOp::Add => self.make_add(a, b),
            BinOp::Sub => self.make_sub(a, b),
            BinOp::Mul => self.make_mul(a, b),
            BinOp::UDiv => self.make_udiv(a, b),
            BinOp::SDiv => self.make_sdiv(a, b),
            BinOp::URem => self.make_urem(a, b),
            BinOp::SRem => self.make_srem(a, b),
            BinOp::Shl | BinOp::LShr | BinOp::AShr => self.make_shift(op, a, b),
            BinOp::And => self.make_and(a, b),
            BinOp::Or => self.or(a, b),
            BinOp::Xor => self.make_xor(a, b),
        }
    }

    /// The comparison of the IR on two terms of one width; a term of one bit.
    pub fn compare(&mut self, op: CmpOp, a: Term, b: Term) -> Term {
        let (relation, a, b, negated) = match op {
            CmpOp::Eq => (Relation::Eq, a, b, false),
            CmpOp::Ne => (Relation::Eq, a, b, true),
            CmpOp::Ult => (Relation::Ult, a, b, false),
            CmpOp::Uge => (Relation::Ult, a, b, true),
            CmpOp::Ugt => (Relation::Ult, b, a, false),
            CmpOp::Ule => (Relation::Ult, b, a, true),
            CmpOp::Slt => (Relation::Slt, a, b, false),
            CmpOp::Sge => (Relation::Slt, a, b, true),
            CmpOp::Sgt => (Relation::Slt, b, a, false),
            CmpOp::Sle => (Relation::Slt, b, a, true),
        };
        let t = self.relate(relation, a, b);
        if negated { self.not(t) } else { t }
    }

    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        self.compare(CmpOp::Eq, a, b)
    }

    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        self.compare(CmpOp::Ne, a, b)
    }

    pub fn and(&mut self, a: Term, b: Term) -> Term {
        self.binary(BinOp::And, a, b)
    }

    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        self.binary(BinOp::Xor, a, b)
    }

    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let (x, y) = (self.not(a), self.not(b));
        let t = self.and(x, y);
        self.not(t)
    }

    /// `b` holds whenever `a` does.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let x = self.not(a);
        self.or(x, b)
    }

    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.binary(BinOp::Add, a, b)
    }

    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        self.binary(BinOp::Sub, a, b)
    }

    pub fn neg(&mut self, a: Term) -> Term {
        let zero = self.zero(self.width(a));
        self.sub(zero, a)
    }

    fn fold(&mut self, op: BinOp, width: Width, a: u128, b: u128) -> Term {
        self.constant(width, total::binary(op, width, a, b))
    }

    fn zero(&mut self, width: Width) -> Term {
        self.constant(width, 0)
    }

    fn is_zero(&self, t: Term) -> bool {
        self.as_const(t) == Some(0)
    }

    fn is_ones(&self, t: Term) -> bool {
        self.as_const(t) == Some(mask(self.width(t)))
    }

    /// Whether `a` is written as the negation of `b` or the other way round.
    fn are_opposite(&self, a: Term, b: Term) -> bool {
        self.kind(a) == TermKind::Not(b) || self.kind(b) == TermKind::Not(a)
    }

    /// The operands of a commutative operation in canonical order: older ones first, a constant last.
    fn ordered(&self, a: Term, b: Term) -> (Term, Term) {
        let key = |t| (self.as_const(t).is_some(), t);
        if key(a) <= key(b) { (a, b) } else { (b, a) }
    }

    /// The operands of `t` if it is this operation.
    fn as_binary(&self, op: BinOp, t: Term) -> Option<(Term, Term)> {
        match self.kind(t) {
            TermKind::Binary(o, a, b) if o == op => Some((a, b)),
            _ => None,
        }
    }

    /// The other operand and the constant, if `t` is this operation with a constant.
    fn with_constant(&self, op: BinOp, t: Term) -> Option<(Term, u128)> {
        let (a, b) = self.as_binary(op, t)?;
        Some((a, self.as_const(b)?))
    }

    /// Applies `f` to each leaf of `t`, if `t` is a choice between constants and small.
    fn over_leaves(&mut self, t: Term, f: impl Fn(u128) -> u128, width: Width) -> Option<Term> {
        let mut left = MOST_NODES;
        let all = matches!(self.kind(t), TermKind::Ite(..)) && self.only_leaves(t, &mut left);
        all.then(|| self.map_leaves(t, &f, width))
    }

    fn only_leaves(&self, t: Term, left: &mut usize) -> bool {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        match self.kind(t) {
            TermKind::Const(..) => true,
            TermKind::Ite(_, a, b) => self.only_leaves(a, left) && self.only_leaves(b, left),
            _ => false,
        }
    }

    fn map_leaves(&mut self, t: Term, f: &impl Fn(u128) -> u128, width: Width) -> Term {
        match self.kind(t) {
            TermKind::Ite(c, a, b) => {
                let (a, b) = (self.map_leaves(a, f, width), self.map_leaves(b, f, width));
                self.ite(c, a, b)
            }
            _ => {
                let value = self.as_const(t).unwrap_or(0);
                self.constant(width, f(value))
            }
        }
    }
}
