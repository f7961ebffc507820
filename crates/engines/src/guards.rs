//! Which guard implies which, as far as their shape tells.
//!
//! Guards are conjunctions that grow along a thread, so most implications that matter show in the parts: `a and b` implies
//! `a`. What is not found is not lost, only left to the solver.

use rustc_hash::FxHashMap;
use tp_ir::BinOp;
use tp_solver::{Node, Term, Terms};

/// Shapes deeper than this are not looked into.
const DEEPEST: u32 = 400;
/// Comparisons of parts before only equal guards are seen as implied.
const MOST_WORK: u32 = 4_000_000;

/// A term or, with the flag, its negation; the term itself is no negation.
type Signed = (Term, bool);

pub(crate) struct Guards {
    known: FxHashMap<(Signed, Signed), bool>,
    work_left: u32,
}

enum Shape {
    True,
    False,
    All(Signed, Signed),
    Any(Signed, Signed),
    Atom,
}

impl Guards {
    pub fn new() -> Guards {
        Guards { known: FxHashMap::default(), work_left: MOST_WORK }
    }

    /// Whether `b` holds whenever `a` does. `false` says nothing.
    pub fn implies(&mut self, terms: &Terms, a: Term, b: Term) -> bool {
        a == b || self.shows(terms, signed(terms, a, false), signed(terms, b, false), 0)
    }

    /// Whether `a` and `b` never hold together. `false` says nothing.
    pub fn exclude(&mut self, terms: &Terms, a: Term, b: Term) -> bool {
        self.shows(terms, signed(terms, a, false), signed(terms, b, true), 0)
    }

    fn shows(&mut self, terms: &Terms, a: Signed, b: Signed, depth: u32) -> bool {
        if a == b {
            return true;
        }
        let (left, right) = (shape(terms, a), shape(terms, b));
        match (&left, &right) {
            (Shape::False, _) | (_, Shape::True) => return true,
            (Shape::True, Shape::Atom) | (Shape::Atom, Shape::Atom | Shape::False) => return false,
            // An older term does not contain a newer one.
            (_, Shape::Atom) if a.0 < b.0 => return false,
            _ => {}
        }
        if depth >= DEEPEST || self.work_left == 0 {
            return false;
        }
        if let Some(&known) = self.known.get(&(a, b)) {
            return known;
        }
        self.work_left -= 1;
        let depth = depth + 1;
        let result = match (left, right) {
            (_, Shape::All(x, y)) => self.shows(terms, a, x, depth) && self.shows(terms, a, y, depth),
            (Shape::Any(x, y), _) => self.shows(terms, x, b, depth) && self.shows(terms, y, b, depth),
            (left, right) => {
                let by_part = match left {
                    // The newer part is the one that the thread met last: more often than not, `b` is as new.
                    Shape::All(x, y) => self.shows(terms, y, b, depth) || self.shows(terms, x, b, depth),
                    _ => false,
                };
                by_part
                    || match right {
                        Shape::Any(x, y) => self.shows(terms, a, x, depth) || self.shows(terms, a, y, depth),
                        _ => false,
                    }
            }
        };
        self.known.insert((a, b), result);
        result
    }
}

fn signed(terms: &Terms, t: Term, negated: bool) -> Signed {
    match terms.node(t) {
        Node::Not(inner) => (inner, !negated),
        _ => (t, negated),
    }
}

fn shape(terms: &Terms, (t, negated): Signed) -> Shape {
    match terms.node(t) {
        Node::Const(_, bits) if (bits.value() == 1) != negated => Shape::True,
        Node::Const(..) => Shape::False,
        Node::Binary(BinOp::And, x, y) => {
            let (x, y) = (signed(terms, x, negated), signed(terms, y, negated));
            if negated { Shape::Any(x, y) } else { Shape::All(x, y) }
        }
        _ => Shape::Atom,
    }
}
