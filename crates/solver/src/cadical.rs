//! The SAT solver, over CaDiCaL 3 and its external propagator.
//!
//! CaDiCaL ends the process when its protocol is broken. So everything that could break it is checked on this side, and
//! becomes a `SolverFault`.

mod bridge;

use crate::clauses::Clauses;
use crate::sat::{Lit, Propagator, Sat, SatResult, SatStatistics, SolverFault};
use bridge::{Bridge, Shared, Stop};
use cadical_sys::{CaDiCal, Status};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The largest number a variable can have.
const MOST_VARIABLES: i32 = i32::MAX;

pub struct Cadical {
    solver: CaDiCal,
    shared: Rc<Shared>,
    variables: i32,
    clauses: u64,
    /// Variables up to this one were there when a question was asked, and may have been simplified away.
    asked_about: i32,
    /// The last answer, while its model or its failed assumptions can be asked for.
    answer: Option<SatResult>,
    connected: bool,
    buffer: Vec<i32>,
    /// The clauses that were added, if they are recorded.
    recorded: Option<Clauses>,
}

impl Default for Cadical {
    fn default() -> Self {
        Self::new()
    }
}

impl Cadical {
    pub fn new() -> Cadical {
        let mut solver = CaDiCal::new();
        // With bounded variable addition the solver would number variables of its own between ours.
        solver.set("factor", 0);
        let shared = Rc::new(Shared::default());
        solver.connect_terminator(Stop { flag: None, shared: shared.clone() });
        Cadical {
            solver,
            shared,
            variables: 0,
            clauses: 0,
            asked_about: 0,
            answer: None,
            connected: false,
            buffer: Vec::new(),
            recorded: None,
        }
    }

    /// From now on keeps the clauses that are added, and those that the propagator gives.
    pub fn record(&mut self) {
        self.recorded.get_or_insert_default();
        self.shared.recorded.borrow_mut().get_or_insert_default();
    }

    /// The clauses that were added since `record`.
    pub fn recorded_clauses(&self) -> Clauses {
        self.recorded.clone().unwrap_or_default()
    }

    /// The lemmas and reasons that the propagator gave since `record`; some more than once.
    pub fn recorded_lemmas(&self) -> Clauses {
        self.shared.recorded.borrow().clone().unwrap_or_default()
    }

    /// Counts the variable of a literal that was made elsewhere.
    fn admit(&mut self, lit: Lit) {
        self.variables = self.variables.max(lit.positive().to_dimacs());
    }
}

impl Sat for Cadical {
    fn new_var(&mut self) -> Lit {
        if self.variables == MOST_VARIABLES {
            self.shared.fault(SolverFault::TooManyVariables);
        } else {
            self.variables += 1;
        }
        Lit::from_dimacs(self.variables).expect("the count of variables is positive after the first")
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.answer = None;
        self.clauses += 1;
        self.buffer.clear();
        for &lit in clause {
            self.admit(lit);
            self.buffer.push(lit.to_dimacs());
        }
        self.solver.clause6(&self.buffer);
        if let Some(recorded) = &mut self.recorded {
            recorded.push(clause.iter().copied());
        }
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Result<SatResult, SolverFault> {
        self.answer = None;
        self.shared.check()?;
        for &lit in assumptions {
            self.admit(lit);
            self.solver.assume(lit.to_dimacs());
        }
        self.asked_about = self.variables;
        let outcome = match self.solver.solve() {
            Status::SATISFIABLE => SatResult::Sat,
            Status::UNSATISFIABLE => SatResult::Unsat,
            Status::UNKNOWN => SatResult::Unknown,
        };
        self.shared.check()?;
        self.answer = Some(outcome);
        Ok(outcome)
    }

    fn value(&mut self, lit: Lit) -> Option<bool> {
        if self.answer != Some(SatResult::Sat) {
            return None;
        }
        let positive = self.solver.val(lit.positive().to_dimacs()) > 0;
        Some(positive != lit.is_negative())
    }

    fn failed(&mut self, assumption: Lit) -> bool {
        self.answer == Some(SatResult::Unsat) && self.solver.failed(assumption.to_dimacs())
    }

    fn stop_when(&mut self, flag: Arc<AtomicBool>) {
        self.solver.connect_terminator(Stop { flag: Some(flag), shared: self.shared.clone() });
    }

    fn connect(&mut self, propagator: Rc<RefCell<dyn Propagator>>) {
        self.answer = None;
        self.solver.connect_external_propagator(Bridge::new(propagator, self.shared.clone()));
        self.connected = true;
        for var in self.shared.observed() {
            self.solver.add_observed_var(var);
        }
    }

    fn observe(&mut self, lit: Lit) {
        let var = lit.positive().to_dimacs();
        if self.shared.is_observed(lit) {
            return;
        }
        if var <= self.asked_about {
            self.shared.fault(SolverFault::ObservedLate(lit));
            return;
        }
        self.answer = None;
        self.admit(lit);
        self.shared.observe(lit);
        if self.connected {
            self.solver.add_observed_var(var);
        } else {
            // Kept from being simplified away until there is a propagator to show it to.
            self.solver.freeze(var);
        }
    }

    fn statistics(&self) -> SatStatistics {
        let count = |name| u64::try_from(self.solver.get_statistic_value(name)).unwrap_or(0);
        SatStatistics {
            variables: self.variables as u64,
            clauses: self.clauses,
            conflicts: count("conflicts"),
            decisions: count("decisions"),
            lemmas: self.shared.lemmas.get(),
            reasons: self.shared.reasons.get(),
        }
    }
}
