//! The state of a path of a thread: its path condition, and what the thread knows there.

use crate::held::Held;
use crate::knowledge::ThreadKey;
use crate::store::Store;
use crate::{CellId, NodeId};
use std::collections::BTreeMap;
use std::rc::Rc;
use tp_ir::MemoryOrder;
use tp_terms::{Term, Terms};

/// A path condition: a conjunction, as the list of its parts. Where two paths meet, their common prefix is kept and
/// what follows becomes one disjunction, so the list gets shorter again.
#[derive(Clone)]
pub(crate) struct Guard {
    /// Each part, and the conjunction up to it.
    parts: Vec<(Term, Term)>,
    truth: Term,
}

impl Guard {
    pub fn always(terms: &mut Terms) -> Guard {
        Guard { parts: Vec::new(), truth: terms.bool(true) }
    }

    pub fn term(&self) -> Term {
        self.parts.last().map_or(self.truth, |p| p.1)
    }

    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// The last `count` parts, latest first.
    pub fn latest(&self, count: usize) -> impl Iterator<Item = Term> + '_ {
        self.parts.iter().rev().take(count).map(|p| p.0)
    }

    /// Adds a part. `false`: the condition cannot hold any more.
    pub fn add(&mut self, terms: &mut Terms, part: Term) -> bool {
        match terms.as_const(part) {
            Some(0) => return false,
            Some(_) => return true,
            None => {}
        }
        let opposite = terms.not(part);
        for &(known, _) in &self.parts {
            if known == part {
                return true;
            }
            if known == opposite {
                return false;
            }
        }
        let all = terms.and(self.term(), part);
        if terms.as_const(all) == Some(0) {
            return false;
        }
        self.parts.push((part, all));
        true
    }

    /// Whether the guard plainly contradicts `condition`. `false` says nothing.
    pub fn excludes(&self, terms: &mut Terms, condition: Term) -> bool {
        let both = terms.and(self.term(), condition);
        if terms.as_const(both) == Some(0) {
            return true;
        }
        let mut todo = vec![condition];
        while let Some(t) = todo.pop() {
            let opposite = terms.not(t);
            if self.parts.iter().any(|p| p.0 == opposite) {
                return true;
            }
            if let tp_terms::TermKind::Binary(tp_ir::BinOp::And, a, b) = terms.kind(t) {
                todo.extend([a, b]);
            }
        }
        false
    }

    /// The disjunction of two guards that exclude each other, and a term that says whether it is the first.
    pub fn either(terms: &mut Terms, a: &Guard, b: &Guard) -> (Guard, Term) {
        let common = a.parts.iter().zip(&b.parts).take_while(|(x, y)| x.0 == y.0).count();
        let rest = |terms: &mut Terms, g: &Guard| {
            let truth = g.truth;
            g.parts[common..].iter().fold(truth, |all, p| terms.and(all, p.0))
        };
        let (first, second) = (rest(terms, a), rest(terms, b));
        let either = terms.or(first, second);
        let mut guard = Guard { parts: a.parts[..common].to_vec(), truth: a.truth };
        // Both guards can hold, so the disjunction can.
        let _ = guard.add(terms, either);
        (guard, first)
    }
}

/// An atomic step in progress.
#[derive(Clone)]
pub(crate) struct OpenStep {
    pub node: NodeId,
    /// Nesting depth of atomic sections.
    pub depth: u32,
    /// The thread that it waits for, if it has to wait, and the object at which it does.
    pub owner: Term,
    pub object: Term,
    /// When it has asked for inputs.
    pub asked: Term,
    /// The current value of cells that the step has read or written.
    pub seen: BTreeMap<CellId, Term>,
    /// What cells held when the step first read them.
    pub found: BTreeMap<CellId, Term>,
    /// What it writes at its end: the further condition, and the value.
    pub written: BTreeMap<CellId, (Term, Term)>,
    /// Cells that it may write without release semantics.
    pub relaxed: BTreeMap<CellId, MemoryOrder>,
    /// Conditions that it has awaited on this path.
    pub awaited: Vec<Term>,
    /// Threads that start when it is taken: indices into `Pass::starts`.
    pub starts: Vec<usize>,
}

/// The effects of a path that other threads can see, latest first: the condition of each.
#[derive(Clone, Default)]
pub(crate) struct Effects(Option<Rc<Effect>>);

struct Effect {
    condition: Term,
    before: Effects,
    /// Number of effects up to this one, inclusive.
    count: u32,
}

impl Effects {
    pub fn add(&mut self, condition: Term) {
        let before = self.clone();
        let count = before.count() + 1;
        *self = Effects(Some(Rc::new(Effect { condition, before, count })));
    }

    fn count(&self) -> u32 {
        self.0.as_ref().map_or(0, |e| e.count)
    }

    fn is(&self, other: &Effects) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// The effects of two paths that meet: those since the paths parted become one.
    pub fn either(terms: &mut Terms, mut a: Effects, mut b: Effects) -> Effects {
        let mut any = terms.bool(false);
        while !a.is(&b) {
            let later = if a.count() > b.count() { &mut a } else { &mut b };
            let Some(effect) = later.0.take() else { break };
            any = terms.or(any, effect.condition);
            *later = effect.before.clone();
        }
        if terms.as_const(any) != Some(0) {
            a.add(any);
        }
        a
    }

    /// The conditions of the effects since an earlier point of the same path; `None`: `start` is not on this path.
    pub fn since(&self, start: &Effects) -> Option<Vec<Term>> {
        let mut found = Vec::new();
        let mut at = self.clone();
        while !at.is(start) {
            let effect = at.0?;
            found.push(effect.condition);
            at = effect.before.clone();
        }
        Some(found)
    }
}

/// A sorted set of threads; copies share memory.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct ThreadSet(Rc<Vec<ThreadKey>>);

impl ThreadSet {
    pub fn contains(&self, thread: ThreadKey) -> bool {
        self.0.binary_search(&thread).is_ok()
    }

    pub fn insert(&mut self, thread: ThreadKey) {
        if let Err(at) = self.0.binary_search(&thread) {
            Rc::make_mut(&mut self.0).insert(at, thread);
        }
    }

    pub fn union(&self, other: &ThreadSet) -> ThreadSet {
        if self == other {
            return self.clone();
        }
        let mut all = self.clone();
        other.0.iter().for_each(|&t| all.insert(t));
        all
    }

    pub fn intersection(&self, other: &ThreadSet) -> ThreadSet {
        if self == other {
            return self.clone();
        }
        ThreadSet(Rc::new(self.0.iter().copied().filter(|&t| other.contains(t)).collect()))
    }
}

#[derive(Clone)]
pub(crate) struct State {
    pub guard: Guard,
    pub store: Store,
    /// Other threads exist, or have existed.
    pub concurrent: bool,
    /// Threads that have certainly ended.
    pub ended: ThreadSet,
    /// Threads that this one may have started.
    pub started: ThreadSet,
    pub step: Option<Box<OpenStep>>,
    pub effects: Effects,
    pub held: Held,
}
