//! What lemmas about order are derived from: program order, and what each read may see.

use crate::encode::Formula;
use rustc_hash::FxHashMap;
use tp_certify::{Candidate, Proof, Read};
use tp_solver::Lit;

/// A node, numbered as the order theory does: the root, where the first values are written, then thread by thread.
pub(super) type NodeNumber = u32;

/// No node of the thread.
const NEVER: u32 = u32::MAX;

pub(super) struct Ground {
    /// By node: its thread and its index there.
    places: Vec<(u32, u32)>,
    chains: Vec<Vec<NodeNumber>>,
    before: Vec<(NodeNumber, NodeNumber)>,
    /// By thread: the fixed edges that leave it, each with the index it leaves from, sorted.
    leaving: Vec<Vec<(u32, NodeNumber)>>,
    pub rows: Vec<Read>,
    /// By reads-from literal: the pairs of a read and a candidate that it stands for; both 0-based.
    pub seen: FxHashMap<i32, Vec<(u32, u32)>>,
    /// By literal, the two nodes that are in this order when it is true.
    pub orders: FxHashMap<i32, (NodeNumber, NodeNumber)>,
    /// By node and thread: how many nodes of the thread are at or before the node, and the first at or after it.
    past: Vec<u32>,
    future: Vec<u32>,
}

impl Ground {
    pub fn new(formula: &Formula, orders: &[(Lit, NodeNumber, NodeNumber)]) -> Ground {
        let mut ids = FxHashMap::default();
        let mut chains = vec![vec![0]];
        for chain in &formula.chains {
            let start = ids.len() as u32 + 1;
            ids.extend(chain.iter().copied().zip(start..));
            chains.push((start..).take(chain.len()).collect());
        }
        let firsts = chains.iter().skip(1).filter_map(|c| c.first());
        let mut before: Vec<(NodeNumber, NodeNumber)> = firsts.map(|&first| (0, first)).collect();
        before.extend(formula.created.iter().map(|(a, b)| (ids[a], ids[b])));
        let rows = formula.rows.iter().map(|row| Read {
            node: ids[&row.node],
            candidates: row
                .candidates
                .iter()
                .map(|c| Candidate {
                    write: c.write.map_or(0, |w| ids[&w]),
                    reads_from: c.reads_from.map(Lit::to_dimacs),
                    active: c.active.map(Lit::to_dimacs),
                })
                .collect(),
        });
        let mut ground = Ground {
            places: Vec::new(),
            leaving: vec![Vec::new(); chains.len()],
            chains,
            before,
            rows: rows.collect(),
            seen: FxHashMap::default(),
            orders: FxHashMap::default(),
            past: Vec::new(),
            future: Vec::new(),
        };
        ground.index(orders);
        ground
    }

    fn index(&mut self, orders: &[(Lit, NodeNumber, NodeNumber)]) {
        for (thread, chain) in (0..).zip(&self.chains) {
            self.places.extend((0..).zip(chain).map(|(at, _)| (thread, at)));
        }
        for &(a, b) in &self.before {
            let (thread, at) = self.places[a as usize];
            self.leaving[thread as usize].push((at, b));
        }
        self.leaving.iter_mut().for_each(|l| l.sort_unstable());
        for (read, row) in (0..).zip(&self.rows) {
            for (candidate, c) in (0..).zip(&row.candidates) {
                // A read does not see a write on its own node, whatever the literal.
                if let Some(literal) = c.reads_from.filter(|_| c.write != row.node) {
                    self.seen.entry(literal).or_default().push((read, candidate));
                }
            }
        }
        for &(literal, a, b) in orders {
            self.orders.insert(literal.to_dimacs(), (a, b));
            self.orders.insert((!literal).to_dimacs(), (b, a));
        }
        self.spread();
    }

    /// Computes `past` and `future` from the chains and fixed edges.
    fn spread(&mut self) {
        let threads = self.chains.len();
        self.past = vec![0; self.places.len() * threads];
        self.future = vec![NEVER; self.places.len() * threads];
        for (node, &(thread, at)) in self.places.iter().enumerate() {
            self.past[node * threads + thread as usize] = at + 1;
            self.future[node * threads + thread as usize] = at;
        }
        let mut edges: Vec<(NodeNumber, NodeNumber)> =
            self.chains.iter().flat_map(|c| c.windows(2).map(|w| (w[0], w[1]))).collect();
        edges.extend(&self.before);
        // Threads are numbered roughly in the order of their creation, so few iterations are needed.
        let mut changed = true;
        while changed {
            changed = false;
            for &(a, b) in &edges {
                let (a, b) = (a as usize * threads, b as usize * threads);
                for t in 0..threads {
                    if self.past[a + t] > self.past[b + t] {
                        self.past[b + t] = self.past[a + t];
                        changed = true;
                    }
                }
            }
            for &(a, b) in edges.iter().rev() {
                let (a, b) = (a as usize * threads, b as usize * threads);
                for t in 0..threads {
                    if self.future[b + t] < self.future[a + t] {
                        self.future[a + t] = self.future[b + t];
                        changed = true;
                    }
                }
            }
        }
    }

    pub fn place(&self, node: NodeNumber) -> (usize, u32) {
        let (thread, at) = self.places[node as usize];
        (thread as usize, at)
    }

    /// By thread: how many nodes are at or before this one.
    pub fn past(&self, node: NodeNumber) -> &[u32] {
        let threads = self.chains.len();
        &self.past[node as usize * threads..][..threads]
    }

    /// By thread: the index of the first node at or after this one.
    pub fn future(&self, node: NodeNumber) -> &[u32] {
        let threads = self.chains.len();
        &self.future[node as usize * threads..][..threads]
    }

    /// Whether `a` is `b` or before it in every execution.
    pub fn reaches(&self, a: NodeNumber, b: NodeNumber) -> bool {
        let (thread, at) = self.place(a);
        self.past(b)[thread] > at
    }

    /// A fixed edge that closes a cycle, if there is one.
    pub fn contradiction(&self) -> Option<(NodeNumber, NodeNumber)> {
        self.before.iter().copied().find(|&(a, b)| self.reaches(b, a))
    }

    /// Extends a path from its last node to `to` by the fixed order. `None`: there is no such path.
    pub fn walk(&self, path: &mut Vec<NodeNumber>, to: NodeNumber) -> Option<()> {
        // No path uses an edge twice.
        for _ in 0..=self.before.len() {
            let &from = path.last()?;
            let ((thread, at), (thread_to, at_to)) = (self.place(from), self.place(to));
            if thread == thread_to && at <= at_to {
                path.extend((at < at_to).then_some(to));
                return Some(());
            }
            let leaving = &self.leaving[thread];
            let later = &leaving[leaving.partition_point(|l| l.0 < at)..];
            let &(at_exit, next) = later.iter().find(|l| self.reaches(l.1, to))?;
            path.extend((at_exit > at).then(|| self.chains[thread][at_exit as usize]));
            path.push(next);
        }
        None
    }

    /// The threads of a certificate; which reads it needs is known later.
    pub fn structure(&self) -> Proof {
        Proof { threads: self.chains.clone(), before: self.before.clone(), ..Proof::default() }
    }
}
