//! C11's happens-before, encoded as knowledge that travels with values.
//!
//! Some accesses are picked. A thread *knows of* a picked access where that access happens before what the thread does
//! next. The thread that makes the access knows of it from then on, and so do the threads that it starts. What an
//! atomic write publishes is kept beside its value, in an extra bit of the same cell: whether a thread that acquires
//! the value learns of a picked access. A read gets the bit of the write it sees, so no further constraints on the
//! order are needed.
//!
//! What a write publishes, as in the machine (`race` there):
//! - a write that releases: what its thread knows;
//! - a relaxed write: what its thread knew at its last release fence;
//! - a read-modify-write also: what the write that it replaces published, as it continues its release sequences;
//! - a relaxed write also: what its own thread had published there, if only this thread and read-modify-writes have
//!   written the cell since. For this, the cell has a further bit for each such thread;
//! - an ordinary write: nothing.
//!
//! An atomic step acquires what it reads and releases what it writes. Some of happens-before is missing here: what goes
//! through accesses that are not events (no other thread can tell), and the order from a read in an atomic section of
//! the user's to later writes of the same cell. So two accesses may seem to race that do not, and the machine does not
//! confirm the race; never the other way round.

use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use tp_events::{CellId, NodeId, PendingAccess, Query, Read, ThreadId};
use tp_ir::{MemoryOrder, Width};
use tp_terms::Term;

/// Where each thread knows of a picked access.
pub(crate) struct AccessKnowledge {
    /// By thread: what it knows at its start, and after each of its nodes.
    after: Vec<(Term, BTreeMap<NodeId, Term>)>,
}

impl AccessKnowledge {
    /// Spreads the knowledge of picked accesses; each comes with the condition under which it is picked.
    pub fn spread(query: &mut Query<'_>, picked: &[(PendingAccess, Term)]) -> AccessKnowledge {
        let news = KnowledgeSources::new(query, picked);
        let mut knowledge = AccessKnowledge { after: Vec::new() };
        // Parents come before their children.
        for thread in query.threads() {
            let never = query.terms.bool(false);
            let at_start = query.parent(thread).map_or(never, |node| {
                let (start, nodes) = &knowledge.after[query.nodes()[node].thread.as_u32() as usize];
                nodes.get(&node).copied().unwrap_or(*start)
            });
            let nodes = news.walk(query, thread, at_start);
            knowledge.after.push((at_start, nodes));
        }
        knowledge
    }

    /// Whether a thread knows of a picked access right before this node.
    pub fn before(&self, thread: ThreadId, node: NodeId) -> Term {
        let (start, nodes) = &self.after[thread.as_u32() as usize];
        nodes.range(..node).next_back().map_or(*start, |(_, known)| *known)
    }

    /// Whether it does inside this node, an atomic step: what the step learns happens before all that it does.
    pub fn at(&self, thread: ThreadId, node: NodeId) -> Term {
        let (start, nodes) = &self.after[thread.as_u32() as usize];
        nodes.range(..=node).next_back().map_or(*start, |(_, known)| *known)
    }
}

/// Whether a thread knows of a picked access.
#[derive(Copy, Clone)]
struct ThreadKnowledge {
    known: Term,
    /// What it knew at its last release fence.
    released: Term,
    /// What its relaxed reads have found, for the next acquire fence.
    found: Term,
}

/// Where knowledge comes from, by node.
struct KnowledgeSources {
    nodes: Vec<Vec<NodeId>>,
    picked: FxHashMap<NodeId, Vec<(ThreadId, Term)>>,
    fences: FxHashMap<NodeId, MemoryOrder>,
    /// The cells with extra bits, each with the threads that have a bit of their own there.
    cells: FxHashMap<CellId, Vec<ThreadId>>,
    reads: FxHashMap<NodeId, Vec<Seen>>,
    /// Writes to such cells.
    writes: FxHashMap<NodeId, Vec<usize>>,
    failing: FxHashMap<usize, MemoryOrder>,
}

/// A read of a cell with extra bits, by its index in `reads`.
struct Seen {
    read: usize,
    /// The bit of the write that it sees, if the read takes part.
    learnt: Term,
    /// The bits of the threads that have one of their own.
    own: Vec<Term>,
}

impl KnowledgeSources {
    /// Adds the extra bits to the cells through which threads synchronise.
    fn new(query: &mut Query<'_>, picked: &[(PendingAccess, Term)]) -> KnowledgeSources {
        let mut news = KnowledgeSources {
            nodes: query.nodes_by_thread(),
            picked: FxHashMap::default(),
            fences: query.graph().fences().iter().copied().collect(),
            cells: synchronising(query),
            reads: FxHashMap::default(),
            writes: FxHashMap::default(),
            failing: query.graph().failing().iter().copied().collect(),
        };
        for (touch, when) in picked {
            news.picked.entry(touch.node).or_default().push((touch.thread, *when));
        }
        let never = query.terms.bool(false);
        for (&cell, own) in &news.cells {
            for _ in 0..=own.len() {
                query.widen_cell(cell, never);
            }
        }
        news.read_replaced_writes(query);
        for read in 0..query.reads().len() {
            let Read { node, cell, guard, .. } = query.reads()[read];
            let Some(own) = news.cells.get(&cell) else { continue };
            let mut bit = || {
                let bit = query.widen_read(read);
                query.terms.and(guard, bit)
            };
            let seen = Seen { read, learnt: bit(), own: own.iter().map(|_| bit()).collect() };
            news.reads.entry(node).or_default().push(seen);
        }
        for (i, write) in query.writes().iter().enumerate().filter(|(_, w)| news.cells.contains_key(&w.cell))
        {
            news.writes.entry(write.node).or_default().push(i);
        }
        news
    }

    /// A relaxed write that may continue what its thread has published has to see the write that it replaces.
    fn read_replaced_writes(&self, query: &mut Query<'_>) {
        for i in 0..query.writes().len() {
            let write = query.writes()[i];
            let thread = query.nodes()[write.node].thread;
            let continues = !write.order.releases() && write.order.is_atomic();
            if continues && self.cells.get(&write.cell).is_some_and(|own| own.contains(&thread)) {
                query.add_read(write.node, write.cell, write.guard, query.terms.width(write.value));
            }
        }
    }

    /// Follows a thread from node to node, and adds to its writes the bits that they publish.
    fn walk(&self, query: &mut Query<'_>, thread: ThreadId, known: Term) -> BTreeMap<NodeId, Term> {
        let never = query.terms.bool(false);
        let mut hand = ThreadKnowledge { known, released: never, found: never };
        let mut after = BTreeMap::new();
        for &node in &self.nodes[thread.as_u32() as usize] {
            for &(_, when) in self.picked.get(&node).into_iter().flatten().filter(|p| p.0 == thread) {
                hand.known = query.terms.or(hand.known, when);
            }
            if let Some(&order) = self.fences.get(&node) {
                hand = fence(query, node, order, hand);
            }
            for seen in self.reads.get(&node).into_iter().flatten() {
                let acquired = self.acquired(query, seen.read, seen.learnt);
                hand.known = query.terms.or(hand.known, acquired);
                let order = query.reads()[seen.read].order;
                if order.is_atomic() && !order.is_quiet() {
                    hand.found = query.terms.or(hand.found, seen.learnt);
                }
            }
            for &i in self.writes.get(&node).into_iter().flatten() {
                for bit in self.published(query, i, (thread, hand)) {
                    query.widen_write(i, bit);
                }
            }
            after.insert(node, hand.known);
        }
        after
    }

    /// What a read acquires. A compare-exchange may acquire only when it fails, or only when it succeeds.
    fn acquired(&self, query: &mut Query<'_>, read: usize, learnt: Term) -> Term {
        let (order, never) = (query.reads()[read].order, query.terms.bool(false));
        let Read { node, cell, .. } = query.reads()[read];
        if let Some(&when) = query.graph().acquired().get(&(node, cell)) {
            return query.terms.and(learnt, when);
        }
        let by = |order: MemoryOrder| if order.acquires() { learnt } else { never };
        let Some(&failing) = self.failing.get(&read) else { return by(order) };
        let writes = self.writes.get(&node).into_iter().flatten().map(|&i| query.writes()[i]);
        let stores = writes.filter(|w| w.cell == cell).map(|w| w.guard).next().unwrap_or(never);
        query.terms.ite(stores, by(order), by(failing))
    }

    /// The bits of a write: what it publishes, and what each thread with its own bit has published and may continue.
    fn published(
        &self,
        query: &mut Query<'_>,
        write: usize,
        (thread, hand): (ThreadId, ThreadKnowledge),
    ) -> Vec<Term> {
        let never = query.terms.bool(false);
        let write = query.writes()[write];
        let threads = &self.cells[&write.cell];
        let mut bits = vec![never; threads.len() + 1];
        let now = match write.order {
            MemoryOrder::Plain => return bits,
            order if order.releases() => hand.known,
            order if order.is_quiet() => never,
            _ => hand.released,
        };
        bits[0] = now;
        let replaced = self.reads.get(&write.node).into_iter().flatten();
        for seen in replaced {
            let read = query.reads()[seen.read];
            if read.cell != write.cell {
                continue;
            }
            let is_modified =
                read.order.is_atomic() && !query.graph().overwritten().contains(&(write.node, write.cell));
            if is_modified {
                bits[0] = query.terms.or(bits[0], seen.learnt);
            }
            for (i, (&own, &of)) in seen.own.iter().zip(threads).enumerate() {
                if of == thread {
                    bits[0] = query.terms.or(bits[0], own);
                }
                if of == thread || is_modified {
                    bits[i + 1] = query.terms.or(bits[i + 1], own);
                }
            }
        }
        if let Some(i) = threads.iter().position(|of| *of == thread) {
            bits[i + 1] = query.terms.or(bits[i + 1], now);
        }
        bits
    }
}

fn fence(
    query: &mut Query<'_>,
    node: NodeId,
    order: MemoryOrder,
    mut hand: ThreadKnowledge,
) -> ThreadKnowledge {
    let here = query.nodes()[node].guard;
    if order.acquires() {
        let found = query.terms.and(here, hand.found);
        hand.known = query.terms.or(hand.known, found);
    }
    if order.releases() {
        hand.released = query.terms.ite(here, hand.known, hand.released);
    }
    hand
}

/// The cells through which knowledge can pass (by an atomic write and an atomic read), each with the threads whose
/// relaxed writes may continue what they have published themselves.
fn synchronising(query: &Query<'_>) -> FxHashMap<CellId, Vec<ThreadId>> {
    let read: FxHashSet<CellId> =
        query.reads().iter().filter(|r| r.order.is_atomic()).map(|r| r.cell).collect();
    let fenced: FxHashSet<ThreadId> =
        query.graph().fences().iter().map(|f| query.nodes()[f.0].thread).collect();
    let mut cells: FxHashMap<CellId, Vec<ThreadId>> = FxHashMap::default();
    let mut publish: FxHashMap<(CellId, ThreadId), NodeId> = FxHashMap::default();
    for write in query.writes().iter().filter(|w| w.order.is_atomic() && read.contains(&w.cell)) {
        let thread = query.nodes()[write.node].thread;
        cells.entry(write.cell).or_default();
        if write.order.releases() || fenced.contains(&thread) {
            let first = publish.entry((write.cell, thread)).or_insert(write.node);
            *first = write.node.min(*first);
        }
    }
    for write in query.writes().iter().filter(|w| w.order.is_atomic() && !w.order.releases()) {
        let thread = query.nodes()[write.node].thread;
        if publish.get(&(write.cell, thread)).is_some_and(|first| *first < write.node)
            && let Some(own) = cells.get_mut(&write.cell)
            && !own.contains(&thread)
        {
            own.push(thread);
        }
    }
    cells.retain(|cell, own| {
        let width = query.terms.width(query.cells()[*cell].first).bits();
        Width::new(width + 1 + own.len() as u32).is_some()
    });
    cells
}
