//! Why a lemma about order holds, derived again from its clause alone.
//!
//! The theory's own reasons are not used: it hands over clauses only, and only those that the proof needs are
//! justified, after everything else is done. All literals of the clause are assumed to be false, the rules of `order`
//! are applied until there is a cycle, and edges that the cycle does not depend on are dropped.

use super::ground::{Ground, NodeNumber};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, VecDeque};
use tp_certify::{Derivation, Lemma};
use tp_solver::Lit;

/// A derived edge, and the earlier edges on the path that it follows from.
struct Edge {
    from: NodeNumber,
    to: NodeNumber,
    why: Justification,
    path: Vec<usize>,
}

/// Reads and candidates are counted from 0.
#[derive(Copy, Clone)]
enum Justification {
    Sees { read: u32, seen: u32 },
    Ordered { literal: i32 },
    Earlier { read: u32, seen: u32, other: u32 },
    Later { read: u32, seen: u32, other: u32 },
}

/// The lemma, with reads numbered from 1 as in the formula. `None`: it does not hold.
pub(super) fn justify(ground: &Ground, clause: &[Lit]) -> Option<Lemma> {
    let clause: Vec<i32> = clause.iter().map(|l| l.to_dimacs()).collect();
    if let Some((a, b)) = ground.contradiction() {
        let mut cycle = vec![a, b];
        ground.walk(&mut cycle, a)?;
        return Some(Lemma { clause, derivation: Vec::new(), cycle });
    }
    let mut search = Search {
        ground,
        assumed: clause.iter().map(|l| -l).collect(),
        links: Vec::new(),
        edges: Vec::new(),
        known: FxHashSet::default(),
    };
    search.close()?;
    let (derivation, cycle) = search.shown()?;
    Some(Lemma { clause, derivation, cycle })
}

struct Search<'a> {
    ground: &'a Ground,
    assumed: FxHashSet<i32>,
    /// Reads, and the candidate that each sees.
    links: Vec<(u32, u32)>,
    edges: Vec<Edge>,
    known: FxHashSet<(NodeNumber, NodeNumber)>,
}

/// The last edge closes a cycle.
struct Closed;

impl Search<'_> {
    /// Derives edges until the last one closes a cycle. `None`: there is no cycle.
    fn close(&mut self) -> Option<()> {
        if self.start().is_err() {
            return Some(());
        }
        loop {
            let before = self.edges.len();
            for i in 0..self.links.len() {
                if self.follow(self.links[i]).is_err() {
                    return Some(());
                }
            }
            if self.edges.len() == before {
                return None;
            }
        }
    }

    /// The edges that the assumed literals stand for.
    fn start(&mut self) -> Result<(), Closed> {
        let mut assumed: Vec<i32> = self.assumed.iter().copied().collect();
        assumed.sort_unstable();
        for literal in assumed {
            if let Some(&(from, to)) = self.ground.orders.get(&literal) {
                self.add(from, to, Justification::Ordered { literal }, Vec::new())?;
            }
            for &(read, seen) in self.ground.seen.get(&literal).into_iter().flatten() {
                let row = &self.ground.rows[read as usize];
                let write = row.candidates[seen as usize].write;
                self.links.push((read, seen));
                self.add(write, row.node, Justification::Sees { read, seen }, Vec::new())?;
            }
        }
        Ok(())
    }

    /// The read sees this write: other writes are before that write or after the read. Of those in one thread, the last
    /// before the read and the first after the write imply the rest.
    fn follow(&mut self, (read, seen): (u32, u32)) -> Result<(), Closed> {
        let ground = self.ground;
        let row = &ground.rows[read as usize];
        let (node, write) = (row.node, row.candidates[seen as usize].write);
        let (past, future) = (self.past(node), self.future(write));
        // By thread, the write that implies the rest: its index and which candidate it is.
        let mut earlier: BTreeMap<usize, (u32, u32)> = BTreeMap::new();
        let mut later: BTreeMap<usize, (u32, u32)> = BTreeMap::new();
        for (i, other) in (0..).zip(&row.candidates) {
            let is_active = other.active.is_none_or(|a| self.assumed.contains(&a));
            if !is_active || other.write == write || other.write == node {
                continue;
            }
            let (thread, at) = ground.place(other.write);
            if at < past[thread] && earlier.get(&thread).is_none_or(|e| e.0 < at) {
                earlier.insert(thread, (at, i));
            }
            if at >= future[thread] && later.get(&thread).is_none_or(|l| l.0 > at) {
                later.insert(thread, (at, i));
            }
        }
        for (_, other) in earlier.into_values() {
            let o = row.candidates[other as usize].write;
            self.derive((o, write), (o, node), Justification::Earlier { read, seen, other })?;
        }
        for (_, other) in later.into_values() {
            let o = row.candidates[other as usize].write;
            self.derive((node, o), (write, o), Justification::Later { read, seen, other })?;
        }
        Ok(())
    }

    /// Adds an edge that follows from a path, unless the order is known.
    fn derive(
        &mut self,
        (from, to): (NodeNumber, NodeNumber),
        rests_on: (NodeNumber, NodeNumber),
        why: Justification,
    ) -> Result<(), Closed> {
        if self.is_before(from, to) {
            return Ok(());
        }
        let path = self.path(rests_on.0, rests_on.1, self.edges.len()).unwrap_or_default();
        self.add(from, to, why, path)
    }

    fn add(
        &mut self,
        from: NodeNumber,
        to: NodeNumber,
        why: Justification,
        path: Vec<usize>,
    ) -> Result<(), Closed> {
        if !self.known.insert((from, to)) {
            return Ok(());
        }
        let closes = self.is_before(to, from);
        self.edges.push(Edge { from, to, why, path });
        if closes { Err(Closed) } else { Ok(()) }
    }

    fn is_before(&self, a: NodeNumber, b: NodeNumber) -> bool {
        let (thread, at) = self.ground.place(a);
        self.past(b)[thread] > at
    }

    /// By thread: how many nodes are at or before this one, by the edges so far.
    fn past(&self, node: NodeNumber) -> Vec<u32> {
        let mut past = self.ground.past(node).to_vec();
        let mut used = vec![false; self.edges.len()];
        while let Some(i) = (0..used.len()).find(|&i| {
            let (thread, at) = self.ground.place(self.edges[i].to);
            !used[i] && at < past[thread]
        }) {
            used[i] = true;
            let more = self.ground.past(self.edges[i].from);
            past.iter_mut().zip(more).for_each(|(p, &m)| *p = (*p).max(m));
        }
        past
    }

    /// By thread: the index of the first node at or after this one, by the edges so far.
    fn future(&self, node: NodeNumber) -> Vec<u32> {
        let mut future = self.ground.future(node).to_vec();
        let mut used = vec![false; self.edges.len()];
        while let Some(i) = (0..used.len()).find(|&i| {
            let (thread, at) = self.ground.place(self.edges[i].from);
            !used[i] && at >= future[thread]
        }) {
            used[i] = true;
            let more = self.ground.future(self.edges[i].to);
            future.iter_mut().zip(more).for_each(|(f, &m)| *f = (*f).min(m));
        }
        future
    }

    /// The fewest of the first `count` edges that lead from `a` to `b`.
    fn path(&self, a: NodeNumber, b: NodeNumber, count: usize) -> Option<Vec<usize>> {
        if self.ground.reaches(a, b) {
            return Some(Vec::new());
        }
        let mut came_from: Vec<Option<Option<usize>>> = vec![None; count];
        let mut todo: VecDeque<Option<usize>> = [None].into();
        while let Some(at) = todo.pop_front() {
            let node = at.map_or(a, |i| self.edges[i].to);
            for (i, edge) in self.edges[..count].iter().enumerate() {
                if came_from[i].is_some() || !self.ground.reaches(node, edge.from) {
                    continue;
                }
                came_from[i] = Some(at);
                if self.ground.reaches(edge.to, b) {
                    let mut path = vec![i];
                    while let Some(Some(Some(before))) = path.last().map(|&i| came_from[i]) {
                        path.push(before);
                    }
                    path.reverse();
                    return Some(path);
                }
                todo.push_back(Some(i));
            }
        }
        None
    }

    /// Appends the nodes of the path that goes over these edges to `to`.
    fn append(&self, nodes: &mut Vec<NodeNumber>, path: &[usize], to: NodeNumber) -> Option<()> {
        for &i in path {
            self.ground.walk(nodes, self.edges[i].from)?;
            nodes.push(self.edges[i].to);
        }
        self.ground.walk(nodes, to)
    }

    /// The cycle that the last edge closes, and the edges it depends on.
    fn shown(&self) -> Option<(Vec<Derivation>, Vec<NodeNumber>)> {
        let last = self.edges.len().checked_sub(1)?;
        let Edge { from, to, .. } = self.edges[last];
        let mut over = self.path(to, from, last)?;
        let mut cycle = vec![from, to];
        self.append(&mut cycle, &over, from)?;
        over.push(last);
        let needed = self.needed(&over);
        let derivation = (0..=last).filter(|i| needed[*i]).map(|i| self.derivation(i));
        Some((derivation.collect::<Option<_>>()?, cycle))
    }

    /// Which edges these depend on, including themselves.
    fn needed(&self, of: &[usize]) -> Vec<bool> {
        let mut needed = vec![false; self.edges.len()];
        of.iter().for_each(|&i| needed[i] = true);
        for i in (0..needed.len()).rev() {
            if needed[i] {
                self.edges[i].path.iter().for_each(|&p| needed[p] = true);
            }
        }
        needed
    }

    fn derivation(&self, edge: usize) -> Option<Derivation> {
        let Edge { from, to, why, path } = &self.edges[edge];
        let nodes = |a: NodeNumber, b: NodeNumber| {
            let mut nodes = vec![a];
            self.append(&mut nodes, path, b)?;
            Some(nodes)
        };
        let row = |read: u32| &self.ground.rows[read as usize];
        Some(match *why {
            Justification::Sees { read, seen } => Derivation::Sees { read: read + 1, seen: seen + 1 },
            Justification::Ordered { literal } => Derivation::Ordered { literal },
            Justification::Earlier { read, seen, other } => {
                let path = nodes(*from, row(read).node)?;
                Derivation::Earlier { read: read + 1, seen: seen + 1, other: other + 1, path }
            }
            Justification::Later { read, seen, other } => {
                let path = nodes(row(read).candidates[seen as usize].write, *to)?;
                Derivation::Later { read: read + 1, seen: seen + 1, other: other + 1, path }
            }
        })
    }
}
