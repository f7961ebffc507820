//! The growing partial order: which step is before which, with undo and with reasons.
//!
//! The steps of a thread are a chain, so what is before a step is one number per thread: how many of its steps. A query
//! is one comparison; an edge updates the numbers of the steps behind it, and every change is undone in the order of the
//! trail. An edge remembers why it is there; a path is explained by the edges on it that were there at the time.

use crate::Lit;
use std::collections::VecDeque;

/// A step: all events on it happen at once.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Node(pub(super) u32);

/// A chain of steps.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Thread(pub(super) u32);

impl Node {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Why an edge is there. A condition of `None` always holds.
#[derive(Copy, Clone, Debug)]
pub(super) struct Why {
    pub conditions: [Option<Lit>; 2],
    /// It also rests on this path, as it was when the edge was added.
    pub path: Option<(Node, Node)>,
}

struct Edge {
    from: Node,
    to: Node,
    why: Why,
}

/// The position of a step: its thread, and how many steps of the thread come before it.
#[derive(Copy, Clone)]
struct Position {
    thread: u32,
    index: u32,
}

enum Undo {
    Clock { at: usize, old: u32 },
    Edge,
}

/// A marker on the trail to go back to.
#[derive(Copy, Clone, Debug)]
pub(super) struct Mark(usize);

#[derive(Default)]
pub(super) struct Graph {
    positions: Vec<Position>,
    chains: Vec<Vec<Node>>,
    fixed: Vec<Vec<Node>>,
    /// Edges in the order they were added, and those that leave each step.
    edges: Vec<Edge>,
    out: Vec<Vec<u32>>,
    /// For each step and thread: how many steps of the thread are at or before the step.
    clocks: Vec<u32>,
    trail: Vec<Undo>,
    /// Steps whose clocks have changed since they were last taken.
    changed: Vec<Node>,
}

impl Graph {
    pub fn add_thread(&mut self) -> Thread {
        self.chains.push(Vec::new());
        Thread(self.chains.len() as u32 - 1)
    }

    pub fn add_node(&mut self, thread: Thread) -> Node {
        let node = Node(self.positions.len() as u32);
        let chain = &mut self.chains[thread.0 as usize];
        self.positions.push(Position { thread: thread.0, index: chain.len() as u32 });
        chain.push(node);
        self.fixed.push(Vec::new());
        self.out.push(Vec::new());
        node
    }

    pub fn add_fixed(&mut self, from: Node, to: Node) {
        self.fixed[from.index()].push(to);
    }

    pub fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        (0..self.positions.len() as u32).map(Node)
    }

    /// Computes the order anew from the chains and fixed edges alone. `false`: these already have a cycle.
    pub fn reset(&mut self) -> bool {
        self.edges.clear();
        self.trail.clear();
        self.changed.clear();
        self.out.iter_mut().for_each(Vec::clear);
        let threads = self.chains.len();
        self.clocks = vec![0; self.positions.len() * threads];
        for (i, p) in self.positions.iter().enumerate() {
            self.clocks[i * threads + p.thread as usize] = p.index + 1;
        }
        let Some(order) = self.topological(|_| true) else { return false };
        for node in order {
            for next in self.successors(node) {
                for t in 0..threads {
                    let known = self.clocks[node.index() * threads + t];
                    let clock = &mut self.clocks[next.index() * threads + t];
                    *clock = (*clock).max(known);
                }
            }
        }
        true
    }

    /// Everything that comes directly after a step.
    fn successors(&self, node: Node) -> Vec<Node> {
        let p = self.positions[node.index()];
        let next = self.chains[p.thread as usize].get(p.index as usize + 1).copied();
        let added = self.out[node.index()].iter().map(|&e| self.edges[e as usize].to);
        next.into_iter().chain(self.fixed[node.index()].iter().copied()).chain(added).collect()
    }

    /// The steps in an order that respects everything known, where `may_go` lets a step go next whenever all before it
    /// have; it is asked again later for a step that it holds back. `None` when it gets stuck.
    pub fn topological(&self, mut may_go: impl FnMut(Node) -> bool) -> Option<Vec<Node>> {
        let count = self.positions.len();
        let mut waiting = vec![0u32; count];
        for node in self.nodes() {
            for next in self.successors(node) {
                waiting[next.index()] += 1;
            }
        }
        let mut ready: VecDeque<Node> = self.nodes().filter(|n| waiting[n.index()] == 0).collect();
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
            for next in self.successors(node) {
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
    pub fn reaches(&self, a: Node, b: Node) -> bool {
        let p = self.positions[a.index()];
        self.clocks[b.index() * self.chains.len() + p.thread as usize] > p.index
    }

    /// Adds an edge; `Err` with the reasons when it would close a cycle. Nothing is added that is known already.
    pub fn add(&mut self, from: Node, to: Node, why: Why) -> Result<(), Vec<Lit>> {
        if self.reaches(to, from) {
            return Err(self.explain([why], [(to, from)]));
        }
        if self.reaches(from, to) {
            return Ok(());
        }
        let id = self.edges.len() as u32;
        self.edges.push(Edge { from, to, why });
        self.out[from.index()].push(id);
        self.trail.push(Undo::Edge);
        self.spread(from, to);
        Ok(())
    }

    /// What is before `from` is before `to` and everything behind it.
    fn spread(&mut self, from: Node, to: Node) {
        let threads = self.chains.len();
        let mut work = vec![(from, to)];
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
                work.extend(self.successors(to).into_iter().map(|next| (to, next)));
            }
        }
    }

    /// The steps whose past has grown since the last call; some more than once.
    pub fn take_changed(&mut self) -> Vec<Node> {
        std::mem::take(&mut self.changed)
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
                        self.out[edge.from.index()].pop();
                    }
                }
                None => return,
            }
        }
    }

    /// The literals that, together, make these reasons and paths hold. Sorted, each once.
    pub fn explain(
        &self,
        whys: impl IntoIterator<Item = Why>,
        paths: impl IntoIterator<Item = (Node, Node)>,
    ) -> Vec<Lit> {
        let mut literals = Vec::new();
        let mut seen = vec![false; self.edges.len()];
        // Paths to explain, each with the number of edges that were there.
        let mut work: Vec<(Node, Node, usize)> = Vec::new();
        let now = self.edges.len();
        for why in whys {
            literals.extend(why.conditions.into_iter().flatten());
            work.extend(why.path.map(|(a, b)| (a, b, now)));
        }
        work.extend(paths.into_iter().map(|(a, b)| (a, b, now)));
        while let Some((a, b, limit)) = work.pop() {
            for id in self.shortest_path(a, b, limit) {
                if !std::mem::replace(&mut seen[id as usize], true) {
                    let why = self.edges[id as usize].why;
                    literals.extend(why.conditions.into_iter().flatten());
                    work.extend(why.path.map(|(a, b)| (a, b, id as usize)));
                }
            }
        }
        literals.sort_unstable();
        literals.dedup();
        literals
    }

    /// The added edges on a path with fewest of them, among the first `limit`. Chains and fixed edges cost nothing.
    fn shortest_path(&self, a: Node, b: Node, limit: usize) -> Vec<u32> {
        const NONE: u32 = u32::MAX;
        let mut came: Vec<Option<(Node, u32)>> = vec![None; self.positions.len()];
        let mut distance = vec![u32::MAX; self.positions.len()];
        distance[a.index()] = 0;
        let mut work = VecDeque::from([(a, 0)]);
        while let Some((node, d)) = work.pop_front() {
            if d > distance[node.index()] {
                continue;
            }
            if node == b {
                break;
            }
            let p = self.positions[node.index()];
            let next = self.chains[p.thread as usize].get(p.index as usize + 1).copied();
            for free in next.into_iter().chain(self.fixed[node.index()].iter().copied()) {
                if d < distance[free.index()] {
                    distance[free.index()] = d;
                    came[free.index()] = Some((node, NONE));
                    work.push_front((free, d));
                }
            }
            for &id in self.out[node.index()].iter().filter(|id| (**id as usize) < limit) {
                let to = self.edges[id as usize].to;
                if d + 1 < distance[to.index()] {
                    distance[to.index()] = d + 1;
                    came[to.index()] = Some((node, id));
                    work.push_back((to, d + 1));
                }
            }
        }
        let mut path = Vec::new();
        let mut node = b;
        while node != a {
            let Some((before, id)) = came[node.index()] else { break };
            if id != NONE {
                path.push(id);
            }
            node = before;
        }
        path
    }
}
