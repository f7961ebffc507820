//! Whether an event order graph has an order, by a separate solver (§4.3), and if not, why (§5.2).

use super::graph::{EventOrderGraph, Vertex};
use crate::engine::Halt;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tp_events::NodeId;
use tp_ir::{CmpOp, Width};
use tp_solver::{Blaster, Cadical, Lit, Sat, SatResult};
use tp_terms::{Term, Terms};

/// How many solver calls are spent on shrinking a reason.
const MOST_CALLS: usize = 200;

struct Validation {
    terms: Terms,
    blaster: Blaster<Cadical>,
    clocks: Vec<Term>,
    /// For each literal of the candidate: the assumption here that enables its constraints.
    switches: FxHashMap<Lit, Lit>,
}

/// The nodes in an order, or literals that cannot all be true.
pub(super) fn validate(
    graph: &EventOrderGraph,
    stop: Arc<AtomicBool>,
) -> Result<Result<Vec<NodeId>, Vec<Lit>>, Halt> {
    let mut validation = Validation::new(graph, stop);
    let mut needed: Vec<Lit> = validation.switches.keys().copied().collect();
    needed.sort_unstable();
    if validation.is_possible(&needed)? {
        return Ok(Ok(validation.order(graph)));
    }
    validation.shrink(&mut needed);
    let mut i = 0;
    for _ in 0..MOST_CALLS {
        if i == needed.len() {
            break;
        }
        let mut fewer = needed.clone();
        fewer.remove(i);
        if validation.is_possible(&fewer)? {
            i += 1;
        } else {
            validation.shrink(&mut fewer);
            needed = fewer;
        }
    }
    Ok(Err(needed))
}

impl Validation {
    fn new(graph: &EventOrderGraph, stop: Arc<AtomicBool>) -> Validation {
        let mut terms = Terms::new();
        let mut sat = Cadical::new();
        sat.stop_when(stop);
        let bits = usize::BITS - graph.nodes.len().leading_zeros();
        let width = Width::new(bits).unwrap_or(Width::MAX);
        let clocks = graph.nodes.iter().map(|_| terms.variable(width)).collect();
        let blaster = Blaster::new(sat);
        let mut validation = Validation { terms, blaster, clocks, switches: FxHashMap::default() };
        let chained = graph.chains.iter().flat_map(|c| c.windows(2).map(|w| (w[0], w[1])));
        for (a, b) in chained.chain(graph.created.iter().copied()) {
            let before = validation.before(a, b);
            validation.clause([Some(before)]);
        }
        for link in &graph.links {
            let sees = link.literal.map(|l| !validation.switch(l));
            let before = validation.before(link.write, link.read);
            validation.clause([sees, Some(before)]);
            for &(other, literal) in link.others.iter().filter(|o| o.0 != link.read) {
                let active = literal.map(|l| !validation.switch(l));
                let earlier = validation.before(other, link.write);
                let later = validation.before(link.read, other);
                validation.clause([sees, active, Some(earlier), Some(later)]);
            }
        }
        validation
    }

    fn switch(&mut self, literal: Lit) -> Lit {
        let sat = self.blaster.sat_mut();
        *self.switches.entry(literal).or_insert_with(|| sat.new_var())
    }

    fn before(&mut self, a: Vertex, b: Vertex) -> Lit {
        let less = self.terms.compare(CmpOp::Ult, self.clocks[a as usize], self.clocks[b as usize]);
        self.blaster.literal(&self.terms, less)
    }

    fn clause<const N: usize>(&mut self, literals: [Option<Lit>; N]) {
        let clause: Vec<Lit> = literals.into_iter().flatten().collect();
        self.blaster.sat_mut().add_clause(&clause);
    }

    fn is_possible(&mut self, literals: &[Lit]) -> Result<bool, Halt> {
        let assumed: Vec<Lit> = literals.iter().map(|l| self.switches[l]).collect();
        match self.blaster.sat_mut().solve(&assumed)? {
            SatResult::Sat => Ok(true),
            SatResult::Unsat => Ok(false),
            SatResult::Unknown => Err(Halt::Stopped),
        }
    }

    /// Keeps only the unsat core of the last answer.
    fn shrink(&mut self, literals: &mut Vec<Lit>) {
        literals.retain(|l| self.blaster.sat_mut().failed(self.switches[l]));
    }

    fn order(&mut self, graph: &EventOrderGraph) -> Vec<NodeId> {
        let model = self.blaster.model();
        let mut order: Vec<(u128, Option<NodeId>)> = Vec::new();
        if let Some(mut model) = model {
            for (&clock, &node) in self.clocks.iter().zip(&graph.nodes) {
                order.push((model.value(&self.terms, clock), node));
            }
        }
        order.sort();
        order.into_iter().filter_map(|(_, node)| node).collect()
    }
}
