//! The locks that a thread holds in shared mode. An exclusive request waits for every shared holder, and the lock does
//! not record who they are, so the path of each thread does.

use std::rc::Rc;
use tp_ir::Width;
use tp_terms::{Term, Terms};

/// Each lock that was taken, and how often it is held.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Held(Rc<Vec<(Term, Term)>>);

impl Held {
    pub fn acquire(&mut self, terms: &mut Terms, lock: Term) {
        let one = terms.constant(Width::W32, 1);
        let held = Rc::make_mut(&mut self.0);
        match held.iter_mut().find(|h| h.0 == lock) {
            Some((_, count)) => *count = terms.add(*count, one),
            None => held.push((lock, one)),
        }
    }

    /// Decrements the count of the latest entry that is this lock and is held.
    pub fn release(&mut self, terms: &mut Terms, lock: Term) {
        let (zero, one) = (terms.constant(Width::W32, 0), terms.constant(Width::W32, 1));
        let mut open = terms.bool(true);
        if self.0.is_empty() {
            return;
        }
        for (held, count) in Rc::make_mut(&mut self.0).iter_mut().rev() {
            let (same, free) = (terms.eq(*held, lock), terms.eq(*count, zero));
            let is_held = terms.not(free);
            let is_it = terms.and(same, is_held);
            let now = terms.and(open, is_it);
            let less = terms.sub(*count, one);
            *count = terms.ite(now, less, *count);
            let other = terms.not(is_it);
            open = terms.and(open, other);
        }
        Rc::make_mut(&mut self.0).retain(|h| h.1 != zero);
    }

    /// The locks held where two paths meet; `first`: it was the first path.
    pub fn either(terms: &mut Terms, first: Term, a: &Held, b: &Held) -> Held {
        if a == b {
            return a.clone();
        }
        let zero = terms.constant(Width::W32, 0);
        let mut all: Vec<(Term, Term)> = a.0.to_vec();
        let of = |s: &Held, lock: Term| s.0.iter().find(|h| h.0 == lock).map_or(zero, |h| h.1);
        all.extend(b.0.iter().filter(|h| a.0.iter().all(|o| o.0 != h.0)));
        for (lock, count) in &mut all {
            *count = terms.ite(first, of(a, *lock), of(b, *lock));
        }
        Held(Rc::new(all))
    }

    /// The locks, each with the condition that it is held.
    pub fn locks(&self, terms: &mut Terms) -> Vec<(Term, Term)> {
        let zero = terms.constant(Width::W32, 0);
        let mut held = Vec::new();
        for &(lock, count) in self.0.iter() {
            let free = terms.eq(count, zero);
            held.push((lock, terms.not(free)));
        }
        held
    }
}
