//! The engine that reasons about order inside the SAT solver: φ₀ with the order theory as a propagator.

use crate::encode::{CandidateWrite, Formula};
use crate::engine::Halt;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;
use tp_events::NodeId;
use tp_solver::order::{self, Candidate, OrderPropagator, OrderTheory};
use tp_solver::{Lit, Sat};

/// Order literals that the theory starts with; each time they are used up, their number doubles. Most programs need
/// none.
const SPARE: usize = 2;

pub(crate) struct OrderEngine {
    propagator: Rc<RefCell<OrderPropagator>>,
    /// By node of the theory: that of the query. `None` for the root, where the first values are written.
    nodes: Vec<Option<NodeId>>,
    /// Order literals so far.
    spare: usize,
}

/// A formula as the theory of order sees it.
pub(crate) struct OrderProblem {
    pub theory: OrderTheory,
    /// By node of the theory: that of the query. `None` for the root, where the first values are written.
    pub nodes: Vec<Option<NodeId>>,
    /// The literals that the theory has to be told of.
    pub observed: Vec<Lit>,
}

impl OrderProblem {
    pub fn new(formula: &Formula) -> OrderProblem {
        let mut theory = OrderTheory::new();
        let start = theory.add_thread();
        let root = theory.add_node(start);
        let mut nodes = vec![None];
        let mut ids = FxHashMap::default();
        for chain in &formula.chains {
            let thread = theory.add_thread();
            for (i, &node) in chain.iter().enumerate() {
                let id = theory.add_node(thread);
                if i == 0 {
                    theory.add_order(root, id);
                }
                ids.insert(node, id);
                nodes.push(Some(node));
            }
        }
        for (from, to) in &formula.created {
            theory.add_order(ids[from], ids[to]);
        }
        let mut observed = Vec::new();
        for row in &formula.rows {
            let node_of = |c: &CandidateWrite| c.write.map_or(root, |w| ids[&w]);
            let candidates = row.candidates.iter().map(|c| {
                let reads_from = c.reads_from.unwrap_or(!formula.truth);
                observed.push(reads_from);
                observed.extend(c.active);
                Candidate { write: node_of(c), reads_from, active: c.active }
            });
            theory.add_read(ids[&row.node], candidates.collect());
        }
        OrderProblem { theory, nodes, observed }
    }
}

impl OrderEngine {
    pub fn new(formula: &mut Formula) -> OrderEngine {
        let OrderProblem { theory, nodes, observed } = OrderProblem::new(formula);
        let propagator = Rc::new(RefCell::new(OrderPropagator::new(theory)));
        let sat = formula.blaster.sat_mut();
        sat.connect(propagator.clone());
        observed.into_iter().for_each(|l| sat.observe(l));
        let mut order = OrderEngine { propagator, nodes, spare: 0 };
        order.add_spare(formula);
        order
    }

    /// The order literals that were put to use: each is true when the first node is before the second.
    pub fn literals(&self) -> Vec<(Lit, order::OrderNode, order::OrderNode)> {
        self.propagator.borrow().theory.order_literals().collect()
    }

    fn add_spare(&mut self, formula: &mut Formula) {
        let more = self.spare.max(SPARE);
        self.spare += more;
        for _ in 0..more {
            let sat = formula.blaster.sat_mut();
            let spare = sat.new_var();
            sat.observe(spare);
            self.propagator.borrow_mut().theory.add_spare_literal(spare);
        }
    }

    /// The nodes that matter, in an order in which the goal is reached; `None` when it never is.
    pub fn solve(&mut self, formula: &mut Formula, goal: Lit) -> Result<Option<Vec<NodeId>>, Halt> {
        loop {
            if !formula.has_model(goal)? {
                return Ok(None);
            }
            let order = self.propagator.borrow_mut().take_order();
            if let Some(order) = order {
                let ours = |n: order::OrderNode| self.nodes.get(n.index()).copied().flatten();
                return Ok(Some(order.into_iter().filter_map(ours).collect()));
            }
            self.add_spare(formula);
        }
    }
}
