//! The values of terms, given those of the unknowns.

use crate::term::{Term, TermKind, Terms, VarId};
use crate::total;

/// Values of the unknowns, and of all terms that were asked for so far.
pub struct Model {
    values: Vec<u128>,
    computed: Vec<u128>,
    is_computed: Vec<bool>,
}

impl Model {
    /// The value of each unknown by its number; those that are not given are zero. Bits above an unknown's width are
    /// ignored.
    pub fn new(values: Vec<u128>) -> Model {
        Model { values, computed: Vec::new(), is_computed: Vec::new() }
    }

    /// Whether `t`, a term of one bit, holds.
    pub fn holds(&mut self, terms: &Terms, t: Term) -> bool {
        self.value(terms, t) == 1
    }

    /// The value of `t`. All terms have to be of one arena, which may grow between the calls.
    pub fn value(&mut self, terms: &Terms, t: Term) -> u128 {
        if self.computed.is_empty() {
            // Not by resizing: memory that comes zeroed from the system costs nothing where it is not touched.
            self.computed = vec![0; terms.len()];
            self.is_computed = vec![false; terms.len()];
        } else if self.computed.len() < terms.len() {
            self.computed.resize(terms.len(), 0);
            self.is_computed.resize(terms.len(), false);
        }
        // Terms can be too deep for recursion.
        let mut todo = vec![t];
        while let Some(&t) = todo.last() {
            let before = todo.len();
            if !self.is_computed[t.index()] {
                todo.extend(terms.kind(t).parts().filter(|p| !self.is_computed[p.index()]));
                if todo.len() > before {
                    continue;
                }
                self.computed[t.index()] = self.compute(terms, t);
                self.is_computed[t.index()] = true;
            }
            todo.pop();
        }
        self.get(t)
    }

    fn get(&self, t: Term) -> u128 {
        self.computed[t.index()]
    }

    fn unknown(&self, var: VarId) -> u128 {
        self.values.get(var.index()).copied().unwrap_or(0)
    }

    /// The value of `t` from those of its parts.
    fn compute(&self, terms: &Terms, t: Term) -> u128 {
        let width = terms.width(t);
        match terms.kind(t) {
            TermKind::Const(_, bits) => bits.value(),
            TermKind::Var(var) => total::extract(self.unknown(var), 0, width),
            TermKind::Not(a) => total::not(width, self.get(a)),
            TermKind::Binary(op, a, b) => total::binary(op, width, self.get(a), self.get(b)),
            TermKind::Compare(relation, a, b) => {
                total::compare(relation, terms.width(a), self.get(a), self.get(b)) as u128
            }
            TermKind::Ite(c, a, b) => self.get(if self.get(c) == 1 { a } else { b }),
            TermKind::Concat(a, b) => total::concat(self.get(a), self.get(b), terms.width(b)),
            TermKind::Extract { of, low, width } => total::extract(self.get(of), low as u32, width),
            TermKind::SignExtend(a, to) => total::extend_sign(self.get(a), terms.width(a), to),
        }
    }
}

impl Terms {
    /// The value of one term, given those of the unknowns by number.
    pub fn eval(&self, t: Term, values: &[u128]) -> u128 {
        Model::new(values.to_vec()).value(self, t)
    }
}
