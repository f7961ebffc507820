//! Adapts a `Propagator` to CaDiCaL's callbacks, which hand clauses over literal by literal, may repeat assignments of
//! level 0, and end the process when they are told something about a variable that is not observed.

use crate::clauses::Clauses;
use crate::sat::{Lit, Propagator, SolverFault};
use cadical_sys::{ExternalPropagator, Terminator};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// State shared by the solver and its callbacks.
#[derive(Default)]
pub(super) struct Shared {
    fault: Cell<Option<SolverFault>>,
    observed: RefCell<Vec<bool>>,
    pub(super) lemmas: Cell<u64>,
    pub(super) reasons: Cell<u64>,
    /// Clauses of the propagator, if they are recorded.
    pub(super) recorded: RefCell<Option<Clauses>>,
}

impl Shared {
    /// Keeps the first fault: the later ones may follow from it.
    pub(super) fn fault(&self, fault: SolverFault) {
        if self.fault.get().is_none() {
            self.fault.set(Some(fault));
        }
    }

    pub(super) fn check(&self) -> Result<(), SolverFault> {
        self.fault.get().map_or(Ok(()), Err)
    }

    fn record(&self, clause: &[Lit]) {
        if let Some(recorded) = &mut *self.recorded.borrow_mut() {
            recorded.push(clause.iter().copied());
        }
    }

    pub(super) fn is_observed(&self, lit: Lit) -> bool {
        self.observed.borrow().get(lit.var()).copied().unwrap_or(false)
    }

    pub(super) fn observe(&self, lit: Lit) {
        let mut observed = self.observed.borrow_mut();
        if observed.len() <= lit.var() {
            observed.resize(lit.var() + 1, false);
        }
        observed[lit.var()] = true;
    }

    /// The observed variables, in order.
    pub(super) fn observed(&self) -> Vec<i32> {
        let observed = self.observed.borrow();
        (0..).zip(observed.iter()).filter(|(_, seen)| **seen).map(|(var, _)| var).collect()
    }
}

/// Ends the search when the flag is raised or a fault made its answer worthless.
pub(super) struct Stop {
    pub(super) flag: Option<Arc<AtomicBool>>,
    pub(super) shared: Rc<Shared>,
}

impl Terminator for Stop {
    fn terminated(&mut self) -> bool {
        self.flag.as_ref().is_some_and(|f| f.load(Ordering::Relaxed)) || self.shared.check().is_err()
    }
}

/// A clause on its way to CaDiCaL.
#[derive(Default)]
struct Outgoing {
    lits: Vec<Lit>,
    next: usize,
}

impl Outgoing {
    /// The next literal, then 0.
    fn next(&mut self) -> i32 {
        let lit = self.lits.get(self.next);
        self.next += 1;
        lit.map_or(0, |l| l.to_dimacs())
    }

    fn restart(&mut self) {
        self.lits.clear();
        self.next = 0;
    }
}

pub(super) struct Bridge {
    propagator: Rc<RefCell<dyn Propagator>>,
    shared: Rc<Shared>,
    /// By variable: whether it was reported to the propagator as assigned.
    assigned: Vec<bool>,
    trail: Vec<Lit>,
    /// Where in the trail each decision level starts.
    levels: Vec<usize>,
    lemma: Outgoing,
    reason: Outgoing,
    /// The literal whose reason is being handed over.
    explaining: Option<i32>,
    refused: bool,
    buffer: Vec<Lit>,
}

impl Bridge {
    pub(super) fn new(propagator: Rc<RefCell<dyn Propagator>>, shared: Rc<Shared>) -> Bridge {
        Bridge {
            propagator,
            shared,
            assigned: Vec::new(),
            trail: Vec::new(),
            levels: Vec::new(),
            lemma: Outgoing::default(),
            reason: Outgoing::default(),
            explaining: None,
            refused: false,
            buffer: Vec::new(),
        }
    }

    fn is_assigned(&self, lit: Lit) -> bool {
        self.assigned.get(lit.var()).copied().unwrap_or(false)
    }

    fn assign(&mut self, lit: Lit) {
        if self.assigned.len() <= lit.var() {
            self.assigned.resize(lit.var() + 1, false);
        }
        self.assigned[lit.var()] = true;
        self.trail.push(lit);
    }

    /// Drops literals for which CaDiCaL would end the process. What is left of the clause may be wrong, which does no
    /// harm: after a fault there is no answer.
    fn admit(shared: &Shared, clause: &mut Vec<Lit>) {
        clause.retain(|&lit| {
            let observed = shared.is_observed(lit);
            if !observed {
                shared.fault(SolverFault::NotObserved(lit));
            }
            observed
        });
    }
}

impl ExternalPropagator for Bridge {
    fn are_reasons_forgettable(&mut self) -> bool {
        true
    }

    fn notify_assignment(&mut self, lits: &[i32]) {
        let mut new = std::mem::take(&mut self.buffer);
        new.clear();
        for lit in lits.iter().filter_map(|&l| Lit::from_dimacs(l)) {
            // A fixed variable may be reported under the name of an equal one that is not observed.
            if self.shared.is_observed(lit) && !self.is_assigned(lit) {
                self.assign(lit);
                new.push(lit);
            }
        }
        if !new.is_empty() {
            self.propagator.borrow_mut().assigned(&new);
        }
        self.buffer = new;
    }

    fn notify_new_decision_level(&mut self) {
        self.levels.push(self.trail.len());
        self.propagator.borrow_mut().new_level();
    }

    fn notify_backtrack(&mut self, new_level: usize) {
        let Some(&start) = self.levels.get(new_level) else { return };
        self.levels.truncate(new_level);
        for lit in self.trail.drain(start..) {
            self.assigned[lit.var()] = false;
        }
        self.propagator.borrow_mut().backtrack(new_level);
    }

    fn cb_check_found_model(&mut self, model: &[i32]) -> bool {
        self.buffer.clear();
        self.buffer.extend(model.iter().filter_map(|&l| Lit::from_dimacs(l)));
        let accepted = self.propagator.borrow_mut().check_model(&self.buffer);
        self.refused = !accepted;
        accepted
    }

    fn cb_decide(&mut self) -> i32 {
        let lit = self.propagator.borrow_mut().decide();
        let free = lit.filter(|&l| self.shared.is_observed(l) && !self.is_assigned(l));
        free.map_or(0, Lit::to_dimacs)
    }

    fn cb_propagate(&mut self) -> i32 {
        let Some(lit) = self.propagator.borrow_mut().propagate() else { return 0 };
        if !self.shared.is_observed(lit) {
            self.shared.fault(SolverFault::NotObserved(lit));
            return 0;
        }
        lit.to_dimacs()
    }

    fn cb_add_reason_clause_lit(&mut self, propagated: i32) -> i32 {
        if self.explaining != Some(propagated) {
            let Some(lit) = Lit::from_dimacs(propagated) else { return 0 };
            self.explaining = Some(propagated);
            self.shared.reasons.set(self.shared.reasons.get() + 1);
            self.reason.restart();
            self.propagator.borrow_mut().reason(lit, &mut self.reason.lits);
            if !self.reason.lits.contains(&lit) {
                self.reason.lits.push(lit);
            }
            Bridge::admit(&self.shared, &mut self.reason.lits);
            self.shared.record(&self.reason.lits);
        }
        let next = self.reason.next();
        if next == 0 {
            self.explaining = None;
        }
        next
    }

    fn cb_has_external_clause(&mut self, is_forgettable: &mut bool) -> bool {
        *is_forgettable = false;
        self.lemma.restart();
        let found = self.propagator.borrow_mut().lemma(&mut self.lemma.lits);
        if found {
            self.shared.lemmas.set(self.shared.lemmas.get() + 1);
            Bridge::admit(&self.shared, &mut self.lemma.lits);
            self.shared.record(&self.lemma.lits);
        } else if self.refused {
            // Without a clause, CaDiCaL would accept the model.
            self.shared.fault(SolverFault::RefusedWithoutClause);
        }
        self.refused = false;
        found
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        self.lemma.next()
    }
}
