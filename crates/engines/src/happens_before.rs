//! C11's happens-before, as something that passes from hand to hand in an execution.
//!
//! Some accesses are picked. Their threads know of them from then on, and so do the threads that they start. What an atomic
//! write publishes lies beside the value that it writes, in one bit more of the same cell: whether whoever acquires the
//! value learns of a picked access. So no more has to be said about order: a read has the bit of the write it sees, and a
//! thread knows of a picked access if and only if that happens before where it stands.
//!
//! What is published, as in the machine (`race` there):
//! - a write that releases: what its thread knows;
//! - a relaxed write: what its thread knew at its last release fence;
//! - a read-modify-write besides: what the value published that it replaces, as it continues its release sequences;
//! - a thread's relaxed write besides: what the thread itself had published, if only it and read-modify-writes have written
//!   since. For that the cell has a further bit for each such thread;
//! - an ordinary write: nothing.
//!
//! An atomic step acquires what it reads and releases what it writes. Where something is not an event (nobody else can tell)
//! or is left out here (what sections of the user's have read happens before what is written there), threads know less than
//! they do. Then two accesses seem to race that do not, and the machine does not confirm it; never the other way round.

use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use tp_events::{CellId, NodeId, PendingAccess, Query, Read, ThreadId};
use tp_ir::{MemoryOrder, Width};
use tp_terms::Term;

/// Who knows of a picked access, and where.
pub(crate) struct AccessKnowledge {
    /// By thread: what it knows at its start, and after each of its nodes.
    after: Vec<(Term, BTreeMap<NodeId, Term>)>,
}

impl AccessKnowledge {
    /// Lets the news of picked accesses spread: `picked` says when each of them is one.
    pub fn spread(query: &mut Query<'_>, picked: &[(PendingAccess, Term)]) -> AccessKnowledge {
        let news = News::new(query, picked);
        let mut knowledge = AccessKnowledge { after: Vec::new() };
        // A thread is after the one that started it.
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

    /// Whether it does in this node, an atomic step: what that learns happens before all that it does.
    pub fn at(&self, thread: ThreadId, node: NodeId) -> Term {
        let (start, nodes) = &self.after[thread.as_u32() as usize];
        nodes.range(..=node).next_back().map_or(*start, |(_, known)| *known)
    }
}

/// What a thread has of the news.
#[derive(Copy, Clone)]
struct Hand {
    known: Term,
    /// What it knew at its last release fence.
    released: Term,
    /// What its relaxed reads have found, for the next acquire fence.
    found: Term,
}

/// Where news can come from, by node.
struct News {
    nodes: Vec<Vec<NodeId>>,
    picked: FxHashMap<NodeId, Vec<(ThreadId, Term)>>,
    fences: FxHashMap<NodeId, MemoryOrder>,
    /// The cells that have bits, each with the threads that have one of their own.
    cells: FxHashMap<CellId, Vec<ThreadId>>,
    reads: FxHashMap<NodeId, Vec<Seen>>,
    /// Writes of such cells.
    writes: FxHashMap<NodeId, Vec<usize>>,
    failing: FxHashMap<usize, MemoryOrder>,
}

/// A read of a cell that has bits, by its place in `reads`.
struct Seen {
    read: usize,
    /// The bit of what it sees, if it takes part.
    learnt: Term,
    /// Those of the threads that have one of their own.
    own: Vec<Term>,
}

impl News {
    /// Gives a bit more to the cells through which threads synchronise.
    fn new(query: &mut Query<'_>, picked: &[(PendingAccess, Term)]) -> News {
        let mut news = News {
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
        news.look_at_what_is_replaced(query);
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

    /// A thread that may continue what it has published has to see what it writes over.
    fn look_at_what_is_replaced(&self, query: &mut Query<'_>) {
        for i in 0..query.writes().len() {
            let write = query.writes()[i];
            let thread = query.nodes()[write.node].thread;
            let continues = !write.order.releases() && write.order.is_atomic();
            if continues && self.cells.get(&write.cell).is_some_and(|own| own.contains(&thread)) {
                query.add_read(write.node, write.cell, write.guard, query.terms.width(write.value));
            }
        }
    }

    /// Follows a thread from node to node, and puts into its writes what they publish.
    fn walk(&self, query: &mut Query<'_>, thread: ThreadId, known: Term) -> BTreeMap<NodeId, Term> {
        let never = query.terms.bool(false);
        let mut hand = Hand { known, released: never, found: never };
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

    /// What a read learns at once. A compare-exchange that fails may acquire where it does not otherwise, and vice versa.
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

    /// The bits of a write: what it publishes, and what each thread has published that may go on with it.
    fn published(&self, query: &mut Query<'_>, write: usize, (thread, hand): (ThreadId, Hand)) -> Vec<Term> {
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

fn fence(query: &mut Query<'_>, node: NodeId, order: MemoryOrder, mut hand: Hand) -> Hand {
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

/// The cells through which something can be learnt (some atomic read, and some atomic write), each with the threads whose
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
