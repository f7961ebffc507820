//! From the order of the nodes that matter to that of all nodes that take part.

use tp_solver::Model;
use tp_unfold::{NodeId, ThreadId, Unfolded};

/// Puts the nodes whose order does not matter as early as their threads allow once they are needed: before a later node
/// of the same thread, and before the threads they create.
pub(crate) fn complete(program: &Unfolded, model: &mut Model, order: &[NodeId]) -> Vec<NodeId> {
    let mut chains: Vec<Vec<NodeId>> = vec![Vec::new(); program.threads.len()];
    for (id, node) in &program.nodes {
        chains[node.thread.as_u32() as usize].push(id);
    }
    let mut placing = Placing { program, chains, next: vec![0; program.threads.len()], order: Vec::new() };
    for &node in order {
        placing.place_up_to(node);
    }
    for thread in program.threads.keys() {
        if let Some(&last) = placing.chains[thread.as_u32() as usize].last() {
            placing.place_up_to(last);
        }
    }
    let mut order = placing.order;
    order.retain(|&n| model.holds(&program.terms, program.nodes[n].guard));
    order
}

struct Placing<'a> {
    program: &'a Unfolded,
    chains: Vec<Vec<NodeId>>,
    /// By thread: how many of its nodes are placed.
    next: Vec<usize>,
    order: Vec<NodeId>,
}

impl Placing<'_> {
    fn is_placed(&self, node: NodeId) -> bool {
        let thread = self.program.nodes[node].thread.as_u32() as usize;
        self.chains[thread].get(self.next[thread]).is_none_or(|&next| next > node)
    }

    /// Places a node, the nodes of its thread before it, and before those the nodes that led to the thread's creation.
    fn place_up_to(&mut self, node: NodeId) {
        let mut creators = vec![node];
        while let Some(parent) = self.creator(creators[creators.len() - 1]) {
            // Creators that go in a circle have no end; their threads never run.
            if self.is_placed(parent) || creators.len() > self.program.threads.len() {
                break;
            }
            creators.push(parent);
        }
        for node in creators.into_iter().rev() {
            let thread = self.program.nodes[node].thread.as_u32() as usize;
            while !self.is_placed(node) {
                self.order.push(self.chains[thread][self.next[thread]]);
                self.next[thread] += 1;
            }
        }
    }

    fn creator(&self, node: NodeId) -> Option<NodeId> {
        let thread: ThreadId = self.program.nodes[node].thread;
        self.program.threads[thread].parent
    }
}
