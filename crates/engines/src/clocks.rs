//! The engine with the whole scheduling constraint in the formula: a number for each node that matters.
//!
//! This is the exact encoding that bounded model checkers of threads began with (Alglave, Kroening, Tautschnig), and
//! that the others are measured against. It is cubic: for each read, each write it can see and each other write.

use crate::encode::{CandidateWrite, Formula};
use crate::engine::Halt;
use rustc_hash::FxHashMap;
use tp_events::{NodeId, Query};
use tp_ir::{CmpOp, Width};
use tp_solver::{Lit, Sat};
use tp_terms::{Term, Terms};

pub(crate) struct ClocksEngine {
    /// The nodes that matter, each with the bits of its number, lowest first.
    numbers: Vec<(NodeId, Vec<Lit>)>,
}

struct Builder<'a> {
    formula: &'a mut Formula,
    terms: &'a mut Terms,
    clocks: FxHashMap<NodeId, Term>,
}

impl ClocksEngine {
    pub fn new(formula: &mut Formula, query: &mut Query<'_>) -> ClocksEngine {
        let nodes: Vec<NodeId> = formula.chains.iter().flatten().copied().collect();
        // Enough for as many different numbers as there are nodes.
        let bits = usize::BITS - nodes.len().leading_zeros();
        let width = Width::new(bits.max(1)).unwrap_or(Width::MAX);
        let clocks = nodes.iter().map(|&n| (n, query.terms.variable(width))).collect();
        let rows = std::mem::take(&mut formula.rows);
        let mut builder = Builder { formula, terms: &mut query.terms, clocks };
        builder.fixed_order();
        for row in &rows {
            for chosen in &row.candidates {
                builder.see(row.node, chosen, &row.candidates);
            }
        }
        let Builder { clocks, .. } = builder;
        formula.rows = rows;
        let bits = |n: &NodeId| formula.blaster.bits(&query.terms, clocks[n]).to_vec();
        ClocksEngine { numbers: nodes.iter().map(bits).zip(&nodes).map(|(bits, &n)| (n, bits)).collect() }
    }

    /// The nodes that matter, in an order in which the goal is reached; `None` when it never is.
    pub fn solve(&mut self, formula: &mut Formula, goal: Lit) -> Result<Option<Vec<NodeId>>, Halt> {
        if !formula.has_model(goal)? {
            return Ok(None);
        }
        let sat = formula.blaster.sat_mut();
        let mut order = Vec::with_capacity(self.numbers.len());
        for (node, bits) in &self.numbers {
            let one = |lit: &Lit| u128::from(sat.value(*lit) == Some(true));
            let number = bits.iter().rev().map(one).fold(0, |n, bit| n << 1 | bit);
            order.push((number, *node));
        }
        order.sort();
        Ok(Some(order.into_iter().map(|(_, node)| node).collect()))
    }
}

impl Builder<'_> {
    /// `a` is before `b`.
    fn before(&mut self, a: NodeId, b: NodeId) -> Lit {
        let (a, b) = (self.clocks[&a], self.clocks[&b]);
        let less = self.terms.compare(CmpOp::Ult, a, b);
        self.formula.blaster.literal(self.terms, less)
    }

    fn fixed_order(&mut self) {
        let next = |chain: &Vec<NodeId>| chain.windows(2).map(|w| (w[0], w[1])).collect::<Vec<_>>();
        let mut fixed: Vec<(NodeId, NodeId)> = self.formula.chains.iter().flat_map(next).collect();
        fixed.extend(&self.formula.created);
        for (a, b) in fixed {
            let before = self.before(a, b);
            self.clause(&[before]);
        }
    }

    /// When the read sees this write, the write is before it and no other is in between.
    fn see(&mut self, read: NodeId, chosen: &CandidateWrite, candidates: &[CandidateWrite]) {
        let Some(reads_from) = chosen.reads_from else { return };
        if let Some(write) = chosen.write {
            let before = self.before(write, read);
            self.clause(&[!reads_from, before]);
        }
        for other in candidates {
            let Some(o) = other.write.filter(|&o| Some(o) != chosen.write) else { continue };
            let mut clause = vec![!reads_from, self.before(read, o)];
            clause.extend(other.active.map(|a| !a));
            if let Some(write) = chosen.write {
                clause.push(self.before(o, write));
            }
            self.clause(&clause);
        }
    }

    fn clause(&mut self, clause: &[Lit]) {
        self.formula.blaster.sat_mut().add_clause(clause);
    }
}
