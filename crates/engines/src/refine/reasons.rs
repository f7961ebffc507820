//! Rules 1 to 3 to a fixpoint, with the kernel reasons of every order (§4.2, §5.3).
//!
//! Threads are chains, so what comes after a node is kept by thread: "from this index on, for this reason". An order
//! with a larger reason and a later index is redundant and not kept; so is every order whose reason contains the reason
//! of a cycle, since the cycle is found anyway. What is left at the end are the core kernel reasons of all conflict
//! events. There can be very many, and the long ones rule out little: the bounds below keep the short ones. That is
//! enough, since any of them rules the candidate out.

use super::graph::{EventOrderGraph, Vertex};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use tp_solver::Lit;

/// How many reasons are kept for one order.
const MOST_REASONS: usize = 4;
/// How many literals a reason may have beyond the shortest reason of a cycle.
const MOST_LITERALS_MORE: usize = 1;
/// How many orders are derived at most, including redundant ones.
const MOST_WORK: u64 = 3_000_000;
/// After this many cycles, no more are searched for.
const MOST_CYCLES: usize = 400;

/// A sorted set of literals, with a 64-bit signature by which most subset tests fail at once.
#[derive(Clone, PartialEq, Eq)]
struct KernelReason {
    marks: u64,
    literals: Box<[Lit]>,
}

impl KernelReason {
    fn new(literals: impl IntoIterator<Item = Option<Lit>>) -> KernelReason {
        let mut literals: Vec<Lit> = literals.into_iter().flatten().collect();
        literals.sort_unstable();
        literals.dedup();
        KernelReason::of(literals)
    }

    fn of(literals: Vec<Lit>) -> KernelReason {
        let marks = literals.iter().fold(0, |m, l| m | 1 << (l.var() % 64));
        KernelReason { marks, literals: literals.into() }
    }

    fn is_within(&self, other: &KernelReason) -> bool {
        if self.marks & !other.marks != 0 || self.literals.len() > other.literals.len() {
            return false;
        }
        let mut others = other.literals.iter();
        self.literals.iter().all(|l| others.by_ref().any(|o| o == l))
    }

    fn and(&self, other: &KernelReason) -> KernelReason {
        if self.literals.is_empty() {
            return other.clone();
        }
        if other.literals.is_empty() {
            return self.clone();
        }
        let mut all = Vec::with_capacity(self.literals.len() + other.literals.len());
        let (mut a, mut b) = (self.literals.iter().peekable(), other.literals.iter().peekable());
        while let (Some(&&x), Some(&&y)) = (a.peek(), b.peek()) {
            all.push(x.min(y));
            if x <= y {
                a.next();
            }
            if y <= x {
                b.next();
            }
        }
        all.extend(a.chain(b));
        KernelReason::of(all)
    }
}

/// A node is before all nodes of a thread from an index on.
#[derive(Clone)]
struct Entry {
    from: u32,
    reason: KernelReason,
}

pub(super) enum Settled {
    /// The core kernel reasons of all conflict events.
    Cycles(Vec<Vec<Lit>>),
    /// No cycle; the reads-from edges of the candidate, and the derived ones.
    Edges(Vec<(Vertex, Vertex)>),
    /// Too much work, and no cycle was found.
    GaveUp,
}

pub(super) struct Reasons<'a> {
    graph: &'a EventOrderGraph,
    threads: usize,
    /// By vertex and thread.
    reach: Vec<Vec<Entry>>,
    /// By vertex: those that are directly before it, and why.
    before: Vec<Vec<(Vertex, KernelReason)>>,
    /// By vertex: the links whose write it is, and the links that have it among the other writes, with its literal.
    written: Vec<Vec<u32>>,
    other_of: Vec<Vec<(u32, Option<Lit>)>>,
    todo: VecDeque<(Vertex, u32, Entry)>,
    edges: Vec<(Vertex, Vertex)>,
    cycles: Vec<KernelReason>,
    /// Longer reasons are not wanted.
    longest: usize,
    work: u64,
}

impl<'a> Reasons<'a> {
    pub fn new(graph: &'a EventOrderGraph) -> Reasons<'a> {
        let (count, threads) = (graph.nodes.len(), graph.chains.len());
        let mut reasons = Reasons {
            graph,
            threads,
            reach: vec![Vec::new(); count * threads],
            before: vec![Vec::new(); count],
            written: vec![Vec::new(); count],
            other_of: vec![Vec::new(); count],
            todo: VecDeque::new(),
            edges: Vec::new(),
            cycles: Vec::new(),
            longest: usize::MAX,
            work: 0,
        };
        for (i, link) in graph.links.iter().enumerate() {
            reasons.written[link.write as usize].push(i as u32);
            for &(other, literal) in &link.others {
                reasons.other_of[other as usize].push((i as u32, literal));
            }
        }
        reasons
    }

    pub fn settle(mut self, stop: &AtomicBool) -> Settled {
        for chain in self.graph.chains.iter().rev() {
            for pair in chain.windows(2).rev() {
                self.add_edge(pair[0], pair[1], KernelReason::of(Vec::new()));
            }
        }
        for &(a, b) in &self.graph.created {
            self.add_edge(a, b, KernelReason::of(Vec::new()));
        }
        // One link at a time: all that follows from it is derived before the next one is added.
        let mut finished = true;
        for link in &self.graph.links {
            finished = self.spread(stop);
            if !finished {
                // The budget is used up: further links would only add work.
                break;
            }
            self.edges.push((link.write, link.read));
            self.add_edge(link.write, link.read, KernelReason::new([link.literal]));
        }
        finished = finished && self.spread(stop);
        if !self.cycles.is_empty() {
            let literals = self.cycles.into_iter().map(|c| c.literals.into_vec());
            return Settled::Cycles(literals.collect());
        }
        if finished { Settled::Edges(self.edges) } else { Settled::GaveUp }
    }

    /// `a` is before `b`.
    fn add_edge(&mut self, a: Vertex, b: Vertex, reason: KernelReason) {
        let (thread, from) = self.graph.places[b as usize];
        self.before[b as usize].push((a, reason.clone()));
        self.derive(a, thread, Entry { from, reason: reason.clone() });
        for thread in 0..self.threads {
            for i in 0..self.reach[b as usize * self.threads + thread].len() {
                let further = &self.reach[b as usize * self.threads + thread][i];
                let entry = Entry { from: further.from, reason: reason.and(&further.reason) };
                self.derive(a, thread as u32, entry);
            }
        }
    }

    /// Adds an order unless it is redundant.
    fn derive(&mut self, a: Vertex, thread: u32, entry: Entry) {
        self.work += 1;
        let at = a as usize * self.threads + thread as usize;
        let known = &self.reach[at];
        if known.iter().any(|k| k.from <= entry.from && k.reason.is_within(&entry.reason)) {
            return;
        }
        if self.is_hopeless(&entry.reason) {
            return;
        }
        let (own, place) = self.graph.places[a as usize];
        if own == thread && entry.from <= place {
            self.longest = self.longest.min(entry.reason.literals.len() + MOST_LITERALS_MORE);
            let longest = self.longest;
            self.cycles.retain(|c| !entry.reason.is_within(c) && c.literals.len() <= longest);
            self.cycles.push(entry.reason);
            return;
        }
        let known = &mut self.reach[at];
        known.retain(|k| !(entry.from <= k.from && entry.reason.is_within(&k.reason)));
        known.push(entry.clone());
        if known.len() <= MOST_REASONS || drop_one(known) {
            self.todo.push_back((a, thread, entry));
        }
    }

    /// No new short reason of a cycle can come of an order with this reason.
    fn is_hopeless(&self, reason: &KernelReason) -> bool {
        reason.literals.len() > self.longest || self.cycles.iter().any(|c| c.is_within(reason))
    }

    /// Applies rules 1 to 3 to a fixpoint. `false`: it became too much, or was stopped.
    fn spread(&mut self, stop: &AtomicBool) -> bool {
        while let Some((a, thread, entry)) = self.todo.pop_front() {
            if self.work > MOST_WORK || self.cycles.len() > MOST_CYCLES || stop.load(Ordering::Relaxed) {
                return false;
            }
            if self.is_hopeless(&entry.reason) {
                continue;
            }
            for i in 0..self.before[a as usize].len() {
                let (earlier, reason) = &self.before[a as usize][i];
                let (earlier, reason) = (*earlier, reason.and(&entry.reason));
                self.derive(earlier, thread, Entry { from: entry.from, reason });
            }
            self.writes_before_read(a, thread, &entry);
            self.writes_after_write(a, thread, &entry);
        }
        true
    }

    /// Rule 2: a write before the read is before the write that is read.
    fn writes_before_read(&mut self, a: Vertex, thread: u32, entry: &Entry) {
        for i in 0..self.other_of[a as usize].len() {
            let (link, literal) = self.other_of[a as usize][i];
            let link = &self.graph.links[link as usize];
            let (of, place) = self.graph.places[link.read as usize];
            if of == thread && entry.from <= place && link.read != a {
                let reason = entry.reason.and(&KernelReason::new([link.literal, literal]));
                self.conclude(a, link.write, reason);
            }
        }
    }

    /// Rule 3: a write after the write that is read is after the read.
    fn writes_after_write(&mut self, a: Vertex, thread: u32, entry: &Entry) {
        for i in 0..self.written[a as usize].len() {
            let link = &self.graph.links[self.written[a as usize][i] as usize];
            for &(other, literal) in &link.others {
                let (of, place) = self.graph.places[other as usize];
                if of == thread && entry.from <= place && link.read != other {
                    let reason = entry.reason.and(&KernelReason::new([link.literal, literal]));
                    self.conclude(link.read, other, reason);
                }
            }
        }
    }

    /// Adds a derived order, unless it is known for a reason that is as good.
    fn conclude(&mut self, a: Vertex, b: Vertex, reason: KernelReason) {
        let (thread, place) = self.graph.places[b as usize];
        let known = &self.reach[a as usize * self.threads + thread as usize];
        self.work += 1;
        if known.iter().any(|k| k.from <= place && k.reason.is_within(&reason)) || self.is_hopeless(&reason) {
            return;
        }
        self.edges.push((a, b));
        self.add_edge(a, b, reason);
    }
}

/// Drops the longest reason, but never the only one with the earliest index. `false`: the newest was dropped.
fn drop_one(known: &mut Vec<Entry>) -> bool {
    let first = known.iter().map(|k| k.from).min();
    let furthest = known.iter().filter(|k| Some(k.from) == first).count();
    let may_go = |k: &Entry| furthest > 1 || Some(k.from) != first;
    let longest = (0..known.len()).filter(|&i| may_go(&known[i]));
    let Some(i) = longest.max_by_key(|&i| (known[i].reason.literals.len(), i)) else { return true };
    known.remove(i);
    i != known.len()
}
