//! What the theory knows of the program and of the assignment, and in which order it processes changes.

use super::graph::{Age, Chain, EdgeReason, Graph, Mark, OrderNode, Position};
use crate::Lit;

/// A write that a read may see.
#[derive(Copy, Clone, Debug)]
pub struct Candidate {
    pub write: OrderNode,
    /// The read sees this write.
    pub reads_from: Lit,
    /// The write happens, and to the location that is read. `None`: always.
    pub active: Option<Lit>,
}

/// A read: its step, and every write that could be seen or could come in between. Writes that are after the read in
/// every execution, or that are always overwritten before it, may be left out. A write on the step of the read itself
/// comes after the read.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct ReadId(pub(super) u32);

/// A candidate, with the position of its step at hand.
pub(super) struct Slot {
    pub(super) write: OrderNode,
    pub(super) at: Position,
    pub(super) reads_from: Lit,
    pub(super) active: Option<Lit>,
    /// It is in the queue `due`.
    pub(super) is_due: bool,
}

pub(super) struct Row {
    pub(super) node: OrderNode,
    pub(super) at: Position,
    pub(super) slots: Vec<Slot>,
    /// The candidate that the read sees, once that is decided.
    pub(super) chosen: Option<u32>,
    pub(super) is_due: bool,
}

/// What a literal means to the theory.
#[derive(Copy, Clone)]
pub(super) enum Meaning {
    ReadsFrom(ReadId, u32),
    Active(ReadId, u32),
    Order(u32),
}

/// What has to be processed: a read with all its candidates, or one of its candidates.
#[derive(Copy, Clone)]
pub(super) enum Due {
    Read(ReadId),
    Candidate(ReadId, u32),
}

/// Two steps whose order is a literal.
pub(super) struct Pair {
    pub(super) literal: Lit,
    pub(super) first: OrderNode,
    pub(super) second: OrderNode,
    /// Its edge is in the graph.
    pub(super) placed: bool,
}

/// A literal that follows. `OrderTheory::explain` says from what, for as long as it is assigned.
#[derive(Copy, Clone, Debug)]
pub struct Implied {
    pub literal: Lit,
    pub(super) conditions: [Option<Lit>; 2],
    pub(super) paths: [Option<(OrderNode, OrderNode)>; 2],
    pub(super) age: Age,
}

/// The verdict on a complete assignment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FinalCheck {
    /// All steps in an order in which every read sees its write.
    Order(Vec<OrderNode>),
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
    /// The propagation below was not finished when the level began.
    unfinished: bool,
}

#[derive(Default)]
pub struct OrderTheory {
    pub(super) graph: Graph,
    pub(super) reads: Vec<Row>,
    /// For each step: the reads that are on it, and the candidates.
    pub(super) interested: Vec<Vec<Due>>,
    /// By the code of a literal: what it means, and whether it is true.
    meanings: Vec<Vec<Meaning>>,
    is_true: Vec<bool>,
    pub(super) assigned: Vec<Lit>,
    /// How many of `assigned` have been processed.
    looked_at: usize,
    levels: Vec<Level>,
    due: Vec<Due>,
    pub(super) spare: Vec<Lit>,
    pub(super) pairs: Vec<Pair>,
    /// Pairs in the order they were placed, and those that may have to be.
    placed: Vec<u32>,
    pub(super) to_place: Vec<u32>,
    /// By thread: the last active write before a read.
    pub(super) last_before: Vec<Option<u32>>,
    /// The fixed order has a cycle.
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

    pub fn add_thread(&mut self) -> Chain {
        self.stale = true;
        self.graph.add_thread()
    }

    /// The next step of a thread.
    pub fn add_node(&mut self, thread: Chain) -> OrderNode {
        self.stale = true;
        self.interested.push(Vec::new());
        self.graph.add_node(thread)
    }

    /// `from` is before `to` in every execution.
    pub fn add_order(&mut self, from: OrderNode, to: OrderNode) {
        self.stale = true;
        self.graph.add_fixed(from, to);
    }

    pub fn add_read(&mut self, node: OrderNode, candidates: Vec<Candidate>) -> ReadId {
        self.stale = true;
        let read = ReadId(self.reads.len() as u32);
        let mut slots = Vec::with_capacity(candidates.len());
        for (i, Candidate { write, reads_from, active }) in (0..).zip(candidates) {
            self.mean(reads_from, Meaning::ReadsFrom(read, i));
            if let Some(active) = active {
                self.mean(active, Meaning::Active(read, i));
            }
            self.interested[write.index()].push(Due::Candidate(read, i));
            let at = self.graph.position(write);
            slots.push(Slot { write, at, reads_from, active, is_due: false });
        }
        self.interested[node.index()].push(Due::Read(read));
        let at = self.graph.position(node);
        self.reads.push(Row { node, at, slots, chosen: None, is_due: false });
        read
    }

    /// A literal that nothing else uses, for the order of two steps if that is ever wanted.
    pub fn add_spare_literal(&mut self, literal: Lit) {
        self.spare.push(literal);
    }

    /// A literal that is true when `first` is before `second`, and false when it is after it.
    pub fn add_order_literal(&mut self, literal: Lit, first: OrderNode, second: OrderNode) {
        self.stale = true;
        self.add_pair(literal, first, second);
    }

    pub(super) fn add_pair(&mut self, literal: Lit, first: OrderNode, second: OrderNode) -> u32 {
        let pair = self.pairs.len() as u32;
        self.pairs.push(Pair { literal, first, second, placed: false });
        self.mean(literal, Meaning::Order(pair));
        self.mean(!literal, Meaning::Order(pair));
        pair
    }

    /// All order literals, including the spare ones in use.
    pub fn order_literals(&self) -> impl Iterator<Item = (Lit, OrderNode, OrderNode)> {
        self.pairs.iter().map(|p| (p.literal, p.first, p.second))
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
            unfinished: self.looked_at < self.assigned.len() || !self.due.is_empty(),
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
            for &meaning in &self.meanings[code(literal)] {
                if let Meaning::ReadsFrom(read, candidate) = meaning {
                    let chosen = &mut self.reads[read.0 as usize].chosen;
                    if *chosen == Some(candidate) {
                        *chosen = None;
                    }
                }
            }
        }
        self.looked_at = to.looked_at;
        for pair in self.placed.drain(to.placed..) {
            // Its literal may have been assigned below the level at which it was put to use.
            self.pairs[pair as usize].placed = false;
            self.to_place.push(pair);
        }
        if to.unfinished {
            self.all_due();
        }
    }

    /// Whether the literal was assigned and not taken back.
    pub fn is_true(&self, literal: Lit) -> bool {
        self.holds(Some(literal))
    }

    pub(super) fn holds(&self, condition: Option<Lit>) -> bool {
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
        self.place_pairs()?;
        let mut implied = Vec::new();
        loop {
            while let Some(node) = self.graph.take_changed() {
                for i in 0..self.interested[node.index()].len() {
                    self.add_due(self.interested[node.index()][i]);
                }
            }
            let Some(due) = self.due.pop() else { return Ok(implied) };
            *self.due_flag(due) = false;
            if let Err(conflict) = self.apply_rules(due, &mut implied) {
                // What was not finished is processed again after the conflict is resolved.
                self.add_due(due);
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
            self.to_place = (0..self.pairs.len() as u32).collect();
            self.last_before = vec![None; self.graph.threads()];
            self.all_due();
        }
        if self.broken { Err(Vec::new()) } else { Ok(()) }
    }

    fn all_due(&mut self) {
        (0..self.reads.len() as u32).for_each(|read| self.add_due(Due::Read(ReadId(read))));
    }

    fn due_flag(&mut self, due: Due) -> &mut bool {
        match due {
            Due::Read(read) => &mut self.reads[read.0 as usize].is_due,
            Due::Candidate(read, i) => &mut self.reads[read.0 as usize].slots[i as usize].is_due,
        }
    }

    fn add_due(&mut self, due: Due) {
        if !std::mem::replace(self.due_flag(due), true) {
            self.due.push(due);
        }
    }

    fn look_at(&mut self, literal: Lit) -> Result<(), Vec<Lit>> {
        for i in 0..self.meanings[code(literal)].len() {
            match self.meanings[code(literal)][i] {
                Meaning::ReadsFrom(read, candidate) => {
                    let row = &mut self.reads[read.0 as usize];
                    let (write, node) = (row.slots[candidate as usize].write, row.node);
                    // A write on the step of the read itself is not seen, whatever its literal.
                    if write != node {
                        row.chosen.get_or_insert(candidate);
                        self.add_due(Due::Read(read));
                        let why = EdgeReason { conditions: [Some(literal), None], path: None };
                        self.graph.add(write, node, why)?;
                    }
                }
                Meaning::Active(read, candidate) => self.add_due(Due::Candidate(read, candidate)),
                Meaning::Order(pair) => self.to_place.push(pair),
            }
        }
        Ok(())
    }

    /// Adds the edges of assigned order literals. A spare literal may be assigned long before it is put to use.
    pub(super) fn place_pairs(&mut self) -> Result<(), Vec<Lit>> {
        while let Some(&i) = self.to_place.last() {
            let Pair { literal, first, second, placed } = self.pairs[i as usize];
            let way = if self.holds(Some(literal)) {
                Some((literal, first, second))
            } else if self.holds(Some(!literal)) {
                Some((!literal, second, first))
            } else {
                None
            };
            if let Some((condition, from, to)) = way.filter(|_| !placed) {
                self.graph.add(from, to, EdgeReason { conditions: [Some(condition), None], path: None })?;
                self.pairs[i as usize].placed = true;
                self.placed.push(i);
            }
            self.to_place.pop();
        }
        Ok(())
    }
}
