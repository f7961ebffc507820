//! Which guard implies which, decided by their structure alone.
//!
//! Guards are conjunctions that grow along a thread, so most implications that matter are syntactic: `a and b` implies
//! `a`. Each guard is split once into the sorted list of its conjuncts. Where paths join, a conjunct can be a
//! disjunction, which is expanded as well. An implication that is not found here is left to the solver.

use rustc_hash::FxHashMap;
use std::rc::Rc;
use tp_ir::BinOp;
use tp_terms::{Term, TermKind, Terms};

/// A guard with more conjuncts than this is implied by nothing but itself.
const MOST_CONJUNCTS: usize = 2048;
/// How deep nested disjunctions are expanded.
const DEEPEST: u32 = 3;

/// A conjunct: a term that is neither a negation nor a conjunction, or the negation of a term that is not a negation.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Conjunct {
    term: Term,
    negated: bool,
}

impl Conjunct {
    fn not(self) -> Conjunct {
        Conjunct { negated: !self.negated, ..self }
    }
}

/// The conjuncts of a guard, sorted.
struct Conjuncts {
    all: Vec<Conjunct>,
    /// Those of them that are disjunctions.
    choices: Vec<Conjunct>,
    never: bool,
    /// There are more than `MOST_CONJUNCTS`; the others are missing here.
    is_cut: bool,
}

#[derive(Default)]
pub(crate) struct Guards {
    conjuncts: FxHashMap<(Term, bool), Rc<Conjuncts>>,
}

impl Guards {
    /// Whether `b` holds whenever `a` does. `false`: not known.
    pub fn implies(&mut self, terms: &Terms, a: Term, b: Term) -> bool {
        if a == b || terms.as_const(b) == Some(1) {
            return true;
        }
        let (a, b) = (self.conjuncts(terms, a, false), self.conjuncts(terms, b, false));
        self.all_follow(terms, &a, &b, 0)
    }

    /// Whether `a` and `b` never hold together. `false`: not known.
    pub fn exclude(&mut self, terms: &Terms, a: Term, b: Term) -> bool {
        if terms.as_const(a) == Some(1) || terms.as_const(b) == Some(1) {
            return false;
        }
        let (a, not_b) = (self.conjuncts(terms, a, false), self.conjuncts(terms, b, true));
        if self.all_follow(terms, &a, &not_b, 0) {
            return true;
        }
        let b = self.conjuncts(terms, b, false);
        let (few, many) = if a.all.len() < b.all.len() { (a, b) } else { (b, a) };
        few.never
            || many.never
            || few.all.iter().rev().any(|conjunct| many.all.binary_search(&conjunct.not()).is_ok())
    }

    fn all_follow(&mut self, terms: &Terms, from: &Conjuncts, wanted: &Conjuncts, depth: u32) -> bool {
        // The newest conjunct is the one that is most often missing.
        from.never
            || (!wanted.never
                && !wanted.is_cut
                && wanted.all.iter().rev().all(|&conjunct| self.follows(terms, from, conjunct, depth)))
    }

    fn follows(&mut self, terms: &Terms, from: &Conjuncts, conjunct: Conjunct, depth: u32) -> bool {
        if from.all.binary_search(&conjunct).is_ok() {
            return true;
        }
        if depth == DEEPEST {
            return false;
        }
        let ways = self.ways(terms, conjunct);
        if ways.iter().any(|way| self.all_follow(terms, from, way, depth + 1)) {
            return true;
        }
        // A disjunction that is older than the conjunct cannot contain it.
        from.choices.iter().rev().take_while(|choice| choice.term > conjunct.term).any(|&choice| {
            let ways = self.ways(terms, choice);
            ways.iter().all(|way| self.follows(terms, way, conjunct, depth + 1))
        })
    }

    /// The disjuncts of a disjunction; empty for any other conjunct.
    fn ways(&mut self, terms: &Terms, conjunct: Conjunct) -> Vec<Rc<Conjuncts>> {
        match terms.kind(conjunct.term) {
            TermKind::Binary(BinOp::And, x, y) if conjunct.negated => {
                vec![self.conjuncts(terms, x, true), self.conjuncts(terms, y, true)]
            }
            _ => Vec::new(),
        }
    }

    fn conjuncts(&mut self, terms: &Terms, t: Term, negated: bool) -> Rc<Conjuncts> {
        if let Some(conjuncts) = self.conjuncts.get(&(t, negated)) {
            return conjuncts.clone();
        }
        let conjuncts = Rc::new(split_conjuncts(terms, t, negated));
        self.conjuncts.insert((t, negated), conjuncts.clone());
        conjuncts
    }
}

fn split_conjuncts(terms: &Terms, t: Term, negated: bool) -> Conjuncts {
    let mut conjuncts = Conjuncts { all: Vec::new(), choices: Vec::new(), never: false, is_cut: false };
    let mut todo = vec![Conjunct { term: t, negated }];
    while let Some(Conjunct { term, negated }) = todo.pop() {
        match terms.kind(term) {
            TermKind::Not(x) => todo.push(Conjunct { term: x, negated: !negated }),
            TermKind::Const(_, bits) => conjuncts.never |= (bits.value() == 1) == negated,
            TermKind::Binary(BinOp::And, x, y) if !negated => {
                if conjuncts.all.len() == MOST_CONJUNCTS {
                    conjuncts.is_cut = true;
                } else {
                    todo.extend([x, y].map(|term| Conjunct { term, negated }));
                }
            }
            TermKind::Binary(BinOp::And, ..) => {
                conjuncts.choices.push(Conjunct { term, negated });
                conjuncts.all.push(Conjunct { term, negated });
            }
            _ => conjuncts.all.push(Conjunct { term, negated }),
        }
    }
    for list in [&mut conjuncts.all, &mut conjuncts.choices] {
        list.sort_unstable();
        list.dedup();
    }
    conjuncts
}

#[cfg(test)]
mod tests {
    use super::Guards;
    use tp_ir::Width;
    use tp_terms::{Term, Terms};

    struct Atoms {
        terms: Terms,
        atoms: Vec<Term>,
    }

    impl Atoms {
        fn new() -> Atoms {
            let mut terms = Terms::new();
            let atoms = (0..4).map(|_| terms.variable(Width::BOOL)).collect();
            Atoms { terms, atoms }
        }

        /// A random guard: conjunctions, disjunctions and negations of atoms.
        fn guard(&mut self, rng: &mut fastrand::Rng, depth: u32) -> Term {
            if depth == 0 {
                return self.atoms[rng.usize(..self.atoms.len())];
            }
            let a = self.guard(rng, depth - 1);
            match rng.u8(..4) {
                0 => self.terms.not(a),
                1 => {
                    let b = self.guard(rng, depth - 1);
                    self.terms.or(a, b)
                }
                _ => {
                    let b = self.guard(rng, depth - 1);
                    self.terms.and(a, b)
                }
            }
        }

        fn always(&self, holds: impl Fn(&Terms, &[u128]) -> bool) -> bool {
            (0..16u32).all(|n| holds(&self.terms, &[0, 1, 2, 3].map(|i| (n >> i & 1) as u128)))
        }
    }

    #[test]
    fn what_is_found_is_so() {
        let mut rng = fastrand::Rng::with_seed(3);
        let (mut implied, mut excluded) = (0, 0);
        for _ in 0..20_000 {
            let mut atoms = Atoms::new();
            let (a, b) = (atoms.guard(&mut rng, 3), atoms.guard(&mut rng, 2));
            let mut guards = Guards::default();
            if guards.implies(&atoms.terms, a, b) {
                implied += 1;
                assert!(atoms.always(|t, v| t.eval(a, v) <= t.eval(b, v)));
            }
            if guards.exclude(&atoms.terms, a, b) {
                excluded += 1;
                assert!(atoms.always(|t, v| t.eval(a, v) & t.eval(b, v) == 0));
            }
        }
        assert!(implied > 1000 && excluded > 1000, "{implied} {excluded}");
    }

    #[test]
    fn paths_imply_what_they_come_from() {
        let Atoms { mut terms, atoms } = Atoms::new();
        let mut guards = Guards::default();
        let long = atoms.iter().copied().reduce(|a, b| terms.and(a, b)).expect("four atoms");
        let start = terms.and(atoms[0], atoms[1]);
        assert!(guards.implies(&terms, long, start));
        assert!(!guards.implies(&terms, start, long));
        let other = terms.not(atoms[1]);
        let other = terms.and(atoms[0], other);
        assert!(guards.exclude(&terms, long, other));
        let joined = terms.or(atoms[2], atoms[3]);
        assert!(guards.implies(&terms, long, joined));
        let both = terms.and(joined, start);
        assert!(guards.implies(&terms, both, joined));
    }
}
