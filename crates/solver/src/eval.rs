//! The value of terms under an assignment of the unknowns.

use crate::term::{Node, Term, Terms, VarId};
use crate::total;

/// The values of all terms that were asked for so far, under one assignment.
pub struct Evaluation<A> {
    assignment: A,
    known: Vec<Option<u128>>,
}

impl<A: Fn(VarId) -> u128> Evaluation<A> {
    /// `assignment` gives the value of each unknown; bits above the unknown's width are ignored.
    pub fn new(assignment: A) -> Evaluation<A> {
        Evaluation { assignment, known: Vec::new() }
    }

    /// The value of `t`, a term of the same arena in every call.
    pub fn value(&mut self, terms: &Terms, t: Term) -> u128 {
        if self.known.len() < terms.len() {
            self.known.resize(terms.len(), None);
        }
        // Terms can be deeper than the stack, so the ones still to do are kept here.
        let mut todo = vec![t];
        while let Some(&t) = todo.last() {
            let before = todo.len();
            if self.known[t.index()].is_none() {
                todo.extend(terms.node(t).parts().filter(|p| self.known[p.index()].is_none()));
                if todo.len() > before {
                    continue;
                }
                self.known[t.index()] = Some(self.compute(terms, t));
            }
            todo.pop();
        }
        self.get(t)
    }

    fn get(&self, t: Term) -> u128 {
        self.known[t.index()].unwrap_or(0)
    }

    /// The value of `t` from those of its parts.
    fn compute(&self, terms: &Terms, t: Term) -> u128 {
        let width = terms.width(t);
        match terms.node(t) {
            Node::Const(_, bits) => bits.value(),
            Node::Var(var) => total::extract((self.assignment)(var), 0, width),
            Node::Not(a) => total::not(width, self.get(a)),
            Node::Binary(op, a, b) => total::binary(op, width, self.get(a), self.get(b)),
            Node::Compare(relation, a, b) => {
                total::compare(relation, terms.width(a), self.get(a), self.get(b)) as u128
            }
            Node::Ite(c, a, b) => self.get(if self.get(c) == 1 { a } else { b }),
            Node::Concat(a, b) => total::concat(self.get(a), self.get(b), terms.width(b)),
            Node::Extract { of, low, width } => total::extract(self.get(of), low as u32, width),
            Node::SignExtend(a, to) => total::extend_sign(self.get(a), terms.width(a), to),
        }
    }
}

impl Terms {
    /// The value of one term under an assignment.
    pub fn eval(&self, t: Term, assignment: impl Fn(VarId) -> u128) -> u128 {
        Evaluation::new(assignment).value(self, t)
    }
}
