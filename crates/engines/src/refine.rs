//! The engine of the paper: solve without the scheduling constraint, check the counterexample, add why it is spurious.
//!
//! Yin, Dong, Liu, Wang: "Scheduling Constraint Based Abstraction Refinement for Multi-Threaded Program Verification"
//! (Yogar-CBMC). φ₀ leaves out that no other write comes between a read and the write it sees. A model of it is a
//! candidate: its event order graph (`graph`, §4) has an order or a cycle. For each cycle, all core kernel reasons
//! (§5.3) are added as clauses, so one candidate rules out many. When there is neither a cycle nor an order that is
//! easily found, a separate solver decides (`validate`, §4.3 and §5.2).
//!
//! Where this differs: nodes that do not take part stay in the chains of their threads, where they do no harm, so
//! program order has no guard literals as reasons; and a graph for which an order is found at once needs no solver.

mod graph;
mod reasons;
mod validate;

use crate::encode::Formula;
use crate::engine::Halt;
use graph::{EventOrderGraph, GraphAnswer, ProgramOrder};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tp_events::NodeId;
use tp_solver::{Lit, Sat};

/// What the refinements took (§7.4 of the paper).
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
pub struct Refinements {
    /// Spurious candidates.
    pub refinements: u64,
    /// Clauses that were added for them, and how many literals these have.
    pub reasons: u64,
    pub literals: u64,
    /// How often the graph could not decide, and a separate solver was asked.
    pub validations: u64,
    /// How often that solver refuted the candidate.
    pub refuted_by_solver: u64,
}

impl Refinements {
    pub fn reasons_per_refinement(&self) -> f64 {
        self.reasons as f64 / self.refinements.max(1) as f64
    }

    pub fn average_length(&self) -> f64 {
        self.literals as f64 / self.reasons.max(1) as f64
    }
}

pub(crate) struct Refine {
    program_order: ProgramOrder,
    stop: Arc<AtomicBool>,
    pub counts: Refinements,
}

impl Refine {
    pub fn new(formula: &Formula, stop: Arc<AtomicBool>) -> Refine {
        Refine { program_order: ProgramOrder::new(formula), stop, counts: Refinements::default() }
    }

    /// The nodes that matter, in an order in which the goal is reached; `None` when it never is.
    pub fn solve(&mut self, formula: &mut Formula, goal: Lit) -> Result<Option<Vec<NodeId>>, Halt> {
        loop {
            if !formula.has_model(goal)? {
                return Ok(None);
            }
            let graph = EventOrderGraph::new(&self.program_order, formula);
            let reasons = match graph.decide(&self.stop) {
                GraphAnswer::Order(order) => return Ok(Some(order)),
                GraphAnswer::Cycles(reasons) => reasons,
                GraphAnswer::Undecided => {
                    self.counts.validations += 1;
                    match validate::validate(&graph, self.stop.clone())? {
                        Ok(order) => return Ok(Some(order)),
                        Err(reason) => {
                            self.counts.refuted_by_solver += 1;
                            vec![reason]
                        }
                    }
                }
            };
            self.counts.refinements += 1;
            self.counts.reasons += reasons.len() as u64;
            for reason in reasons {
                self.counts.literals += reason.len() as u64;
                let clause: Vec<Lit> = reason.into_iter().map(|l| !l).collect();
                formula.blaster.sat_mut().add_clause(&clause);
            }
        }
    }
}
