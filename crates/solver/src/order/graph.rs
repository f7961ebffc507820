//! The growing partial order: which step is before which, with undo and with reasons.
//!
//! The steps of a thread are a chain, so the past of a step is a vector clock: for each thread, how many of its steps.
//! A query is one comparison; an edge updates the clocks of the steps after it, and a trail undoes every change. An
//! edge records why it is there; a path is explained by the edges on it that were there at the time.

use super::paths::Paths;
use super::unobserved;
use crate::Lit;
use std::collections::VecDeque;

/// A step: all events on it happen at once.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct OrderNode(pub(super) u32);

/// A chain of steps.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Chain(pub(super) u32);

impl OrderNode {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Why an edge is there. A condition of `None` always holds.
#[derive(Copy, Clone, Debug)]
pub(super) struct EdgeReason {
    pub conditions: [Option<Lit>; 2],
    /// It also follows from this path, as it was when the edge was added.
    pub path: Option<(OrderNode, OrderNode)>,
}

#[derive(Copy, Clone)]
pub(super) struct Edge {
    pub from: OrderNode,
    pub to: OrderNode,
    pub why: EdgeReason,
    /// The previous edge that leaves the same step, or `NONE`.
    pub older: u32,
}

/// No edge.
pub(super) const NONE: u32 = u32::MAX;

/// The position of a step: its thread, and how many steps of the thread come before it.
#[derive(Copy, Clone)]
pub(super) struct Position {
    pub thread: u32,
    pub index: u32,
}

enum Undo {
    Clock { at: usize, old: u32 },
    Edge,
}

/// A marker on the trail to go back to.
#[derive(Copy, Clone, Debug)]
pub(super) struct Mark(usize);

/// A time, as the number of edges that there were.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Age(pub u32);

#[derive(Default)]
pub(super) struct Graph {
    positions: Vec<Position>,
    chains: Vec<Vec<OrderNode>>,
    fixed: Vec<Vec<OrderNode>>,
    /// Edges in the order they were added, and the newest that leaves each step.
    edges: Vec<Edge>,
    newest: Vec<u32>,
    /// For each step and thread: how many steps of the thread are at or before the step.
    clocks: Vec<u32>,
    trail: Vec<Undo>,
    /// Steps whose clocks have changed since they were last taken.
    changed: Vec<OrderNode>,
    work: Vec<(OrderNode, OrderNode)>,
    paths: Paths,
}

impl Graph {
    pub fn add_thread(&mut self) -> Chain {
        self.chains.push(Vec::new());
        Chain(self.chains.len() as u32 - 1)
    }

    pub fn add_node(&mut self, thread: Chain) -> OrderNode {
        let node = OrderNode(self.positions.len() as u32);
        let chain = &mut self.chains[thread.0 as usize];
        self.positions.push(Position { thread: thread.0, index: chain.len() as u32 });
        chain.push(node);
        self.fixed.push(Vec::new());
        self.newest.push(NONE);
        node
    }

    pub fn add_fixed(&mut self, from: OrderNode, to: OrderNode) {
        self.fixed[from.index()].push(to);
    }

    pub fn nodes(&self) -> impl Iterator<Item = OrderNode> + use<> {
        (0..self.positions.len() as u32).map(OrderNode)
    }

    pub fn count(&self) -> usize {
        self.positions.len()
    }

    pub fn threads(&self) -> usize {
        self.chains.len()
    }

    pub fn position(&self, node: OrderNode) -> Position {
        self.positions[node.index()]
    }

    pub fn edge(&self, id: u32) -> &Edge {
        &self.edges[id as usize]
    }

    /// Now, as a time that paths can be explained for.
    pub fn age(&self) -> Age {
        Age(self.edges.len() as u32)
    }

    /// Recomputes the order from the chains and fixed edges alone. `false`: these already have a cycle.
    pub fn reset(&mut self) -> bool {
        self.edges.clear();
        self.trail.clear();
        self.changed.clear();
        self.newest.fill(NONE);
        let threads = self.chains.len();
        self.clocks = vec![0; self.positions.len() * threads];
        for (i, p) in self.positions.iter().enumerate() {
            self.clocks[i * threads + p.thread as usize] = p.index + 1;
        }
        let Some(order) = self.topological(|_| true) else { return false };
        for node in order {
            let after: Vec<OrderNode> = self.after(node).collect();
            for next in after {
                for t in 0..threads {
                    let known = self.clocks[node.index() * threads + t];
                    let clock = &mut self.clocks[next.index() * threads + t];
                    *clock = (*clock).max(known);
                }
            }
        }
        true
    }

    /// What comes directly after a step in every execution.
    pub fn always_after(&self, node: OrderNode) -> impl Iterator<Item = OrderNode> {
        let p = self.positions[node.index()];
        let next = self.chains[p.thread as usize].get(p.index as usize + 1).copied();
        next.into_iter().chain(self.fixed[node.index()].iter().copied())
    }

    /// The edges that leave a step, the newest first.
    pub fn leaving(&self, node: OrderNode) -> impl Iterator<Item = u32> {
        let mut next = self.newest[node.index()];
        std::iter::from_fn(move || {
            let id = next;
            (id != NONE).then(|| {
                next = self.edges[id as usize].older;
                id
            })
        })
    }

    /// Everything that comes directly after a step.
    fn after(&self, node: OrderNode) -> impl Iterator<Item = OrderNode> {
        let added = self.leaving(node).map(|e| self.edges[e as usize].to);
        self.always_after(node).chain(added)
    }

    /// The steps in a topological order. `may_go` is asked whether a step may go next once all steps before it have,
    /// and again later if it holds the step back. `None`: it is stuck.
    pub fn topological(&self, mut may_go: impl FnMut(OrderNode) -> bool) -> Option<Vec<OrderNode>> {
        let count = self.positions.len();
        let mut waiting = vec![0u32; count];
        for node in self.nodes() {
            for next in self.after(node) {
                waiting[next.index()] += 1;
            }
        }
        let mut ready: VecDeque<OrderNode> = self.nodes().filter(|n| waiting[n.index()] == 0).collect();
        let mut order = Vec::with_capacity(count);
        let mut held_back = 0;
        while let Some(node) = ready.pop_front() {
            if !may_go(node) {
                ready.push_back(node);
                held_back += 1;
                if held_back > ready.len() {
                    return None;
                }
                continue;
            }
            held_back = 0;
            order.push(node);
            for next in self.after(node) {
                waiting[next.index()] -= 1;
                if waiting[next.index()] == 0 {
                    ready.push_back(next);
                }
            }
        }
        (order.len() == count).then_some(order)
    }

    /// Whether `a` is before `b` or is `b`.
    #[inline]
    pub fn reaches(&self, a: OrderNode, b: OrderNode) -> bool {
        self.is_at_or_before(self.positions[a.index()], b)
    }

    /// Whether the step at this position is before `b` or is `b`.
    #[inline]
    pub fn is_at_or_before(&self, a: Position, b: OrderNode) -> bool {
        self.clocks[b.index() * self.chains.len() + a.thread as usize] > a.index
    }

    /// Adds an edge, unless the order is known; `Err` with the reasons when it would close a cycle.
    pub fn add(&mut self, from: OrderNode, to: OrderNode, why: EdgeReason) -> Result<(), Vec<Lit>> {
        if self.reaches(to, from) {
            let cycle = self.explain([why], [(to, from)], self.age());
            return Err(cycle.unwrap_or_else(|| unobserved().into_iter().collect()));
        }
        if self.reaches(from, to) {
            return Ok(());
        }
        let id = self.edges.len() as u32;
        self.edges.push(Edge { from, to, why, older: self.newest[from.index()] });
        self.newest[from.index()] = id;
        self.trail.push(Undo::Edge);
        self.spread(from, to);
        Ok(())
    }

    /// What is before `from` is before `to` and everything after it.
    fn spread(&mut self, from: OrderNode, to: OrderNode) {
        let threads = self.chains.len();
        let mut work = std::mem::take(&mut self.work);
        work.push((from, to));
        while let Some((from, to)) = work.pop() {
            let mut changed = false;
            for t in 0..threads {
                let known = self.clocks[from.index() * threads + t];
                let at = to.index() * threads + t;
                if known > self.clocks[at] {
                    self.trail.push(Undo::Clock { at, old: self.clocks[at] });
                    self.clocks[at] = known;
                    changed = true;
                }
            }
            if changed {
                self.changed.push(to);
                work.extend(self.after(to).map(|next| (to, next)));
            }
        }
        self.work = work;
    }

    /// A step whose past has grown since it was last taken; it can come more than once.
    pub fn take_changed(&mut self) -> Option<OrderNode> {
        self.changed.pop()
    }

    pub fn mark(&self) -> Mark {
        Mark(self.trail.len())
    }

    pub fn undo_to(&mut self, mark: Mark) {
        while self.trail.len() > mark.0 {
            match self.trail.pop() {
                Some(Undo::Clock { at, old }) => self.clocks[at] = old,
                Some(Undo::Edge) => {
                    if let Some(edge) = self.edges.pop() {
                        self.newest[edge.from.index()] = edge.older;
                    }
                }
                None => return,
            }
        }
    }

    /// The literals that, together, make these reasons and paths hold, as they did at that time. Sorted, each once.
    /// `None`: one of the paths was not there.
    pub fn explain(
        &mut self,
        whys: impl IntoIterator<Item = EdgeReason>,
        paths: impl IntoIterator<Item = (OrderNode, OrderNode)>,
        at: Age,
    ) -> Option<Vec<Lit>> {
        let mut scratch = std::mem::take(&mut self.paths);
        let literals = scratch.explain(self, whys, paths, at);
        self.paths = scratch;
        literals
    }
}
