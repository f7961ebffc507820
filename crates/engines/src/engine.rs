//! What all engines are asked and what they answer.

use crate::certify::{Uncertified, prove};
use crate::clocks::Clocks;
use crate::complete::complete;
use crate::encode::{Formula, Size};
use crate::order::OrderEngine;
use crate::refine::{Refine, Refinements};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tp_certify::Proof;
use tp_events::{NodeId, Query};
use tp_solver::{Cadical, Fault, Lit, Sat};
use tp_terms::{Model, Term};

/// How the order of events is decided.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Method {
    /// Inside the SAT solver.
    Order,
    /// By looking at each counterexample and adding why it is none.
    Refine,
    /// By a number for each node, in the formula.
    Clocks,
}

pub enum Answer {
    /// Values of the unknowns, and all nodes that take part, in an order in which they can.
    Execution {
        model: Model,
        order: Vec<NodeId>,
    },
    /// There is no execution in which the goal holds.
    No,
    Unknown(Unknown),
    /// A defect of this program, not of the one that is checked.
    Fault(Fault),
}

/// Why there is no answer.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// The stop flag was raised.
    Stopped,
}

/// The size of the formula and of the search so far.
#[derive(Copy, Clone, Default, PartialEq, Debug)]
pub struct Statistics {
    pub encoded: Size,
    pub variables: u64,
    pub clauses: u64,
    pub conflicts: u64,
    pub decisions: u64,
    /// Clauses that came from reasoning about order during the search.
    pub lemmas: u64,
    /// What `Method::Refine` did.
    pub refined: Option<Refinements>,
}

impl Statistics {
    /// Those of two questions; the sizes are those of the larger problem.
    pub fn and(&self, other: &Statistics) -> Statistics {
        let larger = if other.encoded.clauses > self.encoded.clauses { other } else { self };
        Statistics {
            encoded: larger.encoded,
            variables: larger.variables,
            clauses: larger.clauses,
            conflicts: self.conflicts + other.conflicts,
            decisions: self.decisions + other.decisions,
            lemmas: self.lemmas + other.lemmas,
            refined: larger.refined,
        }
    }
}

/// Why an engine does not answer.
pub(crate) enum Halt {
    Stopped,
    Fault(Fault),
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Halt {
        Halt::Fault(fault)
    }
}

enum Solver {
    Order(OrderEngine),
    Refine(Refine),
    Clocks(Clocks),
}

/// An event graph, or a query about one, that can be asked for executions, again and again; it gets faster as it learns.
pub struct Engine {
    formula: Formula,
    solver: Solver,
    stop: Arc<AtomicBool>,
}

impl Engine {
    /// Encodes the program. Terms are added to its arena; the rest of it stays as it is.
    pub fn new(method: Method, query: &mut Query<'_>, stop: Arc<AtomicBool>) -> Engine {
        let mut formula = Formula::new(Cadical::new(), query, stop.clone());
        let solver = match method {
            Method::Order => Solver::Order(OrderEngine::new(&mut formula)),
            Method::Refine => Solver::Refine(Refine::new(&formula, stop.clone())),
            Method::Clocks => Solver::Clocks(Clocks::new(&mut formula, query)),
        };
        Engine { formula, solver, stop }
    }

    /// An engine of `Method::Order` that remembers what `certify` needs.
    pub fn certifying(query: &mut Query<'_>, stop: Arc<AtomicBool>) -> Engine {
        let mut sat = Cadical::new();
        sat.record();
        let mut formula = Formula::new(sat, query, stop.clone());
        let solver = Solver::Order(OrderEngine::new(&mut formula));
        Engine { formula, solver, stop }
    }

    /// A proof that none of these goals, for each of which the answer was `No`, holds in any execution, and the literals
    /// that stand for them in it; `None` for a goal that is never true by its form. Only of an engine that was made to be
    /// `certifying`.
    pub fn certify(
        &mut self,
        query: &Query<'_>,
        goals: &[Term],
    ) -> Result<(Vec<Option<i32>>, Proof), Uncertified> {
        let Solver::Order(order) = &self.solver else {
            return Err(Uncertified::Fault("the proof of this engine cannot be certified".to_owned()));
        };
        if self.formula.is_partial || self.stop.load(Ordering::Relaxed) {
            return Err(Uncertified::Stopped);
        }
        let never = !self.formula.truth;
        let literals = goals.iter().map(|&goal| self.formula.blaster.literal(&query.terms, goal));
        let literals: Vec<Option<Lit>> = literals.map(|l| (l != never).then_some(l)).collect();
        let open: Vec<Lit> = literals.iter().copied().flatten().collect();
        let proof = prove(&mut self.formula, order, &open, &self.stop)?;
        Ok((literals.into_iter().map(|l| l.map(Lit::to_dimacs)).collect(), proof))
    }

    /// Is there an execution of the program in which `goal`, a term of one bit, holds? The program has to be the one
    /// that was encoded; its arena may have grown.
    pub fn ask(&mut self, query: &Query<'_>, goal: Term) -> Answer {
        if self.formula.is_partial || self.stop.load(Ordering::Relaxed) {
            return Answer::Unknown(Unknown::Stopped);
        }
        if query.terms.as_const(goal) == Some(0) {
            return Answer::No;
        }
        let goal = self.formula.blaster.literal(&query.terms, goal);
        let found = match &mut self.solver {
            Solver::Order(order) => order.solve(&mut self.formula, goal),
            Solver::Refine(refine) => refine.solve(&mut self.formula, goal),
            Solver::Clocks(clocks) => clocks.solve(&mut self.formula, goal),
        };
        match found {
            Ok(Some(order)) => self.execution(query, &order),
            Ok(None) => Answer::No,
            Err(Halt::Stopped) => Answer::Unknown(Unknown::Stopped),
            Err(Halt::Fault(fault)) => Answer::Fault(fault),
        }
    }

    fn execution(&mut self, query: &Query<'_>, order: &[NodeId]) -> Answer {
        match self.formula.blaster.model() {
            Some(mut model) => {
                let order = complete(query, &mut model, order);
                Answer::Execution { model, order }
            }
            // A solver that said yes and has no model was stopped in between.
            None => Answer::Unknown(Unknown::Stopped),
        }
    }

    pub fn statistics(&self) -> Statistics {
        let solver = self.formula.blaster.sat().statistics();
        Statistics {
            encoded: self.formula.size,
            variables: solver.variables,
            clauses: solver.clauses,
            conflicts: solver.conflicts,
            decisions: solver.decisions,
            lemmas: solver.lemmas,
            refined: match &self.solver {
                Solver::Refine(refine) => Some(refine.counts),
                _ => None,
            },
        }
    }
}
