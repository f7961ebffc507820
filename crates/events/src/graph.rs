//! The event graph of a program: what each thread does to memory that others can reach, under which condition.
//!
//! A *node* is one step of one thread; all events on it happen at once. The nodes of a thread are numbered in its program
//! order, and the nodes of alternatives follow one another: of those, only the ones whose conditions hold take part.
//! A read that takes part sees the latest write to its cell that takes part and is on an earlier node, or the cell's
//! first value when there is none. On one node reads come before writes, and a cell is written at most once.
//!
//! An execution is a choice of values for the unknowns and a total order of the nodes that respects the program order of
//! each thread, starts each thread after the node that created it, and in which every read that takes part has the value
//! of the write it sees. Every `assumption` holds in it. A thread may stop early: nodes that wait carry a free unknown in
//! their conditions that says whether they are passed.

use crate::event::*;
use cranelift_entity::PrimaryMap;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;
use tp_ir::{FuncId, MemoryOrder, Width};
use tp_terms::{Term, Terms};

/// An event graph in the making. Functions of the same names return the fields of the finished graph.
#[derive(Clone, Default)]
pub struct GraphBuilder {
    pub terms: Terms,
    pub threads: PrimaryMap<ThreadId, GraphThread>,
    pub nodes: PrimaryMap<NodeId, Node>,
    pub cells: PrimaryMap<CellId, Cell>,
    pub objects: PrimaryMap<ObjectId, GraphObject>,
    pub reads: Vec<Read>,
    pub writes: Vec<Write>,
    pub assumptions: Vec<Term>,
    pub claims: Vec<Claim>,
    pub limits: Vec<Limit>,
    pub started: Vec<Started>,
    pub inputs: Vec<GraphInput>,
    pub guesses: Vec<Guess>,
    pub unwritten: Vec<Unwritten>,
    pub uninitialised: Vec<Term>,
    pub begun: Vec<(Term, ObjectId)>,
    pub exits: Vec<(NodeId, Term)>,
    pub running: Option<CellId>,
    pub touches: Vec<PendingAccess>,
    pub has_weak_atomics: bool,
    pub fences: Vec<(NodeId, MemoryOrder)>,
    pub failing: Vec<(usize, MemoryOrder)>,
    pub acquired: FxHashMap<(NodeId, CellId), Term>,
    pub overwritten: FxHashSet<(NodeId, CellId)>,
    pub waits: Vec<Wait>,
    pub spins: Vec<Spin>,
    pub attempted: Vec<(usize, Term)>,
    pub ended: Vec<(ThreadId, Term)>,
    pub sees_addresses: bool,
    pub layout_matters: bool,
    pub entered: BTreeSet<FuncId>,
}

impl GraphBuilder {
    /// The cell that says whether the program still runs, if a thread other than the node's can end it.
    fn running_before(&self, node: NodeId) -> Option<CellId> {
        let thread = self.nodes[node].thread;
        self.running.filter(|_| self.exits.iter().any(|(exit, _)| self.nodes[*exit].thread != thread))
    }

    /// `condition`, and no other thread has ended the program before this node.
    pub fn while_running(&mut self, node: NodeId, condition: Term) -> Term {
        let Some(cell) = self.running_before(node) else { return condition };
        let value = self.terms.variable(Width::BOOL);
        self.reads.push(Read { node, cell, guard: condition, value, order: MemoryOrder::Plain });
        self.terms.and(condition, value)
    }

    /// The finished graph, which is immutable.
    pub fn finish(mut self) -> EventGraph {
        let terms = Arc::new(std::mem::take(&mut self.terms));
        EventGraph { terms, parts: self }
    }
}

/// An event graph. A question that needs further events is a `Query`, which adds them beside the graph.
pub struct EventGraph {
    terms: Arc<Terms>,
    /// Without its terms.
    parts: GraphBuilder,
}

impl EventGraph {
    pub fn terms(&self) -> &Arc<Terms> {
        &self.terms
    }

    pub fn threads(&self) -> &PrimaryMap<ThreadId, GraphThread> {
        &self.parts.threads
    }

    pub fn nodes(&self) -> &PrimaryMap<NodeId, Node> {
        &self.parts.nodes
    }

    pub fn cells(&self) -> &PrimaryMap<CellId, Cell> {
        &self.parts.cells
    }

    pub fn objects(&self) -> &PrimaryMap<ObjectId, GraphObject> {
        &self.parts.objects
    }

    pub fn reads(&self) -> &[Read] {
        &self.parts.reads
    }

    pub fn writes(&self) -> &[Write] {
        &self.parts.writes
    }

    /// These hold in every execution.
    pub fn assumptions(&self) -> &[Term] {
        &self.parts.assumptions
    }

    /// What must not happen.
    pub fn claims(&self) -> &[Claim] {
        &self.parts.claims
    }

    /// What the unfolding does not cover.
    pub fn limits(&self) -> &[Limit] {
        &self.parts.limits
    }

    /// The threads that are started; those of one node in program order.
    pub fn started(&self) -> &[Started] {
        &self.parts.started
    }

    /// Values from outside, by thread and in program order.
    pub fn inputs(&self) -> &[GraphInput] {
        &self.parts.inputs
    }

    /// Values that were left open although the program computes them.
    pub fn guesses(&self) -> &[Guess] {
        &self.parts.guesses
    }

    /// Memory that was read and never written.
    pub fn unwritten(&self) -> &[Unwritten] {
        &self.parts.unwritten
    }

    /// Values of registers that were never written.
    pub fn uninitialised(&self) -> &[Term] {
        &self.parts.uninitialised
    }

    /// Where scopes of locals begin, with their guards; for each thread in program order.
    pub fn begun(&self) -> &[(Term, ObjectId)] {
        &self.parts.begun
    }

    /// The nodes that end the program, with their guards.
    pub fn exits(&self) -> &[(NodeId, Term)] {
        &self.parts.exits
    }

    /// The cell that says whether the program still runs, if a thread other than the node's can end it.
    pub fn running_before(&self, node: NodeId) -> Option<CellId> {
        self.parts.running_before(node)
    }

    /// Holds 1 until the program ends.
    pub fn running(&self) -> Option<CellId> {
        self.parts.running
    }

    /// Accesses that can be part of a data race; only filled when races are checked.
    pub fn touches(&self) -> &[PendingAccess] {
        &self.parts.touches
    }

    /// Whether some atomics are weaker than acquire and release; only set when races are checked.
    pub fn has_weak_atomics(&self) -> bool {
        self.parts.has_weak_atomics
    }

    /// Nodes that are fences; only filled when races are checked.
    pub fn fences(&self) -> &[(NodeId, MemoryOrder)] {
        &self.parts.fences
    }

    /// Reads of compare-exchanges whose memory order on failure differs, as indices into `reads`, with that order.
    pub fn failing(&self) -> &[(usize, MemoryOrder)] {
        &self.parts.failing
    }

    /// The condition under which a step acquires with its read of a cell.
    pub fn acquired(&self) -> &FxHashMap<(NodeId, CellId), Term> {
        &self.parts.acquired
    }

    /// Plain stores in steps, which end release sequences.
    pub fn overwritten(&self) -> &FxHashSet<(NodeId, CellId)> {
        &self.parts.overwritten
    }

    /// Where threads wait; only filled when deadlocks or stuck threads are checked.
    pub fn waits(&self) -> &[Wait] {
        &self.parts.waits
    }

    /// Iterations in which threads spin; only filled when stuck threads are checked.
    pub fn spins(&self) -> &[Spin] {
        &self.parts.spins
    }

    /// The reads of steps that wait, as indices into `reads`, each with the condition under which it is part of an
    /// attempt, whether or not the step is taken then.
    pub fn attempted(&self) -> &[(usize, Term)] {
        &self.parts.attempted
    }

    /// Threads that end, with the conditions.
    pub fn ended(&self) -> &[(ThreadId, Term)] {
        &self.parts.ended
    }

    /// The user's code computes with addresses as numbers.
    pub fn sees_addresses(&self) -> bool {
        self.parts.sees_addresses
    }

    /// The result may depend on the layout of memory, even without `sees_addresses`.
    pub fn layout_matters(&self) -> bool {
        self.parts.layout_matters
    }

    /// The functions that are called on some path.
    pub fn entered(&self) -> &BTreeSet<FuncId> {
        &self.parts.entered
    }
}
