//! The event order graph of a candidate (§4.1): the nodes that take part, program order and reads-from.

use super::reasons::{Reasons, Settled};
use crate::encode::Formula;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use tp_events::NodeId;
use tp_solver::{Lit, Sat};

/// A node of the graph. 0 is the root, where the first values are written.
pub(super) type Vertex = u32;

/// The order within each thread, and from the start of a thread to its steps: the same in every candidate execution.
pub(super) struct ProgramOrder {
    /// All nodes that matter, by thread; the root is a thread of its own, the first.
    chains: Vec<Vec<Option<NodeId>>>,
    created: Vec<(NodeId, NodeId)>,
}

impl ProgramOrder {
    pub fn new(formula: &Formula) -> ProgramOrder {
        let mut chains = vec![vec![None]];
        chains.extend(formula.chains.iter().map(|c| c.iter().copied().map(Some).collect()));
        ProgramOrder { chains, created: formula.created.clone() }
    }
}

/// A read that takes part, the write it sees, and the other writes that take part.
pub(super) struct Link {
    pub read: Vertex,
    pub write: Vertex,
    /// The reads-from literal. `None`: it always holds.
    pub literal: Option<Lit>,
    /// Other writes, with the literals that say that they take part.
    pub others: Vec<(Vertex, Option<Lit>)>,
}

pub(super) struct EventOrderGraph {
    pub nodes: Vec<Option<NodeId>>,
    /// By vertex: its thread and its index there.
    pub places: Vec<(u32, u32)>,
    pub chains: Vec<Vec<Vertex>>,
    pub created: Vec<(Vertex, Vertex)>,
    pub links: Vec<Link>,
}

pub(super) enum GraphAnswer {
    Order(Vec<NodeId>),
    /// These sets of literals are impossible.
    Cycles(Vec<Vec<Lit>>),
    Undecided,
}

impl EventOrderGraph {
    /// The graph of the solver's model.
    pub fn new(program_order: &ProgramOrder, formula: &mut Formula) -> EventOrderGraph {
        let mut graph = EventOrderGraph {
            nodes: Vec::new(),
            places: Vec::new(),
            chains: Vec::new(),
            created: Vec::new(),
            links: Vec::new(),
        };
        let mut vertices: FxHashMap<NodeId, Vertex> = FxHashMap::default();
        for (t, chain) in program_order.chains.iter().enumerate() {
            let mut vertices_of_chain = Vec::new();
            for (i, &node) in chain.iter().enumerate() {
                let vertex = graph.nodes.len() as Vertex;
                vertices.extend(node.map(|n| (n, vertex)));
                graph.nodes.push(node);
                graph.places.push((t as u32, i as u32));
                vertices_of_chain.push(vertex);
            }
            if let Some(&first) = vertices_of_chain.first().filter(|&&v| v != 0) {
                graph.created.push((0, first));
            }
            graph.chains.push(vertices_of_chain);
        }
        graph.created.extend(program_order.created.iter().map(|(a, b)| (vertices[a], vertices[b])));
        graph.add_links(formula, &vertices);
        graph
    }

    fn add_links(&mut self, formula: &mut Formula, vertices: &FxHashMap<NodeId, Vertex>) {
        let Formula { rows, blaster, truth, .. } = formula;
        let sat = blaster.sat_mut();
        let mut holds = |literal: Option<Lit>| literal.is_none_or(|l| sat.value(l) == Some(true));
        let vertex = |node: Option<NodeId>| node.map_or(0, |n| vertices[&n]);
        for row in rows {
            let seen = row.candidates.iter().position(|c| c.reads_from.is_some() && holds(c.reads_from));
            let Some(seen) = seen else { continue };
            let mut others = Vec::new();
            for other in &row.candidates {
                if other.write != row.candidates[seen].write && holds(other.active) {
                    others.push((vertex(other.write), other.active));
                }
            }
            self.links.push(Link {
                read: vertices[&row.node],
                write: vertex(row.candidates[seen].write),
                literal: row.candidates[seen].reads_from.filter(|l| l != truth),
                others,
            });
        }
    }

    pub fn decide(&self, stop: &AtomicBool) -> GraphAnswer {
        match Reasons::new(self).settle(stop) {
            Settled::Cycles(reasons) => GraphAnswer::Cycles(reasons),
            Settled::Edges(edges) => {
                self.linearise(&edges).map_or(GraphAnswer::Undecided, GraphAnswer::Order)
            }
            Settled::GaveUp => GraphAnswer::Undecided,
        }
    }

    /// Tries to put all nodes into one order: a write waits while a read still has to see what it would overwrite.
    fn linearise(&self, edges: &[(Vertex, Vertex)]) -> Option<Vec<NodeId>> {
        let count = self.nodes.len();
        let mut after: Vec<Vec<Vertex>> = vec![Vec::new(); count];
        let mut waiting = vec![0u32; count];
        let chained = self.chains.iter().flat_map(|c| c.windows(2).map(|w| (w[0], w[1])));
        for (a, b) in chained.chain(self.created.iter().copied()).chain(edges.iter().copied()) {
            after[a as usize].push(b);
            waiting[b as usize] += 1;
        }
        let mut could_spoil: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (i, link) in self.links.iter().enumerate() {
            link.others.iter().for_each(|&(o, _)| could_spoil[o as usize].push(i as u32));
        }
        let mut done = vec![false; count];
        let mut ready: VecDeque<Vertex> = (0..count as u32).filter(|&v| waiting[v as usize] == 0).collect();
        let (mut order, mut held_back) = (Vec::new(), 0);
        while let Some(v) = ready.pop_front() {
            let spoils = could_spoil[v as usize].iter().any(|&l| {
                let link = &self.links[l as usize];
                link.read != v && done[link.write as usize] && !done[link.read as usize]
            });
            if spoils {
                ready.push_back(v);
                held_back += 1;
                if held_back > ready.len() {
                    return None;
                }
                continue;
            }
            held_back = 0;
            done[v as usize] = true;
            order.push(v);
            for &next in &after[v as usize] {
                waiting[next as usize] -= 1;
                if waiting[next as usize] == 0 {
                    ready.push_back(next);
                }
            }
        }
        (order.len() == count).then(|| order.into_iter().filter_map(|v| self.nodes[v as usize]).collect())
    }
}
