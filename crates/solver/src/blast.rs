//! Terms to clauses. Each term is translated once, bit by bit; later terms reuse its literals.
//!
//! An asserted term is split first: a conjunction is asserted part by part, a disjunction is one clause, and an
//! equality under a condition is asserted bit by bit, without a variable for the equality. Formulas about threads
//! consist of such implications for the most part ("if this read sees that write, their values are equal").

use crate::gates::Gates;
use crate::sat::{Lit, Sat};
use tp_ir::{BinOp, Width};
use tp_terms::{Model, Relation, Term, TermKind, Terms, VarId};

pub struct Blaster<S> {
    gates: Gates<S>,
    /// The literals of all translated terms, one after the other.
    pool: Vec<Lit>,
    /// By the index of a term: where its literals start in the pool.
    starts: Vec<Option<usize>>,
    /// The unknowns that were translated: number, start in the pool, width.
    unknowns: Vec<(VarId, usize, Width)>,
}

impl<S: Sat> Blaster<S> {
    pub fn new(sat: S) -> Blaster<S> {
        Blaster { gates: Gates::new(sat), pool: Vec::new(), starts: Vec::new(), unknowns: Vec::new() }
    }

    pub fn sat(&self) -> &S {
        &self.gates.sat
    }

    pub fn sat_mut(&mut self) -> &mut S {
        &mut self.gates.sat
    }

    /// The literal of a term of one bit.
    pub fn literal(&mut self, terms: &Terms, t: Term) -> Lit {
        debug_assert_eq!(terms.width(t), Width::BOOL);
        let start = self.translate(terms, t);
        self.pool[start]
    }

    /// The literals of a term, lowest bit first.
    pub fn bits(&mut self, terms: &Terms, t: Term) -> &[Lit] {
        let start = self.translate(terms, t);
        &self.pool[start..start + terms.width(t).bits() as usize]
    }

    /// The values of the unknowns in the solver's current model, if there is one; those that are in no clause are zero.
    /// Clauses that are added later do not change it.
    pub fn model(&mut self) -> Option<Model> {
        let mut values = Vec::new();
        for &(var, start, width) in &self.unknowns {
            let mut value = 0;
            for (i, &lit) in self.pool[start..].iter().take(width.bits() as usize).enumerate() {
                value |= (self.gates.sat.value(lit)? as u128) << i;
            }
            if values.len() <= var.index() {
                values.resize(var.index() + 1, 0);
            }
            values[var.index()] = value;
        }
        // Without unknowns no literal was asked above, and there is a model only if literals have values.
        let truth = self.gates.constant(true);
        self.gates.sat.value(truth)?;
        Some(Model::new(values))
    }

    /// Requires the term of one bit to hold.
    pub fn assert(&mut self, terms: &Terms, t: Term) {
        let mut todo = vec![(Vec::new(), t)];
        while let Some((clause, t)) = todo.pop() {
            match terms.kind(t) {
                TermKind::Binary(BinOp::And, a, b) => {
                    todo.push((clause.clone(), b));
                    todo.push((clause, a));
                }
                TermKind::Not(inner) if is_conjunction(terms, inner) => {
                    todo.extend(self.assert_disjunction(terms, clause, inner));
                }
                TermKind::Compare(Relation::Eq, a, b) if self.start(t).is_none() => {
                    self.assert_equal(terms, clause, a, b);
                }
                _ => self.assert_literal(terms, clause, t),
            }
        }
    }

    /// Asserts that a literal of `clause` is true or a conjunct of `inner` is false. A disjunct that is better split
    /// than named is returned instead, with the rest of the clause; then nothing is asserted yet.
    fn assert_disjunction(
        &mut self,
        terms: &Terms,
        mut clause: Vec<Lit>,
        inner: Term,
    ) -> Option<(Vec<Lit>, Term)> {
        let mut left = None;
        let mut todo = vec![inner];
        while let Some(t) = todo.pop() {
            match terms.kind(t) {
                TermKind::Binary(BinOp::And, a, b) => todo.extend([b, a]),
                TermKind::Not(x) if left.is_none() && self.start(x).is_none() && is_compound(terms, x) => {
                    left = Some(x);
                }
                _ => {
                    let lit = self.literal(terms, t);
                    clause.push(!lit);
                }
            }
        }
        match left {
            Some(t) => Some((clause, t)),
            None => {
                self.gates.sat.add_clause(&clause);
                None
            }
        }
    }

    fn assert_equal(&mut self, terms: &Terms, mut clause: Vec<Lit>, a: Term, b: Term) {
        let a = self.bits(terms, a).to_vec();
        let b = self.bits(terms, b).to_vec();
        let shared = clause.len();
        for (x, y) in a.into_iter().zip(b) {
            for (p, q) in [(!x, y), (x, !y)] {
                if p == !q || p == self.gates.constant(true) || q == self.gates.constant(true) {
                    continue;
                }
                clause.truncate(shared);
                clause.extend([p, q]);
                self.gates.sat.add_clause(&clause);
            }
        }
    }

    fn assert_literal(&mut self, terms: &Terms, mut clause: Vec<Lit>, t: Term) {
        let lit = self.literal(terms, t);
        if lit != self.gates.constant(true) {
            clause.push(lit);
            self.gates.sat.add_clause(&clause);
        }
    }

    fn start(&self, t: Term) -> Option<usize> {
        self.starts.get(t.index()).copied().flatten()
    }

    /// Where the literals of `t` start, after making them and those of its parts.
    fn translate(&mut self, terms: &Terms, t: Term) -> usize {
        if self.starts.len() < terms.len() {
            self.starts.resize(terms.len(), None);
        }
        let mut todo = vec![t];
        // Terms can be deeper than the stack, so the ones still to do are kept in a list.
        while let Some(&t) = todo.last() {
            if self.start(t).is_none() {
                let before = todo.len();
                todo.extend(terms.kind(t).parts().filter(|&p| self.start(p).is_none()));
                if todo.len() > before {
                    continue;
                }
                let bits = self.make(terms, t);
                self.starts[t.index()] = Some(self.pool.len());
                self.pool.extend(bits);
            }
            todo.pop();
        }
        self.start(t).unwrap_or(0)
    }

    /// The literals of a term whose parts are translated.
    fn make(&mut self, terms: &Terms, t: Term) -> Vec<Lit> {
        let width = terms.width(t);
        let part = |blaster: &Self, t: Term| {
            let start = blaster.start(t).unwrap_or(0);
            blaster.pool[start..start + terms.width(t).bits() as usize].to_vec()
        };
        match terms.kind(t) {
            TermKind::Const(_, bits) => {
                let bit = |i| self.gates.constant(bits.value() >> i & 1 == 1);
                (0..width.bits()).map(bit).collect()
            }
            TermKind::Var(var) => {
                self.unknowns.push((var, self.pool.len(), width));
                (0..width.bits()).map(|_| self.gates.sat.new_var()).collect()
            }
            TermKind::Not(a) => part(self, a).into_iter().map(|l| !l).collect(),
            TermKind::Binary(op, a, b) => {
                let (a, b) = (part(self, a), part(self, b));
                self.operation(op, &a, &b)
            }
            TermKind::Compare(relation, a, b) => {
                let (a, b) = (part(self, a), part(self, b));
                vec![match relation {
                    Relation::Eq => self.gates.equal(&a, &b),
                    Relation::Ult => self.gates.less_unsigned(&a, &b),
                    Relation::Slt => self.gates.less_signed(&a, &b),
                }]
            }
            TermKind::Ite(c, a, b) => {
                let (c, a, b) = (part(self, c), part(self, a), part(self, b));
                self.gates.choose(c[0], &a, &b)
            }
            TermKind::Concat(high, low) => {
                let mut bits = part(self, low);
                bits.extend(part(self, high));
                bits
            }
            TermKind::Extract { of, low, .. } => {
                part(self, of)[low as usize..].iter().take(width.bits() as usize).copied().collect()
            }
            TermKind::SignExtend(a, _) => {
                let mut bits = part(self, a);
                let sign = bits[bits.len() - 1];
                bits.resize(width.bits() as usize, sign);
                bits
            }
        }
    }

    fn operation(&mut self, op: BinOp, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let gates = &mut self.gates;
        let pairs = a.iter().zip(b);
        match op {
            BinOp::Add => gates.add(a, b),
            BinOp::Sub => gates.sub(a, b),
            BinOp::Mul => gates.mul(a, b),
            BinOp::UDiv => gates.divide_unsigned(a, b).0,
            BinOp::URem => gates.divide_unsigned(a, b).1,
            BinOp::SDiv => gates.divide_signed(a, b).0,
            BinOp::SRem => gates.divide_signed(a, b).1,
            BinOp::Shl | BinOp::LShr | BinOp::AShr => gates.shift(op, a, b),
            BinOp::And => pairs.map(|(&x, &y)| gates.and(x, y)).collect(),
            BinOp::Or => pairs.map(|(&x, &y)| gates.or(x, y)).collect(),
            BinOp::Xor => pairs.map(|(&x, &y)| gates.xor(x, y)).collect(),
        }
    }
}

fn is_conjunction(terms: &Terms, t: Term) -> bool {
    matches!(terms.kind(t), TermKind::Binary(BinOp::And, ..))
}

/// Terms that `assert` splits.
fn is_compound(terms: &Terms, t: Term) -> bool {
    is_conjunction(terms, t) || matches!(terms.kind(t), TermKind::Compare(Relation::Eq, ..))
}
