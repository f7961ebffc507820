//! What is before a node in every execution that it takes part in.
//!
//! The nodes of a thread are a chain, so the past of a node is a vector clock: for each thread, how many of its nodes.
//! It contains program order, the creation of threads, and what reads force: a read that takes part is after the write
//! that it sees, so what is in the past of all writes it can see is in its past too. A later node of the same thread is
//! after it as well, if its guard implies that the read took part. This is how a join, which is a read of "has ended",
//! becomes order. That the write took part is then known too, by its guard.

use crate::guards::Guards;
use tp_events::{NodeId, Query, ThreadId};
use tp_terms::Term;

/// What the past has of one thread.
#[derive(Copy, Clone, Default, PartialEq, Eq)]
pub(crate) struct PastEntry {
    /// How many nodes of the thread are in the past.
    pub before: u32,
    /// The guard of one of these nodes, which is known to have taken part.
    pub sure: Option<Term>,
}

pub(crate) type Clock = Vec<PastEntry>;

/// A lower bound that a read forces on the clocks of its node and later ones.
struct Floor {
    index: u32,
    guard: Term,
    clock: Clock,
}

pub(crate) struct Past {
    /// By node: its thread, and how many nodes of the thread are before it.
    positions: Vec<(ThreadId, u32)>,
    pub chains: Vec<Vec<NodeId>>,
    /// Threads, each after the one that created it.
    order: Vec<ThreadId>,
    /// By thread: what was before its creation, by program order and creation alone.
    created_after: Vec<Clock>,
    /// By node and thread, including what reads force.
    clocks: Vec<PastEntry>,
    floors: Vec<Vec<Floor>>,
}

impl Past {
    pub fn new(query: &Query<'_>) -> Past {
        let mut chains = vec![Vec::new(); query.threads().len()];
        let positions = query
            .nodes()
            .iter()
            .map(|(id, node)| {
                let chain: &mut Vec<NodeId> = &mut chains[node.thread.as_u32() as usize];
                chain.push(id);
                (node.thread, chain.len() as u32 - 1)
            })
            .collect();
        let mut past = Past {
            positions,
            chains,
            order: parents_first(query),
            created_after: vec![vec![PastEntry::default(); query.threads().len()]; query.threads().len()],
            clocks: Vec::new(),
            floors: query.threads().map(|_| Vec::new()).collect(),
        };
        for thread in past.order.clone() {
            if let Some(parent) = query.parent(thread) {
                let (creator, index) = past.position(parent);
                let mut clock = past.created_after[slot(creator)].clone();
                let sure = Some(query.nodes()[parent].guard);
                clock[slot(creator)] = PastEntry { before: index + 1, sure };
                past.created_after[slot(thread)] = clock;
            }
        }
        past
    }

    pub fn position(&self, node: NodeId) -> (ThreadId, u32) {
        self.positions[node.as_u32() as usize]
    }

    fn threads(&self) -> usize {
        self.chains.len()
    }

    /// What is before this node.
    pub fn clock(&self, node: NodeId) -> &[PastEntry] {
        let start = node.as_u32() as usize * self.threads();
        &self.clocks[start..start + self.threads()]
    }

    /// `a` is before `b` in every execution that `b` takes part in.
    pub fn is_before(&self, a: NodeId, b: NodeId) -> bool {
        let (thread, index) = self.position(a);
        self.clock(b)[slot(thread)].before > index
    }

    /// Whether this clock has something that is not known to be before the node.
    pub fn is_more(&self, node: NodeId, clock: &[PastEntry]) -> bool {
        clock.iter().zip(self.clock(node)).any(|(new, old)| new.before > old.before)
    }

    /// Whenever `guard` holds, a read on `node` has all of `clock` in its past. `false`: that was known.
    pub fn add(&mut self, node: NodeId, guard: Term, clock: Clock) -> bool {
        let known = self.clock(node);
        if clock.iter().zip(known).all(|(new, old)| !new.adds_to(old)) {
            return false;
        }
        let (thread, index) = self.position(node);
        let floors = &mut self.floors[slot(thread)];
        match floors.iter_mut().find(|f| f.index == index && f.guard == guard) {
            Some(floor) => {
                let new = clock.iter().zip(&floor.clock).any(|(new, old)| new.adds_to(old));
                raise(&mut floor.clock, &clock);
                new
            }
            None => {
                floors.push(Floor { index, guard, clock });
                true
            }
        }
    }

    /// Recomputes all clocks.
    pub fn update(&mut self, query: &Query<'_>, guards: &mut Guards) {
        let threads = self.threads();
        self.clocks.resize(self.positions.len() * threads, PastEntry::default());
        for i in 0..self.order.len() {
            let thread = self.order[i];
            let mut start = self.created_after[slot(thread)].clone();
            if let Some(parent) = query.parent(thread) {
                raise(&mut start, self.clock(parent));
            }
            for (index, &node) in self.chains[slot(thread)].iter().enumerate() {
                let mut clock = start.clone();
                let guard = query.nodes()[node].guard;
                for floor in self.floors[slot(thread)].iter().filter(|f| f.index as usize <= index) {
                    if guards.implies(&query.terms, guard, floor.guard) {
                        raise(&mut clock, &floor.clock);
                    }
                }
                clock[slot(thread)] = PastEntry { before: index as u32, sure: Some(guard) };
                let at = node.as_u32() as usize * threads;
                self.clocks[at..at + threads].copy_from_slice(&clock);
            }
        }
    }
}

pub(crate) fn slot(thread: ThreadId) -> usize {
    thread.as_u32() as usize
}

impl PastEntry {
    fn adds_to(self, known: &PastEntry) -> bool {
        self.before > known.before || (self.sure.is_some() && known.sure.is_none())
    }
}

fn raise(clock: &mut Clock, by: &[PastEntry]) {
    for (known, new) in clock.iter_mut().zip(by) {
        // The guard of a later node implies more.
        if known.sure.is_none() || (new.sure.is_some() && new.before > known.before) {
            known.sure = new.sure;
        }
        known.before = known.before.max(new.before);
    }
}

/// Threads, parents first. A cycle of creators is left out: its threads are never created.
fn parents_first(query: &Query<'_>) -> Vec<ThreadId> {
    let mut order = Vec::new();
    let mut is_in = vec![false; query.threads().len()];
    loop {
        let before = order.len();
        for id in query.threads() {
            let ready = query.parent(id).is_none_or(|p| is_in[slot(query.nodes()[p].thread)]);
            if ready && !is_in[slot(id)] {
                is_in[slot(id)] = true;
                order.push(id);
            }
        }
        if order.len() == before {
            return order;
        }
    }
}
