//! The rules of the order theory on top of the graph.

use super::graph::{Graph, Mark, Node, Thread, Why};
use crate::Lit;

/// A write that a read may see.
#[derive(Copy, Clone, Debug)]
pub struct Candidate {
    pub write: Node,
    /// The read sees this write.
    pub reads_from: Lit,
    /// The write happens, and to the place that is read. `None`: always.
    pub active: Option<Lit>,
}

/// A read: its step, and every write that could be seen or could come in between. Writes that are after the read in
/// every execution, or that are always overwritten before it, may be left out. A write on the step of the read itself
/// comes after the read.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Read(u32);

struct ReadRow {
    node: Node,
    candidates: Vec<Candidate>,
}

/// What a literal means to the theory.
#[derive(Copy, Clone)]
enum Meaning {
    ReadsFrom(Read, u32),
    Active(Read),
}

/// Two steps whose order is a literal.
struct Pair {
    literal: Lit,
    first: Node,
    second: Node,
    /// Its edge is in the graph.
    placed: bool,
}

/// A literal that follows, with the true literals that it follows from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Implied {
    pub literal: Lit,
    pub because: Vec<Lit>,
}

/// What a complete assignment comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// All steps in an order in which every read sees its write.
    Order(Vec<Node>),
    /// These literals cannot all be true.
    Conflict(Vec<Lit>),
    /// An order literal was put to use; what follows from it has to be propagated.
    Undecided,
    /// An order literal is wanted and none is left.
    NeedsLiteral,
}

struct Level {
    mark: Mark,
    assigned: usize,
    looked_at: usize,
    placed: usize,
    /// Something below was not propagated yet when the level began.
    unfinished: bool,
}

#[derive(Default)]
pub struct OrderTheory {
    graph: Graph,
    reads: Vec<ReadRow>,
    /// For each step: the reads that are on it or have a candidate on it.
    interested: Vec<Vec<Read>>,
    /// By the code of a literal: what it means, and whether it is true.
    meanings: Vec<Vec<Meaning>>,
    is_true: Vec<bool>,
    assigned: Vec<Lit>,
    /// How many of `assigned` have been looked at.
    looked_at: usize,
    levels: Vec<Level>,
    dirty: Vec<Read>,
    is_dirty: Vec<bool>,
    spare: Vec<Lit>,
    pairs: Vec<Pair>,
    /// Pairs in the order they were placed.
    placed: Vec<u32>,
    /// The program itself is impossible.
    broken: bool,
    stale: bool,
}

/// A literal as an index.
fn code(literal: Lit) -> usize {
    2 * literal.var() + usize::from(literal.is_negative())
}

impl OrderTheory {
    pub fn new() -> OrderTheory {
        OrderTheory::default()
    }

    // ── the program ────────────────────────────────────────────────────────────────────────────────────────────

    pub fn add_thread(&mut self) -> Thread {
        self.stale = true;
        self.graph.add_thread()
    }

    /// The next step of a thread.
    pub fn add_node(&mut self, thread: Thread) -> Node {
        self.stale = true;
        self.interested.push(Vec::new());
        self.graph.add_node(thread)
    }

    /// `from` is before `to` in every execution.
    pub fn add_order(&mut self, from: Node, to: Node) {
        self.stale = true;
        self.graph.add_fixed(from, to);
    }

    pub fn add_read(&mut self, node: Node, candidates: Vec<Candidate>) -> Read {
        self.stale = true;
        let read = Read(self.reads.len() as u32);
        for (i, candidate) in candidates.iter().enumerate() {
            self.mean(candidate.reads_from, Meaning::ReadsFrom(read, i as u32));
            if let Some(active) = candidate.active {
                self.mean(active, Meaning::Active(read));
            }
            self.interest(candidate.write, read);
        }
        self.interest(node, read);
        self.reads.push(ReadRow { node, candidates });
        self.is_dirty.push(false);
        read
    }

    /// A literal that nothing else uses, for the order of two steps if that is ever wanted.
    pub fn add_spare_literal(&mut self, literal: Lit) {
        self.spare.push(literal);
    }

    fn mean(&mut self, literal: Lit, meaning: Meaning) {
        self.know(literal);
        self.meanings[code(literal)].push(meaning);
    }

    /// Makes room for a literal.
    fn know(&mut self, literal: Lit) {
        let room = 2 * literal.var() + 2;
        if self.is_true.len() < room {
            self.is_true.resize(room, false);
            self.meanings.resize_with(room, Vec::new);
        }
    }

    fn interest(&mut self, node: Node, read: Read) {
        let reads = &mut self.interested[node.index()];
        if reads.last() != Some(&read) {
            reads.push(read);
        }
    }

    // ── the search ─────────────────────────────────────────────────────────────────────────────────────────────

    /// A literal has become true.
    pub fn assign(&mut self, literal: Lit) {
        self.know(literal);
        self.is_true[code(literal)] = true;
        self.assigned.push(literal);
    }

    pub fn new_level(&mut self) {
        self.levels.push(Level {
            mark: self.graph.mark(),
            assigned: self.assigned.len(),
            looked_at: self.looked_at,
            placed: self.placed.len(),
            unfinished: self.looked_at < self.assigned.len() || !self.dirty.is_empty(),
        });
    }

    /// Forgets what was assigned above a level; 0 is the lowest.
    pub fn backtrack(&mut self, level: usize) {
        if level >= self.levels.len() {
            return;
        }
        let to = self.levels.swap_remove(level);
        self.levels.truncate(level);
        self.graph.undo_to(to.mark);
        for literal in self.assigned.drain(to.assigned..) {
            self.is_true[code(literal)] = false;
        }
        self.looked_at = to.looked_at;
        for pair in self.placed.drain(to.placed..) {
            self.pairs[pair as usize].placed = false;
        }
        if to.unfinished {
            (0..self.reads.len() as u32).for_each(|read| self.mark_dirty(Read(read)));
        }
    }

    /// Whether the literal was assigned and not taken back.
    pub fn is_true(&self, literal: Lit) -> bool {
        self.holds(Some(literal))
    }

    fn holds(&self, condition: Option<Lit>) -> bool {
        condition.is_none_or(|l| self.is_true.get(code(l)).copied().unwrap_or(false))
    }

    /// Everything that follows from what is assigned, or the literals that cannot all be true.
    pub fn propagate(&mut self) -> Result<Vec<Implied>, Vec<Lit>> {
        self.prepare()?;
        self.place_pairs()?;
        while self.looked_at < self.assigned.len() {
            let literal = self.assigned[self.looked_at];
            self.look_at(literal)?;
            self.looked_at += 1;
        }
        let mut implied = Vec::new();
        loop {
            for node in self.graph.take_changed() {
                for i in 0..self.interested[node.index()].len() {
                    let read = self.interested[node.index()][i];
                    self.mark_dirty(read);
                }
            }
            let Some(read) = self.dirty.pop() else { return Ok(implied) };
            self.is_dirty[read.0 as usize] = false;
            if let Err(conflict) = self.apply_rules(read, &mut implied) {
                // What was not finished is looked at again after the conflict is resolved.
                self.mark_dirty(read);
                return Err(conflict);
            }
        }
    }

    /// Takes over what was added to the program. Only the lowest level may hold assignments then.
    fn prepare(&mut self) -> Result<(), Vec<Lit>> {
        if self.stale {
            self.stale = false;
            self.broken = !self.graph.reset();
            self.looked_at = 0;
            self.placed.clear();
            self.pairs.iter_mut().for_each(|p| p.placed = false);
            for read in 0..self.reads.len() as u32 {
                self.mark_dirty(Read(read));
            }
        }
        if self.broken { Err(Vec::new()) } else { Ok(()) }
    }

    fn mark_dirty(&mut self, read: Read) {
        if !std::mem::replace(&mut self.is_dirty[read.0 as usize], true) {
            self.dirty.push(read);
        }
    }

    fn look_at(&mut self, literal: Lit) -> Result<(), Vec<Lit>> {
        for i in 0..self.meanings[code(literal)].len() {
            match self.meanings[code(literal)][i] {
                Meaning::ReadsFrom(read, candidate) => {
                    self.mark_dirty(read);
                    let row = &self.reads[read.0 as usize];
                    let write = row.candidates[candidate as usize].write;
                    let why = Why { conditions: [Some(literal), None], path: None };
                    if write != row.node {
                        self.graph.add(write, row.node, why)?;
                    }
                }
                Meaning::Active(read) => self.mark_dirty(read),
            }
        }
        Ok(())
    }

    /// The edges of order literals that are assigned: an order literal may be put to use long after that.
    fn place_pairs(&mut self) -> Result<(), Vec<Lit>> {
        for i in 0..self.pairs.len() {
            let Pair { literal, first, second, placed } = self.pairs[i];
            if placed {
                continue;
            }
            let (condition, from, to) = if self.holds(Some(literal)) {
                (literal, first, second)
            } else if self.holds(Some(!literal)) {
                (!literal, second, first)
            } else {
                continue;
            };
            self.graph.add(from, to, Why { conditions: [Some(condition), None], path: None })?;
            self.pairs[i].placed = true;
            self.placed.push(i as u32);
        }
        Ok(())
    }

    /// The candidate that a read sees, once that is decided.
    fn chosen(&self, read: Read) -> Option<usize> {
        let row = &self.reads[read.0 as usize];
        row.candidates.iter().position(|c| self.holds(Some(c.reads_from)))
    }

    fn apply_rules(&mut self, read: Read, implied: &mut Vec<Implied>) -> Result<(), Vec<Lit>> {
        match self.chosen(read) {
            Some(chosen) => self.order_others(read, chosen, implied),
            None => {
                self.rule_out(read, implied);
                Ok(())
            }
        }
    }

    /// The read sees a write: every other write to the place is before that write or after the read.
    fn order_others(
        &mut self,
        read: Read,
        chosen: usize,
        implied: &mut Vec<Implied>,
    ) -> Result<(), Vec<Lit>> {
        let r = self.reads[read.0 as usize].node;
        let Candidate { write: w, reads_from, .. } = self.reads[read.0 as usize].candidates[chosen];
        for i in 0..self.reads[read.0 as usize].candidates.len() {
            let other = self.reads[read.0 as usize].candidates[i];
            let o = other.write;
            if i == chosen || o == w || o == r {
                continue;
            }
            let before_read = self.graph.reaches(o, r);
            let after_write = self.graph.reaches(w, o);
            if !self.holds(other.active) {
                let literal = other.active.filter(|l| !self.holds(Some(!*l)));
                if before_read
                    && after_write
                    && let Some(active) = literal
                {
                    let why = Why { conditions: [Some(reads_from), None], path: Some((w, o)) };
                    let because = self.graph.explain([why], [(o, r)]);
                    implied.push(Implied { literal: !active, because });
                }
                continue;
            }
            let conditions = [Some(reads_from), other.active];
            if before_read && !self.graph.reaches(o, w) {
                self.graph.add(o, w, Why { conditions, path: Some((o, r)) })?;
            } else if after_write && !self.graph.reaches(r, o) {
                self.graph.add(r, o, Why { conditions, path: Some((w, o)) })?;
            }
        }
        Ok(())
    }

    /// The read has not chosen yet: what it cannot see any more.
    fn rule_out(&mut self, read: Read, implied: &mut Vec<Implied>) {
        let row = &self.reads[read.0 as usize];
        let r = row.node;
        for (i, candidate) in row.candidates.iter().enumerate() {
            let w = candidate.write;
            if w == r || self.holds(Some(!candidate.reads_from)) {
                continue;
            }
            let because = if self.graph.reaches(r, w) {
                Some(self.graph.explain([], [(r, w)]))
            } else {
                let between = row.candidates.iter().enumerate().find(|(j, other)| {
                    let o = other.write;
                    *j != i
                        && o != w
                        && o != r
                        && self.holds(other.active)
                        && self.graph.reaches(w, o)
                        && self.graph.reaches(o, r)
                });
                between.map(|(_, other)| {
                    let why = Why { conditions: [other.active, None], path: Some((w, other.write)) };
                    self.graph.explain([why], [(other.write, r)])
                })
            };
            if let Some(because) = because {
                implied.push(Implied { literal: !candidate.reads_from, because });
            }
        }
    }

    // ── the end of the search ──────────────────────────────────────────────────────────────────────────────────

    /// What a complete assignment comes to, from which nothing more follows.
    pub fn check(&mut self) -> Verdict {
        if let Some(order) = self.linearise() {
            return Verdict::Order(order);
        }
        let Some((first, second)) = self.open_pair() else {
            // Without an open pair every order that respects the graph will do, so `linearise` has found one.
            return Verdict::Conflict(self.assigned.clone());
        };
        let Some(literal) = self.spare.pop() else { return Verdict::NeedsLiteral };
        self.pairs.push(Pair { literal, first, second, placed: false });
        match self.place_pairs() {
            Ok(()) => Verdict::Undecided,
            Err(conflict) => Verdict::Conflict(conflict),
        }
    }

    /// Tries to put all steps into one order: a write waits while a read still has to see what it would overwrite.
    fn linearise(&self) -> Option<Vec<Node>> {
        let mut done = vec![false; self.interested.len()];
        self.graph.topological(|node| {
            let overwrites = self.interested[node.index()].iter().any(|&read| {
                let row = &self.reads[read.0 as usize];
                if row.node == node || done[row.node.index()] {
                    return false;
                }
                let Some(chosen) = self.chosen(read) else { return false };
                let seen = row.candidates[chosen].write;
                let writes_here = |c: &Candidate| c.write == node && self.holds(c.active);
                seen != node && done[seen.index()] && row.candidates.iter().any(writes_here)
            });
            done[node.index()] |= !overwrites;
            !overwrites
        })
    }

    /// Two writes whose order matters to some read and is not known.
    fn open_pair(&self) -> Option<(Node, Node)> {
        (0..self.reads.len() as u32).find_map(|read| {
            let row = &self.reads[read as usize];
            let chosen = self.chosen(Read(read))?;
            let w = row.candidates[chosen].write;
            let open = row.candidates.iter().enumerate().find(|(i, other)| {
                let o = other.write;
                *i != chosen
                    && o != w
                    && o != row.node
                    && self.holds(other.active)
                    && !self.graph.reaches(o, w)
                    && !self.graph.reaches(row.node, o)
            });
            open.map(|(_, other)| (other.write, w))
        })
    }
}
