//! What all engines are asked and what they answer.

use crate::certify::{Uncertified, prove};
use crate::clocks::ClocksEngine;
use crate::complete::complete;
use crate::counted::Counted;
use crate::encode::{Formula, Reads, Size};
use crate::order::OrderEngine;
use crate::record::{Recorded, Recorder};
use crate::refine::{Refine, Refinements};
use crate::widen::Widener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tp_certify::Proof;
use tp_events::{NodeId, Query};
use tp_solver::{Cadical, Lit, Sat, SolverFault};
use tp_terms::{Model, Term};

/// How the order of events is decided.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Method {
    /// Inside the SAT solver.
    Order,
    /// By checking each counterexample and adding the reason why it is spurious.
    Refine,
    /// By a number for each node, in the formula.
    Clocks,
    /// By the number of its context for each node, in the formula.
    Record,
    /// The same, with few schedules at first.
    Widen,
}

impl Method {
    /// It can keep to a bound on context switches.
    pub fn bounds_contexts(self) -> bool {
        matches!(self, Method::Record | Method::Widen)
    }
}

pub enum Answer {
    /// Values of the unknowns, and all nodes that take part, in a possible order. Under a bound on context switches, only
    /// the nodes that are counted.
    Execution {
        model: Model,
        order: Vec<NodeId>,
    },
    /// There is no execution in which the goal holds.
    No,
    Unknown(Unknown),
    /// A defect of Threadproof, not of the checked program.
    Fault(SolverFault),
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
    /// The contexts of the last execution that `Method::Record` or `Method::Widen` found, if it found one.
    pub contexts: Option<u64>,
    /// How often `Method::Widen` asked the SAT solver.
    pub iterations: Option<u64>,
}

impl Statistics {
    /// Of two questions together; the sizes are those of the larger one.
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
            contexts: other.contexts.or(self.contexts),
            iterations: self
                .iterations
                .zip(other.iterations)
                .map(|(a, b)| a + b)
                .or(self.iterations)
                .or(other.iterations),
        }
    }
}

/// Why an engine does not answer.
pub(crate) enum Halt {
    Stopped,
    Fault(SolverFault),
}

impl From<SolverFault> for Halt {
    fn from(fault: SolverFault) -> Halt {
        Halt::Fault(fault)
    }
}

enum Backend {
    Order(OrderEngine),
    Refine(Refine),
    Clocks(ClocksEngine),
    Record(Recorder),
    Widen(Widener),
}

/// An encoded query that can be asked for executions again and again; learned clauses are kept between questions.
pub struct GraphSolver {
    formula: Formula,
    solver: Backend,
    /// Of the last execution.
    contexts: Option<u64>,
    stop: Arc<AtomicBool>,
}

impl GraphSolver {
    /// Encodes the query. Terms are added to its arena; its events stay as they are.
    pub fn new(method: Method, query: &mut Query<'_>, stop: Arc<AtomicBool>) -> GraphSolver {
        GraphSolver::within(method, query, &Counted::all(), stop)
    }

    /// The same for the executions that `counted` covers, if the method can bound them.
    pub fn within(
        method: Method,
        query: &mut Query<'_>,
        counted: &Counted,
        stop: Arc<AtomicBool>,
    ) -> GraphSolver {
        let reads = match method {
            Method::Order | Method::Refine | Method::Clocks => Reads::SeeWrites,
            Method::Record | Method::Widen => Reads::SeeMemory,
        };
        let mut formula = Formula::new(Cadical::new(), reads, query, stop.clone());
        let solver = match method {
            Method::Order => Some(Backend::Order(OrderEngine::new(&mut formula))),
            Method::Refine => Some(Backend::Refine(Refine::new(&formula, stop.clone()))),
            Method::Clocks => Some(Backend::Clocks(ClocksEngine::new(&mut formula, query))),
            Method::Record => Recorder::new(&mut formula, query, counted, None, &stop).map(Backend::Record),
            Method::Widen => Widener::new(&mut formula, query, counted, &stop).map(Backend::Widen),
        };
        let solver = solver.unwrap_or_else(|| {
            // Nothing is asked about a part of a formula.
            formula.is_partial = true;
            Backend::Order(OrderEngine::new(&mut formula))
        });
        GraphSolver { formula, solver, contexts: None, stop }
    }

    /// An engine of `Method::Order` that records what `certify` needs.
    pub fn certifying(query: &mut Query<'_>, stop: Arc<AtomicBool>) -> GraphSolver {
        let mut sat = Cadical::new();
        sat.record();
        let mut formula = Formula::new(sat, Reads::SeeWrites, query, stop.clone());
        let solver = Backend::Order(OrderEngine::new(&mut formula));
        GraphSolver { formula, solver, contexts: None, stop }
    }

    /// A proof that no execution reaches any of these goals, for each of which the answer was `No`, and the literals
    /// that stand for the goals in it; `None` for a goal that folds to false. Needs an engine made by `certifying`.
    pub fn certify(
        &mut self,
        query: &Query<'_>,
        goals: &[Term],
    ) -> Result<(Vec<Option<i32>>, Proof), Uncertified> {
        let Backend::Order(order) = &self.solver else {
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

    /// Is there an execution in which `goal`, a term of one bit, holds? The query has to be the one that was encoded;
    /// its arena may have grown.
    pub fn ask(&mut self, query: &Query<'_>, goal: Term) -> Answer {
        if self.formula.is_partial || self.stop.load(Ordering::Relaxed) {
            return Answer::Unknown(Unknown::Stopped);
        }
        if query.terms.as_const(goal) == Some(0) {
            return Answer::No;
        }
        let goal = self.formula.blaster.literal(&query.terms, goal);
        let without_tail = |order: Vec<NodeId>| Recorded { order, tail: Vec::new() };
        let formula = &mut self.formula;
        let found = match &mut self.solver {
            Backend::Order(order) => order.solve(formula, goal).map(|found| found.map(without_tail)),
            Backend::Refine(refine) => refine.solve(formula, goal).map(|found| found.map(without_tail)),
            Backend::Clocks(clocks) => clocks.solve(formula, goal).map(|found| found.map(without_tail)),
            Backend::Record(recorder) => recorder.solve(formula, &[goal]),
            Backend::Widen(widener) => widener.solve(formula, &[goal]),
        };
        self.answer(query, found)
    }

    /// Is there an execution with more context switches than the bound allows? Without a bound there is none.
    pub fn ask_for_more(&mut self, query: &Query<'_>) -> Answer {
        if self.formula.is_partial || self.stop.load(Ordering::Relaxed) {
            return Answer::Unknown(Unknown::Stopped);
        }
        let found = match &mut self.solver {
            Backend::Record(recorder) => match recorder.wants_more() {
                Some(goals) => recorder.solve(&mut self.formula, &goals),
                None => Ok(None),
            },
            Backend::Widen(widener) => match widener.recorder.wants_more() {
                Some(goals) => widener.solve(&mut self.formula, &goals),
                None => Ok(None),
            },
            _ => Ok(None),
        };
        self.answer(query, found)
    }

    fn answer(&mut self, query: &Query<'_>, found: Result<Option<Recorded>, Halt>) -> Answer {
        match found {
            Ok(Some(recorded)) => self.execution(query, &recorded),
            Ok(None) => Answer::No,
            Err(Halt::Stopped) => Answer::Unknown(Unknown::Stopped),
            Err(Halt::Fault(fault)) => Answer::Fault(fault),
        }
    }

    fn execution(&mut self, query: &Query<'_>, found: &Recorded) -> Answer {
        match self.formula.blaster.model() {
            Some(mut model) => {
                let order = complete(query, &mut model, found);
                if matches!(self.solver, Backend::Record(_) | Backend::Widen(_)) {
                    self.contexts = Some(contexts(query, &mut model, &found.order));
                }
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
                Backend::Refine(refine) => Some(refine.counts),
                _ => None,
            },
            contexts: self.contexts,
            iterations: match &self.solver {
                Backend::Widen(widener) => Some(widener.iterations),
                _ => None,
            },
        }
    }
}

/// How many contexts the nodes have that take part.
fn contexts(query: &Query<'_>, model: &mut Model, order: &[NodeId]) -> u64 {
    let thread = |node: &NodeId| query.nodes()[*node].thread;
    let mut order = order.to_vec();
    order.retain(|&node| model.holds(&query.terms, query.nodes()[node].guard));
    order.chunk_by(|a, b| thread(a) == thread(b)).count() as u64
}
