//! Which of two objects comes first in memory: either may, so both orders are covered.
//!
//! Objects have fixed addresses here, from which nothing follows for real ones except that they differ. Where a program
//! compares the addresses of different objects by `<`, the result is taken from *ranks*: unknown numbers, different for
//! each object, so that they are a total order. A counterexample that rests on them is executed with objects laid out
//! in that order.

use crate::pass::Pass;
use crate::pointer::NO_ADDRESS;
use crate::{ObjectId, Term};
use tp_ir::{CmpOp, Width};

/// Most objects that get ranks. With more, fixed addresses are compared, and the ledger says so.
const MOST_RANKED: usize = 48;

impl Pass<'_> {
    pub fn compare(&mut self, op: CmpOp, a: Term, b: Term) -> Term {
        if matches!(op, CmpOp::Eq | CmpOp::Ne) {
            let equal = self.equal(a, b);
            return if op == CmpOp::Eq { equal } else { self.out.terms.not(equal) };
        }
        let plain = self.out.terms.compare(op, a, b);
        if self.out.terms.width(a) != self.pointer_width() {
            return plain;
        }
        let is_signed = matches!(op, CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge);
        let (of_a, of_b) = (self.addresses(a), self.addresses(b));
        let (of_a, of_b) = (self.know.objects_in(&of_a), self.know.objects_in(&of_b));
        if of_a.is_empty() != of_b.is_empty() {
            self.compares_with_number(if of_a.is_empty() { a } else { b });
        }
        if of_a.is_empty() || of_b.is_empty() || of_a.len() == 1 && of_a == of_b {
            return plain;
        }
        let mut sides = Vec::new();
        for (t, keys) in [(a, of_a), (b, of_b)] {
            let objects: Vec<ObjectId> =
                keys.into_iter().filter_map(|key| self.object_with_key(key)).collect();
            let may_rank = !is_signed && !objects.iter().any(|o| self.may_reuse(*o));
            let Some(side) = may_rank.then(|| self.rank(t, &objects)).flatten() else {
                self.know.changed |= !std::mem::replace(&mut self.know.sees_addresses, true);
                return plain;
            };
            sides.push(side);
        }
        let [(in_a, rank_a), (in_b, rank_b)] = sides[..] else { return plain };
        // In one object the ranks are equal, and the addresses decide.
        let (long_a, long_b) = (self.out.terms.concat(rank_a, a), self.out.terms.concat(rank_b, b));
        let ranked = self.out.terms.compare(op, long_a, long_b);
        let both = self.out.terms.and(in_a, in_b);
        self.out.terms.ite(both, ranked, plain)
    }

    /// An address is compared with a number that is not an address: the result depends on where objects lie.
    fn compares_with_number(&mut self, number: Term) {
        let is_null = self.out.terms.as_const(number).is_some_and(|v| v < NO_ADDRESS);
        if !is_null && !self.values.is_unwritten(number) {
            self.know.layout_matters = true;
        }
    }

    /// Whether a term is an address in one of the objects, and the rank of that object. `None`: too many objects.
    fn rank(&mut self, t: Term, objects: &[ObjectId]) -> Option<(Term, Term)> {
        let mut found: Option<(Term, Term)> = None;
        let width = self.pointer_width();
        for &object in objects {
            let rank = self.rank_of(object)?;
            let base = self.address(object, 0);
            let offset = self.out.terms.sub(t, base);
            let size = self.out.terms.constant(width, self.objects[object].size as u128);
            let inside = self.out.terms.compare(CmpOp::Ule, offset, size);
            found = Some(match found {
                Some((any, other)) => {
                    (self.out.terms.or(any, inside), self.out.terms.ite(inside, rank, other))
                }
                None => (inside, rank),
            });
        }
        found
    }

    fn rank_of(&mut self, object: ObjectId) -> Option<Term> {
        if let Some(rank) = self.out.objects[object].rank {
            return Some(rank);
        }
        let ranked: Vec<Term> = self.out.objects.values().filter_map(|o| o.rank).collect();
        if ranked.len() >= MOST_RANKED {
            return None;
        }
        let rank = self.out.terms.variable(Width::W8);
        for other in ranked {
            let same = self.out.terms.eq(rank, other);
            let differ = self.out.terms.not(same);
            self.out.assumptions.push(differ);
        }
        self.out.objects[object].rank = Some(rank);
        Some(rank)
    }
}
