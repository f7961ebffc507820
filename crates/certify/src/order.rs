//! Threads, reads and writes, and whether a lemma about their order holds.

use crate::literals::Literal;
use crate::rejected::Why;
use std::collections::{HashMap, HashSet};

/// The thread of a node, and its index there.
#[derive(Copy, Clone)]
struct Place {
    thread: u32,
    index: u32,
}

/// A write that a read may see, or that may overwrite what it sees.
pub(crate) struct Candidate {
    pub write: u32,
    /// The literal that the read sees it, and its number in the file. `None`: never.
    pub reads_from: Option<(Literal, i32)>,
    /// The literal that the write happens, and its number in the file. `None`: always.
    pub active: Option<(Literal, i32)>,
}

struct Read {
    node: u32,
    candidates: Vec<Candidate>,
}

/// What is true of the order of nodes in every execution.
#[derive(Default)]
pub(crate) struct Structure {
    places: HashMap<u32, Place>,
    threads: u32,
    before: HashSet<(u32, u32)>,
    reads: Vec<Read>,
    /// By literal: the first node is before the second when it is true.
    orders: HashMap<Literal, (u32, u32)>,
}

impl Structure {
    pub fn nodes(&self) -> u64 {
        self.places.len() as u64
    }

    pub fn threads(&self) -> u64 {
        self.threads.into()
    }

    pub fn reads(&self) -> u64 {
        self.reads.len() as u64
    }

    pub fn orders(&self) -> u64 {
        self.orders.len() as u64 / 2
    }

    /// A thread with these nodes, in program order.
    pub fn add_thread(&mut self, nodes: &[u32]) -> Result<(), Why> {
        for (index, &node) in (0..).zip(nodes) {
            let place = Place { thread: self.threads, index };
            if self.places.insert(node, place).is_some() {
                return Err(Why::NodeTwice(node));
            }
        }
        self.threads += 1;
        Ok(())
    }

    pub fn add_before(&mut self, a: u32, b: u32) -> Result<(), Why> {
        self.known(a)?;
        self.known(b)?;
        self.before.insert((a, b));
        Ok(())
    }

    pub fn add_read(&mut self, node: u32) -> Result<(), Why> {
        self.known(node)?;
        self.reads.push(Read { node, candidates: Vec::new() });
        Ok(())
    }

    /// A candidate of the last read.
    pub fn add_candidate(&mut self, candidate: Candidate) -> Result<(), Why> {
        self.known(candidate.write)?;
        let read = self.reads.last_mut().ok_or(Why::NoRead(1))?;
        read.candidates.push(candidate);
        Ok(())
    }

    /// A literal for the order of two nodes. Its variable must be fresh, which the caller checks.
    pub fn add_order(&mut self, literal: Literal, a: u32, b: u32) -> Result<(), Why> {
        self.known(a)?;
        self.known(b)?;
        if a == b {
            return Err(Why::NotTwoNodes(a));
        }
        self.orders.insert(literal, (a, b));
        self.orders.insert(!literal, (b, a));
        Ok(())
    }

    fn known(&self, node: u32) -> Result<Place, Why> {
        self.places.get(&node).copied().ok_or(Why::NoNode(node))
    }

    fn candidate(&self, read: u64, candidate: u64) -> Result<(u32, &Candidate), Why> {
        let row = at(&self.reads, read).ok_or(Why::NoRead(read))?;
        let found = at(&row.candidates, candidate).ok_or(Why::NoCandidate { read, candidate })?;
        if found.write == row.node {
            return Err(Why::OnTheSameNode { read, candidate });
        }
        Ok((row.node, found))
    }

    /// Whether `a` is before `b` in every execution, by program order or a `before` line.
    fn is_fixed(&self, a: u32, b: u32) -> Result<bool, Why> {
        let (at_a, at_b) = (self.known(a)?, self.known(b)?);
        Ok(at_a.thread == at_b.thread && at_a.index < at_b.index || self.before.contains(&(a, b)))
    }
}

/// The element with this number, from 1.
fn at<T>(all: &[T], number: u64) -> Option<&T> {
    all.get(usize::try_from(number).ok()?.checked_sub(1)?)
}

/// A lemma that is being proved: what follows if all literals of its clause are false.
pub(crate) struct Lemma {
    pub number: u64,
    pub clause: Vec<Literal>,
    assumed: HashSet<Literal>,
    edges: HashSet<(u32, u32)>,
}

impl Lemma {
    pub fn new(number: u64, clause: Vec<Literal>) -> Lemma {
        let assumed = clause.iter().map(|&l| !l).collect();
        Lemma { number, clause, assumed, edges: HashSet::new() }
    }

    fn holds(&self, (literal, number): (Literal, i32)) -> Result<(), Why> {
        if self.assumed.contains(&literal) { Ok(()) } else { Err(Why::NotAssumed(number)) }
    }

    /// The node of a read, and the candidate, if the lemma assumes that the read sees it.
    fn seen<'a>(&self, s: &'a Structure, read: u64, seen: u64) -> Result<(u32, &'a Candidate), Why> {
        let (node, candidate) = s.candidate(read, seen)?;
        self.holds(candidate.reads_from.ok_or(Why::NeverSeen { read, candidate: seen })?)?;
        Ok((node, candidate))
    }

    /// The read sees this candidate: the write is before the read.
    pub fn sees(&mut self, s: &Structure, read: u64, seen: u64) -> Result<(), Why> {
        let (node, candidate) = self.seen(s, read, seen)?;
        self.edges.insert((candidate.write, node));
        Ok(())
    }

    /// An order literal: its nodes are in this order.
    pub fn ordered(&mut self, s: &Structure, literal: Literal, number: i32) -> Result<(), Why> {
        self.holds((literal, number))?;
        self.edges.insert(*s.orders.get(&literal).ok_or(Why::NoOrder(number))?);
        Ok(())
    }

    /// The nodes of a read, of the write that it sees, and of another write that happens.
    fn other(&self, s: &Structure, read: u64, seen: u64, other: u64) -> Result<(u32, u32, u32), Why> {
        let (node, seen) = self.seen(s, read, seen)?;
        let (_, other) = s.candidate(read, other)?;
        if other.write == seen.write {
            return Err(Why::SameWrite(other.write));
        }
        other.active.map_or(Ok(()), |active| self.holds(active))?;
        Ok((node, seen.write, other.write))
    }

    /// The path shows that the other write is before the read: then it is before the write that is seen.
    pub fn earlier(
        &mut self,
        s: &Structure,
        read: u64,
        seen: u64,
        other: u64,
        path: &[u32],
    ) -> Result<(), Why> {
        let (read, seen, other) = self.other(s, read, seen, other)?;
        self.leads(s, path, other, read)?;
        self.edges.insert((other, seen));
        Ok(())
    }

    /// The path shows that the other write is after the write that is seen: then it is after the read.
    pub fn later(
        &mut self,
        s: &Structure,
        read: u64,
        seen: u64,
        other: u64,
        path: &[u32],
    ) -> Result<(), Why> {
        let (read, seen, other) = self.other(s, read, seen, other)?;
        self.leads(s, path, seen, other)?;
        self.edges.insert((read, other));
        Ok(())
    }

    /// The path is a cycle, which is impossible.
    pub fn cycle(&self, s: &Structure, path: &[u32]) -> Result<(), Why> {
        let [first, .., last] = *path else { return Err(Why::Missing("a cycle")) };
        if first != last {
            return Err(Why::NotClosed { first, last });
        }
        self.walk(s, path)
    }

    fn leads(&self, s: &Structure, path: &[u32], from: u32, to: u32) -> Result<(), Why> {
        let [first, .., last] = *path else { return Err(Why::Missing("a path")) };
        if first != from {
            return Err(Why::PathFrom { found: first, expected: from });
        }
        if last != to {
            return Err(Why::PathTo { found: last, expected: to });
        }
        self.walk(s, path)
    }

    /// Checks that each node of a path is before the next: in every execution, or as this lemma has derived.
    fn walk(&self, s: &Structure, path: &[u32]) -> Result<(), Why> {
        for pair in path.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            if !s.is_fixed(a, b)? && !self.edges.contains(&(a, b)) {
                return Err(Why::NotBefore(a, b));
            }
        }
        Ok(())
    }
}
