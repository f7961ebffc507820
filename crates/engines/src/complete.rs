//! Extends the order of the nodes that matter to all nodes that take part.

use crate::record::Recorded;
use rustc_hash::FxHashMap;
use tp_events::{NodeId, Query, ThreadId};
use tp_terms::Model;

/// Places a node whose order does not matter only when it is needed: before a later node of its thread, and before a
/// thread that it creates. Nodes of the tail, and after them in their threads, are left out.
pub(crate) fn complete(query: &Query<'_>, model: &mut Model, found: &Recorded) -> Vec<NodeId> {
    let mut placing = Placing {
        query,
        chains: query.nodes_by_thread(),
        next: vec![0; query.threads().len()],
        order: Vec::new(),
    };
    for &node in &found.order {
        placing.place_up_to(node);
    }
    let tail: FxHashMap<ThreadId, NodeId> =
        found.tail.iter().map(|&n| (query.nodes()[n].thread, n)).collect();
    for thread in query.threads() {
        // A thread that is created in the tail does not run. Parents come before their children.
        if !tail.is_empty() && !query.parent(thread).is_none_or(|parent| placing.is_placed(parent)) {
            continue;
        }
        let chain = &placing.chains[thread.as_u32() as usize];
        let count = tail.get(&thread).map_or(chain.len(), |tail| chain.partition_point(|n| n < tail));
        if let Some(&last) = chain[..count].last() {
            placing.place_up_to(last);
        }
    }
    let mut order = placing.order;
    order.retain(|&n| model.holds(&query.terms, query.nodes()[n].guard));
    order
}

struct Placing<'a> {
    query: &'a Query<'a>,
    chains: Vec<Vec<NodeId>>,
    /// By thread: how many of its nodes are placed.
    next: Vec<usize>,
    order: Vec<NodeId>,
}

impl Placing<'_> {
    fn is_placed(&self, node: NodeId) -> bool {
        let thread = self.query.nodes()[node].thread.as_u32() as usize;
        self.chains[thread].get(self.next[thread]).is_none_or(|&next| next > node)
    }

    /// Places a node, the nodes of its thread before it, and before those the nodes that led to the thread's creation.
    fn place_up_to(&mut self, node: NodeId) {
        let mut creators = vec![node];
        while let Some(parent) = self.creator(creators[creators.len() - 1]) {
            // A cycle of creators has no end; their threads never run.
            if self.is_placed(parent) || creators.len() > self.query.threads().len() {
                break;
            }
            creators.push(parent);
        }
        for node in creators.into_iter().rev() {
            let thread = self.query.nodes()[node].thread.as_u32() as usize;
            while !self.is_placed(node) {
                self.order.push(self.chains[thread][self.next[thread]]);
                self.next[thread] += 1;
            }
        }
    }

    fn creator(&self, node: NodeId) -> Option<NodeId> {
        let thread: ThreadId = self.query.nodes()[node].thread;
        self.query.parent(thread)
    }
}
