//! Values that a read is known not to see, before anything is solved.
//!
//! A thread that waits goes on only when what it reads has the right value: its guard implies a condition on that value
//! alone, by itself or by an assumption. A step that takes a lock has read it as free, so it did not see a write that
//! takes the lock.

use crate::guards::Guards;
use rustc_hash::FxHashMap;
use tp_ir::{BinOp, CmpOp};
use tp_terms::{Relation, Term, TermKind, Terms};

/// No value is substituted into terms deeper than this.
const DEEPEST: u32 = 64;

/// Wider disjunctions are not used: hardly any guard excludes all other disjuncts.
const WIDEST: usize = 16;

/// The unknowns that a term contains.
#[derive(Copy, Clone, PartialEq)]
enum Support {
    None,
    One(Term),
    More,
}

/// "One of `others` holds, or `about` does", where `about` contains one unknown only.
struct Fact {
    others: Vec<Term>,
    about: Term,
}

pub(crate) struct Facts {
    /// By the index of a term; `None`: not computed yet.
    support: Vec<Option<Support>>,
    facts: FxHashMap<Term, Vec<Fact>>,
    computed: FxHashMap<(Term, u128), Option<bool>>,
}

impl Facts {
    pub fn new(terms: &mut Terms, assumptions: &[Term]) -> Facts {
        let mut known =
            Facts { support: Vec::new(), facts: FxHashMap::default(), computed: FxHashMap::default() };
        for &assumption in assumptions {
            for part in conjuncts(terms, assumption) {
                known.learn(terms, part);
            }
        }
        known
    }

    fn learn(&mut self, terms: &mut Terms, clause: Term) {
        let parts = disjuncts(terms, clause);
        if parts.len() > WIDEST {
            return;
        }
        for (i, &about) in parts.iter().enumerate() {
            if let Support::One(variable) = self.support(terms, about) {
                let others = parts.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, &p)| p).collect();
                self.facts.entry(variable).or_default().push(Fact { others, about });
            }
        }
    }

    fn support(&mut self, terms: &Terms, t: Term) -> Support {
        if self.support.len() < terms.len() {
            self.support.resize(terms.len(), None);
        }
        let mut todo = vec![t];
        // Terms can be deeper than the stack, so the ones still to do are kept in a list.
        while let Some(&t) = todo.last() {
            if self.support[t.index()].is_none() {
                let before = todo.len();
                todo.extend(terms.kind(t).parts().filter(|p| self.support[p.index()].is_none()));
                if todo.len() > before {
                    continue;
                }
                self.support[t.index()] = Some(self.support_from_parts(terms, t));
            }
            todo.pop();
        }
        self.support[t.index()].unwrap_or(Support::More)
    }

    fn support_from_parts(&self, terms: &Terms, t: Term) -> Support {
        if let TermKind::Var(_) = terms.kind(t) {
            return Support::One(t);
        }
        let parts = terms.kind(t).parts().map(|p| self.support[p.index()].unwrap_or(Support::More));
        parts.fold(Support::None, |found, part| match (found, part) {
            (Support::None, other) | (other, Support::None) => other,
            (Support::One(a), Support::One(b)) if a == b => found,
            _ => Support::More,
        })
    }

    /// Conditions on the unknown `value` alone that hold whenever `guard` does.
    pub fn about(&mut self, terms: &Terms, guards: &mut Guards, value: Term, guard: Term) -> Vec<Term> {
        if !matches!(terms.kind(value), TermKind::Var(_)) {
            return Vec::new();
        }
        let mut found = conjuncts(terms, guard);
        found.retain(|&t| self.support(terms, t) == Support::One(value));
        for fact in self.facts.get(&value).into_iter().flatten() {
            if fact.others.iter().all(|&other| guards.exclude(terms, guard, other)) {
                found.push(fact.about);
            }
        }
        found
    }

    /// Whether one of these conditions on `variable` alone is false when it has the constant `value`.
    pub fn refute(&mut self, terms: &mut Terms, about: &[Term], variable: Term, value: Term) -> bool {
        let Some(bits) = terms.as_const(value) else { return false };
        about.iter().any(|&t| {
            let result = match self.computed.get(&(t, bits)) {
                Some(&known) => known,
                None => {
                    let result = substitute(terms, t, variable, value, 0).and_then(|r| terms.as_const(r));
                    let result = result.map(|r| r == 1);
                    self.computed.insert((t, bits), result);
                    result
                }
            };
            result == Some(false)
        })
    }
}

fn conjuncts(terms: &Terms, t: Term) -> Vec<Term> {
    let (mut found, mut todo) = (Vec::new(), vec![t]);
    while let Some(t) = todo.pop() {
        match terms.kind(t) {
            TermKind::Binary(BinOp::And, a, b) => todo.extend([b, a]),
            _ => found.push(t),
        }
    }
    found
}

fn disjuncts(terms: &mut Terms, t: Term) -> Vec<Term> {
    let TermKind::Not(inner) = terms.kind(t) else { return vec![t] };
    conjuncts(terms, inner).into_iter().map(|part| terms.not(part)).collect()
}

/// The term with a constant substituted for the unknown. `None`: it is too deep, or a choice in it stays open.
fn substitute(terms: &mut Terms, t: Term, variable: Term, value: Term, depth: u32) -> Option<Term> {
    if t == variable {
        return Some(value);
    }
    if depth == DEEPEST {
        return None;
    }
    let part = |terms: &mut Terms, p| substitute(terms, p, variable, value, depth + 1);
    Some(match terms.kind(t) {
        TermKind::Const(..) | TermKind::Var(_) => t,
        TermKind::Not(a) => {
            let a = part(terms, a)?;
            terms.not(a)
        }
        TermKind::Binary(op, a, b) => {
            let (a, b) = (part(terms, a)?, part(terms, b)?);
            terms.binary(op, a, b)
        }
        TermKind::Compare(relation, a, b) => {
            let (a, b) = (part(terms, a)?, part(terms, b)?);
            let op = match relation {
                Relation::Eq => CmpOp::Eq,
                Relation::Ult => CmpOp::Ult,
                Relation::Slt => CmpOp::Slt,
            };
            terms.compare(op, a, b)
        }
        TermKind::Ite(c, a, b) => {
            let c = part(terms, c)?;
            let chosen = match terms.as_const(c) {
                Some(0) => b,
                Some(_) => a,
                None => return None,
            };
            part(terms, chosen)?
        }
        TermKind::Concat(a, b) => {
            let (a, b) = (part(terms, a)?, part(terms, b)?);
            terms.concat(a, b)
        }
        TermKind::Extract { of, low, width } => {
            let of = part(terms, of)?;
            terms.extract(of, low as u32, width)
        }
        TermKind::SignExtend(a, to) => {
            let a = part(terms, a)?;
            terms.sign_extend(a, to)
        }
    })
}

/// Whether two terms can be equal: not if they are different constants or their equality folds to false.
pub(crate) fn can_be_equal(terms: &mut Terms, a: Term, b: Term) -> bool {
    if let (Some(x), Some(y)) = (terms.as_const(a), terms.as_const(b)) {
        return x == y;
    }
    let equal = terms.eq(a, b);
    terms.as_const(equal) != Some(0)
}
