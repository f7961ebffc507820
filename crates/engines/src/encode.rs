//! An event graph as clauses: everything but the order of events.
//!
//! This is the formula that the paper on scheduling-constraint abstraction calls φ₀ (Yin, Dong, Liu, Wang, §3): the
//! assumptions hold, and each read that takes part has the value of one of the writes it can see. That no other write
//! comes between the two is left to the engines. For them, each read is also kept as a `Row`: the writes that it can
//! see or that can come in between, each with its literals.

use crate::engine::Halt;
use crate::past::{Past, slot};
use crate::prune::{View, views};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tp_events::{NodeId, Query};
use tp_solver::{Blaster, Cadical, Lit, Sat, SatResult, at_most_one};
use tp_terms::{Term, Terms};

/// A read whose place in the order matters.
pub(crate) struct Row {
    pub node: NodeId,
    /// The read, as an index into `reads`.
    pub read: usize,
    pub candidates: Vec<CandidateWrite>,
}

/// A write to the cell of a read.
#[derive(Copy, Clone)]
pub(crate) struct CandidateWrite {
    /// `None`: the first value of the cell, which is written before everything.
    pub write: Option<NodeId>,
    /// The read sees it. `None`: it never does, but the write can come in between.
    pub reads_from: Option<Lit>,
    /// The write takes part. `None`: always.
    pub active: Option<Lit>,
}

/// The size of the encoded program.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
pub struct Size {
    /// Reads and writes that can take part.
    pub events: u64,
    /// Nodes whose order matters.
    pub nodes: u64,
    /// Reads whose place in the order matters.
    pub reads: u64,
    /// Pairs of a read and a write, or a first value, that it can see.
    pub candidates: u64,
    /// Variables and clauses of φ₀.
    pub variables: u64,
    pub clauses: u64,
    /// The program turns addresses into numbers, or its result may depend on the layout of memory in another way.
    pub sees_addresses: bool,
}

/// What φ₀ says of the reads whose place in the order matters.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Reads {
    /// Each has the value of one of the writes that it can see.
    SeeWrites,
    /// Nothing: the engine knows what is in memory.
    SeeMemory,
}

pub(crate) struct Formula {
    pub blaster: Blaster<Cadical>,
    pub rows: Vec<Row>,
    /// By thread: the nodes that occur in rows, in program order.
    pub chains: Vec<Vec<NodeId>>,
    /// The last such node before the creation of a thread, and the first of the thread.
    pub created: Vec<(NodeId, NodeId)>,
    /// A literal that is true.
    pub truth: Lit,
    pub size: Size,
    /// The stop flag was raised before the encoding was complete.
    pub is_partial: bool,
    reads: Reads,
}

impl Formula {
    pub fn new(mut sat: Cadical, reads: Reads, query: &mut Query<'_>, stop: Arc<AtomicBool>) -> Formula {
        sat.stop_when(stop.clone());
        let mut blaster = Blaster::new(sat);
        let always = query.terms.bool(true);
        let truth = blaster.literal(&query.terms, always);
        let mut formula = Formula {
            blaster,
            rows: Vec::new(),
            chains: vec![Vec::new(); query.threads().len()],
            created: Vec::new(),
            truth,
            size: Size::default(),
            is_partial: true,
            reads,
        };
        if formula.fill(query, &stop).is_none() {
            formula.rows.clear();
            return formula;
        }
        formula.measure(query);
        formula.is_partial = false;
        formula
    }

    /// Whether there is a model in which the goal holds.
    pub fn has_model(&mut self, goal: Lit) -> Result<bool, Halt> {
        match self.blaster.sat_mut().solve(&[goal])? {
            SatResult::Sat => Ok(true),
            SatResult::Unsat => Ok(false),
            SatResult::Unknown => Err(Halt::Stopped),
        }
    }

    /// Adds the program. `None`: stopped.
    fn fill(&mut self, query: &mut Query<'_>, stop: &AtomicBool) -> Option<()> {
        for &assumption in query.assumptions() {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            self.blaster.assert(&query.terms, assumption);
        }
        let (views, past) = views(query, stop)?;
        for view in &views {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            self.add_read(query, &past, view);
        }
        self.build_chains(query, &past);
        Some(())
    }

    fn clause(&mut self, clause: &[Lit]) {
        if !clause.contains(&self.truth) {
            self.blaster.sat_mut().add_clause(clause);
        }
    }

    fn literal(&mut self, terms: &Terms, t: Term) -> Lit {
        self.blaster.literal(terms, t)
    }

    fn add_read(&mut self, query: &Query<'_>, past: &Past, view: &View) {
        let read = query.reads()[view.read as usize];
        let count = view.seen().count() + usize::from(view.first);
        self.size.candidates += count as u64;
        let guard = self.literal(&query.terms, read.guard);
        if self.reads == Reads::SeeMemory && self.leave_to_memory(query, past, view) {
            return;
        }
        let mut candidates = Vec::with_capacity(view.others.len() + 1);
        let mut values = Vec::with_capacity(count);
        if view.first {
            let sees = self.choose(count, guard);
            values.push((sees, query.cells()[read.cell].first));
            candidates.push(CandidateWrite { write: None, reads_from: Some(sees), active: None });
        }
        for other in &view.others {
            let write = query.writes()[other.write as usize];
            let active = self.literal(&query.terms, write.guard);
            let reads_from = other.can_be_seen.then(|| self.choose(count, guard));
            if let Some(sees) = reads_from {
                values.push((sees, write.value));
                self.clause(&[!sees, active]);
            }
            let active = (active != self.truth).then_some(active);
            candidates.push(CandidateWrite { write: Some(write.node), reads_from, active });
        }
        if count != 1 {
            let seen: Vec<Lit> = values.iter().map(|v| v.0).collect();
            let one: Vec<Lit> = std::iter::once(!guard).chain(seen.iter().copied()).collect();
            self.clause(&one);
            at_most_one(self.blaster.sat_mut(), &seen);
        }
        self.equate(&query.terms, guard, read.value, &values);
        if matters(past, view, read.node, &candidates) {
            self.rows.push(Row { node: read.node, read: view.read as usize, candidates });
        }
    }

    /// Adds a read without its value if its place in the order matters.
    fn leave_to_memory(&mut self, query: &Query<'_>, past: &Past, view: &View) -> bool {
        let read = query.reads()[view.read as usize];
        let first = CandidateWrite { write: None, reads_from: None, active: None };
        let mut candidates = Vec::with_capacity(view.others.len() + 1);
        candidates.extend(view.first.then_some(first));
        for other in &view.others {
            let write = query.writes()[other.write as usize];
            let active = self.literal(&query.terms, write.guard);
            let active = (active != self.truth).then_some(active);
            candidates.push(CandidateWrite { write: Some(write.node), reads_from: None, active });
        }
        let matters = matters(past, view, read.node, &candidates);
        if matters {
            self.rows.push(Row { node: read.node, read: view.read as usize, candidates });
        }
        matters
    }

    /// A literal for one of `count` values that a read may see. A single one is seen whenever the read takes part.
    fn choose(&mut self, count: usize, guard: Lit) -> Lit {
        if count == 1 {
            return guard;
        }
        let sees = self.blaster.sat_mut().new_var();
        self.clause(&[!sees, guard]);
        sees
    }

    /// The value is the one whose literal holds, bit by bit. A bit that all of them share, such as the upper bits of
    /// small numbers, is encoded once, under the guard of the read.
    fn equate(&mut self, terms: &Terms, guard: Lit, value: Term, seen: &[(Lit, Term)]) {
        let bits = self.blaster.bits(terms, value).to_vec();
        let mut columns: Vec<Vec<Lit>> = vec![Vec::with_capacity(seen.len()); bits.len()];
        for &(_, value) in seen {
            let bits = self.blaster.bits(terms, value);
            columns.iter_mut().zip(bits).for_each(|(column, &bit)| column.push(bit));
        }
        for (bit, column) in bits.into_iter().zip(columns) {
            match column.as_slice() {
                [first, rest @ ..] if rest.iter().all(|x| x == first) => self.equal_if(guard, bit, *first),
                column => {
                    seen.iter().zip(column).for_each(|(&(sees, _), &other)| self.equal_if(sees, bit, other));
                }
            }
        }
    }

    fn equal_if(&mut self, condition: Lit, a: Lit, b: Lit) {
        if a != b {
            // A false literal is dropped; a clause with a true one is not added.
            for (x, y) in [(!a, b), (a, !b)] {
                let lits = [!condition, x, y];
                let clause: Vec<Lit> = lits.into_iter().filter(|&l| l != !self.truth).collect();
                self.clause(&clause);
            }
        }
    }

    fn build_chains(&mut self, query: &Query<'_>, past: &Past) {
        let mut used = vec![false; query.nodes().len()];
        for row in &self.rows {
            used[row.node.as_u32() as usize] = true;
            for node in row.candidates.iter().filter_map(|c| c.write) {
                used[node.as_u32() as usize] = true;
            }
        }
        for (chain, all) in self.chains.iter_mut().zip(&past.chains) {
            chain.extend(all.iter().filter(|n| used[n.as_u32() as usize]));
        }
        for id in query.threads() {
            let Some(&first) = self.chains[slot(id)].first() else { continue };
            let mut parent = query.parent(id);
            // A thread starts with the program if no node before its creation matters.
            for _ in 0..query.threads().len() {
                let Some(node) = parent else { break };
                let (creator, at) = past.position(node);
                let chain = &self.chains[slot(creator)];
                let before = chain.partition_point(|&n| past.position(n).1 <= at);
                if before > 0 {
                    self.created.push((chain[before - 1], first));
                    break;
                }
                parent = query.parent(creator);
            }
        }
    }

    fn measure(&mut self, query: &Query<'_>) {
        let possible = |guard| query.terms.as_const(guard) != Some(0);
        let reads = query.reads().iter().filter(|r| possible(r.guard)).count();
        let writes = query.writes().iter().filter(|w| possible(w.guard)).count();
        let solver = self.blaster.sat().statistics();
        self.size.events = (reads + writes) as u64;
        self.size.nodes = self.chains.iter().map(|c| c.len() as u64).sum();
        self.size.reads = self.rows.len() as u64;
        self.size.variables = solver.variables;
        self.size.clauses = solver.clauses;
        self.size.sees_addresses = query.graph().sees_addresses() || query.graph().layout_matters();
    }
}

/// Whether the position of a read in the order matters. It does not when the read can see only one write, which comes
/// before it anyway, and no other write can come in between.
fn matters(past: &Past, view: &View, node: NodeId, candidates: &[CandidateWrite]) -> bool {
    match candidates {
        [] => false,
        [only] => view.forces_order || only.write.is_some_and(|w| !past.is_before(w, node)),
        _ => true,
    }
}
