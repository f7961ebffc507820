//! The values that a term can have, if these are few.

use crate::pass::{Cases, Pass};
use crate::state::State;
use crate::values::Values;
use rustc_hash::FxHashMap;
use tp_ir::{BinOp, CmpOp, eval};
use tp_terms::{Term, TermKind};

/// Memo of `Pass::cases`, used only in this module.
#[derive(Default)]
pub(crate) struct CaseMemo(FxHashMap<Term, Option<Cases>>);

/// Most cases that are distinguished.
const MAX_CASES: usize = 64;
/// At most this many conditions of a path, the latest, are substituted.
const CONDITIONS: usize = 64;

/// What a path decides, as a substitution of terms, which is also the memo of its results.
pub(crate) struct Decided {
    known: FxHashMap<Term, Term>,
    first: Option<Term>,
}

impl Pass<'_> {
    /// The values that a term can have, each with its condition, ascending, if these are few.
    pub fn cases(&mut self, t: Term) -> Option<Cases> {
        if let Some(known) = self.case_memo.0.get(&t) {
            return known.clone();
        }
        let cases = self.cases_of(t).and_then(|cases| self.merge_cases(cases));
        self.case_memo.0.insert(t, cases.clone());
        cases
    }

    /// Merges cases of the same value. `None`: too many.
    fn merge_cases(&mut self, mut cases: Vec<(Term, u128)>) -> Option<Cases> {
        cases.sort_by_key(|c| c.1);
        let mut merged: Vec<(Term, u128)> = Vec::new();
        for (condition, value) in cases {
            match merged.last_mut() {
                Some(last) if last.1 == value => last.0 = self.out.terms.or(last.0, condition),
                _ => merged.push((condition, value)),
            }
        }
        (merged.len() <= MAX_CASES).then(|| merged.into())
    }

    fn cases_of(&mut self, t: Term) -> Option<Vec<(Term, u128)>> {
        if let Some(value) = self.out.terms.as_const(t) {
            return Some(vec![(self.out.terms.bool(true), value)]);
        }
        if let Some(values) = self.values.of(t) {
            let Values::Few(few) = values.clone() else { return None };
            return Some(few.into_iter().map(|v| (self.equals(t, v), v)).collect());
        }
        if let Some((whole, start)) = self.values.whole(t) {
            let width = self.out.terms.width(t);
            let cases = self.cases(whole)?;
            return Some(cases.iter().map(|&(c, v)| (c, eval::truncate(v >> start, width))).collect());
        }
        match self.out.terms.kind(t) {
            TermKind::Ite(c, a, b) => {
                let mut all = Vec::new();
                let not = self.out.terms.not(c);
                for (side, value) in [(c, a), (not, b)] {
                    for &(condition, v) in self.cases(value)?.iter() {
                        all.push((self.out.terms.and(side, condition), v));
                    }
                }
                Some(all)
            }
            TermKind::Var(_) => None,
            _ => self.cases_by_leaf(t),
        }
    }

    pub fn equals(&mut self, t: Term, value: u128) -> Term {
        let width = self.out.terms.width(t);
        let constant = self.out.terms.constant(width, value);
        self.out.terms.eq(t, constant)
    }

    /// For a term over constants and a single leaf that has few cases: evaluates the term for each of them.
    fn cases_by_leaf(&mut self, t: Term) -> Option<Vec<(Term, u128)>> {
        let leaf = self.only_leaf(t)?;
        let mut all = Vec::new();
        for &(condition, value) in self.cases(leaf)?.iter() {
            let width = self.out.terms.width(leaf);
            let constant = self.out.terms.constant(width, value);
            let result = self.substitute(t, leaf, constant);
            all.push((condition, self.out.terms.as_const(result)?));
        }
        Some(all)
    }

    /// The only part of a term that is a choice or was read from memory, if everything else is constant.
    fn only_leaf(&self, t: Term) -> Option<Term> {
        let mut leaf = None;
        let mut todo = vec![t];
        let mut budget = 64;
        while let Some(t) = todo.pop() {
            budget -= 1;
            if budget == 0 {
                return None;
            }
            let node = self.out.terms.kind(t);
            let t = self.values.whole(t).map_or(t, |p| p.0);
            let is_known = self.values.of(t).is_some();
            if !is_known && !matches!(node, TermKind::Ite(..) | TermKind::Var(_)) {
                todo.extend(node.parts());
            } else if leaf.is_some_and(|l| l != t) || !is_known && matches!(node, TermKind::Var(_)) {
                return None;
            } else {
                leaf = Some(t);
            }
        }
        leaf
    }

    /// The term with `from` replaced by `to`. If `from` was read from memory, its unknown part is replaced too where
    /// that is used alone.
    pub fn substitute(&mut self, t: Term, from: Term, to: Term) -> Term {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        done.insert(from, to);
        let mut part = from;
        loop {
            // Above and below the unknown there are only constants.
            part = match self.out.terms.kind(part) {
                TermKind::Concat(high, low) if self.out.terms.as_const(low).is_some() => high,
                TermKind::Concat(_, low) => low,
                _ => break,
            };
            if let Some((whole, start)) = self.values.whole(part)
                && whole == from
            {
                let value = self.out.terms.extract(to, start, self.out.terms.width(part));
                done.insert(part, value);
                break;
            }
        }
        // The parts of a term were made before it, and compare less.
        let first = done.keys().copied().min().unwrap_or(from);
        self.substitute_all(t, first, &mut done)
    }

    /// What the latest conditions of a path have decided.
    pub fn decided(&mut self, state: &State) -> Decided {
        let mut known: FxHashMap<Term, Term> = FxHashMap::default();
        let (yes, no) = (self.out.terms.bool(true), self.out.terms.bool(false));
        let mut todo: Vec<Term> = state.guard.latest(CONDITIONS).collect();
        while let Some(part) = todo.pop() {
            match self.out.terms.kind(part) {
                TermKind::Not(opposite) => drop(known.insert(opposite, no)),
                TermKind::Binary(BinOp::And, a, b) => todo.extend([a, b]),
                _ => drop(known.insert(part, yes)),
            }
        }
        Decided { first: known.keys().copied().min(), known }
    }

    /// The term as it is on the path: conditions that are decided there are replaced by constants.
    pub fn on_path(&mut self, decided: &mut Decided, t: Term) -> Term {
        match decided.first {
            Some(first) => self.substitute_all(t, first, &mut decided.known),
            None => t,
        }
    }

    fn substitute_all(&mut self, t: Term, first: Term, done: &mut FxHashMap<Term, Term>) -> Term {
        if t < first {
            return t;
        }
        if let Some(&known) = done.get(&t) {
            return known;
        }
        let node = self.out.terms.kind(t);
        let width = self.out.terms.width(t);
        let new = match node {
            TermKind::Const(..) | TermKind::Var(_) => t,
            TermKind::Not(a) => {
                let a = self.substitute_all(a, first, done);
                self.out.terms.not(a)
            }
            TermKind::Binary(op, a, b) => {
                let (a, b) = (self.substitute_all(a, first, done), self.substitute_all(b, first, done));
                self.out.terms.binary(op, a, b)
            }
            TermKind::Compare(relation, a, b) => {
                let (a, b) = (self.substitute_all(a, first, done), self.substitute_all(b, first, done));
                let op = match relation {
                    tp_terms::Relation::Eq => CmpOp::Eq,
                    tp_terms::Relation::Ult => CmpOp::Ult,
                    tp_terms::Relation::Slt => CmpOp::Slt,
                };
                self.out.terms.compare(op, a, b)
            }
            TermKind::Ite(c, a, b) => {
                let c = self.substitute_all(c, first, done);
                let (a, b) = (self.substitute_all(a, first, done), self.substitute_all(b, first, done));
                self.out.terms.ite(c, a, b)
            }
            TermKind::Concat(a, b) => {
                let (a, b) = (self.substitute_all(a, first, done), self.substitute_all(b, first, done));
                self.out.terms.concat(a, b)
            }
            TermKind::Extract { of, low, width } => {
                let of = self.substitute_all(of, first, done);
                self.out.terms.extract(of, low as u32, width)
            }
            TermKind::SignExtend(a, _) => {
                let a = self.substitute_all(a, first, done);
                self.out.terms.sign_extend(a, width)
            }
        };
        done.insert(t, new);
        new
    }
}
