//! The order theory as a part of the SAT solver's search.

use super::graph::OrderNode;
use super::theory::{FinalCheck, Implied, OrderTheory};
use super::unobserved;
use crate::{Lit, Propagator};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Tells the theory what is assigned, and the solver what follows. Few reasons are ever asked for, so they are computed
/// on demand. The edges that they need still exist then: a literal whose reason was not asked for is taken back with
/// the level at which it was found.
pub struct OrderPropagator {
    pub theory: OrderTheory,
    implied: VecDeque<Implied>,
    /// By literal: why it followed the last time.
    causes: FxHashMap<Lit, Implied>,
    lemmas: Vec<Vec<Lit>>,
    order: Option<Vec<OrderNode>>,
}

impl OrderPropagator {
    pub fn new(theory: OrderTheory) -> OrderPropagator {
        OrderPropagator {
            theory,
            implied: VecDeque::new(),
            causes: FxHashMap::default(),
            lemmas: Vec::new(),
            order: None,
        }
    }

    /// The total order of the model that was found last. When there is none although the solver has found a model, the
    /// theory ran out of spare literals: give it some and ask again.
    pub fn take_order(&mut self) -> Option<Vec<OrderNode>> {
        self.order.take()
    }

    fn conflict(&mut self, literals: Vec<Lit>) {
        self.lemmas.push(literals.into_iter().map(|l| !l).collect());
    }

    /// Puts the clause that made a literal follow into `clause`. `false`: there is none.
    fn explain(&mut self, implied: &Implied, clause: &mut Vec<Lit>) -> bool {
        let because = self.theory.explain(implied);
        clause.push(implied.literal);
        clause.extend(because.iter().flatten().map(|&l| !l));
        because.is_some()
    }

    /// Asks the theory what follows. `false`: there is a conflict.
    fn advance(&mut self) -> bool {
        match self.theory.propagate() {
            Ok(implied) => {
                self.implied.extend(implied);
                true
            }
            Err(literals) => {
                self.conflict(literals);
                false
            }
        }
    }
}

impl Propagator for OrderPropagator {
    fn assigned(&mut self, lits: &[Lit]) {
        lits.iter().for_each(|&l| self.theory.assign(l));
    }

    fn new_level(&mut self) {
        self.theory.new_level();
    }

    fn backtrack(&mut self, level: usize) {
        self.theory.backtrack(level);
        self.implied.clear();
        self.lemmas.clear();
    }

    fn propagate(&mut self) -> Option<Lit> {
        if !self.lemmas.is_empty() {
            return None;
        }
        if self.implied.is_empty() && !self.advance() {
            return None;
        }
        while let Some(implied) = self.implied.pop_front() {
            if !self.theory.is_true(implied.literal) {
                self.causes.insert(implied.literal, implied);
                return Some(implied.literal);
            }
        }
        None
    }

    fn reason(&mut self, lit: Lit, clause: &mut Vec<Lit>) {
        let cause = self.causes.get(&lit).copied();
        if !cause.is_some_and(|cause| self.explain(&cause, clause)) {
            clause.extend(unobserved());
        }
    }

    fn lemma(&mut self, clause: &mut Vec<Lit>) -> bool {
        match self.lemmas.pop() {
            Some(lemma) => {
                clause.extend(lemma);
                true
            }
            None => false,
        }
    }

    fn check_model(&mut self, _model: &[Lit]) -> bool {
        self.order = None;
        loop {
            if !self.advance() {
                return false;
            }
            // Everything is assigned: what follows and is not true is a conflict.
            let broken = self.implied.drain(..).find(|i| !self.theory.is_true(i.literal));
            if let Some(implied) = broken {
                let mut clause = Vec::new();
                if !self.explain(&implied, &mut clause) {
                    clause.extend(unobserved());
                }
                self.lemmas.push(clause);
                return false;
            }
            match self.theory.check() {
                FinalCheck::Order(order) => {
                    self.order = Some(order);
                    return true;
                }
                FinalCheck::Conflict(literals) => {
                    self.conflict(literals);
                    return false;
                }
                FinalCheck::Undecided => {}
                FinalCheck::NeedsLiteral => return true,
            }
        }
    }
}
