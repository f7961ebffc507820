//! A question about an event graph: what if there were further events, or some did not take part?
//!
//! The graph stays as it is. A query shows its events together with the changes: *ghost* events, which the program does
//! not have, guards that are weakened or strengthened, and further bits of values. Tables without changes are not
//! copied.

use crate::event::*;
use crate::graph::EventGraph;
use cranelift_entity::PrimaryMap;
use cranelift_entity::packed_option::ReservedValue;
use std::borrow::Cow;
use std::sync::LazyLock;
use tp_ir::{MemoryOrder, PlaceId, Width};
use tp_terms::{Term, Terms};

pub struct Query<'g> {
    graph: &'g EventGraph,
    /// The terms of the graph, and those that were made since.
    pub terms: Terms,
    nodes: Cow<'g, PrimaryMap<NodeId, Node>>,
    cells: Cow<'g, PrimaryMap<CellId, Cell>>,
    reads: Cow<'g, [Read]>,
    writes: Cow<'g, [Write]>,
    assumptions: Cow<'g, [Term]>,
    started: Cow<'g, [Started]>,
    ghost_threads: usize,
}

/// A graph without events.
static EMPTY: LazyLock<EventGraph> = LazyLock::new(|| crate::GraphBuilder::default().finish());

impl Query<'static> {
    /// About a graph without events.
    pub fn empty() -> Query<'static> {
        Query::new(&EMPTY)
    }
}

impl<'g> Query<'g> {
    pub fn new(graph: &'g EventGraph) -> Query<'g> {
        Query {
            graph,
            terms: Terms::over(graph.terms().clone()),
            nodes: Cow::Borrowed(graph.nodes()),
            cells: Cow::Borrowed(graph.cells()),
            reads: Cow::Borrowed(graph.reads()),
            writes: Cow::Borrowed(graph.writes()),
            assumptions: Cow::Borrowed(graph.assumptions()),
            started: Cow::Borrowed(graph.started()),
            ghost_threads: 0,
        }
    }

    /// The graph that the query is about, without the changes.
    pub fn graph(&self) -> &'g EventGraph {
        self.graph
    }

    // ── with the changes ───────────────────────────────────────────────────────────────────────────────────────

    pub fn threads(&self) -> impl ExactSizeIterator<Item = ThreadId> + use<> {
        let threads = self.graph.threads().len() + self.ghost_threads;
        (0..threads as u32).map(ThreadId::from_u32)
    }

    /// The node that started a thread.
    pub fn parent(&self, thread: ThreadId) -> Option<NodeId> {
        self.graph.threads().get(thread).and_then(|t| t.parent)
    }

    pub fn nodes(&self) -> &PrimaryMap<NodeId, Node> {
        &self.nodes
    }

    /// The nodes of each thread, in program order.
    pub fn nodes_by_thread(&self) -> Vec<Vec<NodeId>> {
        let mut nodes = vec![Vec::new(); self.threads().len()];
        for (id, node) in self.nodes.iter() {
            nodes[node.thread.as_u32() as usize].push(id);
        }
        nodes
    }

    pub fn cells(&self) -> &PrimaryMap<CellId, Cell> {
        &self.cells
    }

    /// Those of the graph come first, in their order.
    pub fn reads(&self) -> &[Read] {
        &self.reads
    }

    /// Those of the graph come first, in their order.
    pub fn writes(&self) -> &[Write] {
        &self.writes
    }

    pub fn assumptions(&self) -> &[Term] {
        &self.assumptions
    }

    pub fn started(&self) -> &[Started] {
        &self.started
    }

    // ── conditions ─────────────────────────────────────────────────────────────────────────────────────────────

    /// The node takes part under this condition as well.
    pub fn let_node(&mut self, node: NodeId, when: Term) {
        let guard = &mut self.nodes.to_mut()[node].guard;
        *guard = self.terms.or(*guard, when);
    }

    /// The read takes part under this condition as well.
    pub fn let_read(&mut self, read: usize, when: Term) {
        let guard = &mut self.reads.to_mut()[read].guard;
        *guard = self.terms.or(*guard, when);
    }

    /// Each node takes part only if its `condition` holds as well.
    pub fn restrict_nodes(&mut self, condition: impl Fn(NodeId) -> Term) {
        let ids: Vec<NodeId> = self.nodes.keys().collect();
        for id in ids {
            let guard = &mut self.nodes.to_mut()[id].guard;
            *guard = self.terms.and(*guard, condition(id));
        }
    }

    /// The same for the reads on each node.
    pub fn restrict_reads(&mut self, condition: impl Fn(NodeId) -> Term) {
        for read in self.reads.to_mut() {
            read.guard = self.terms.and(read.guard, condition(read.node));
        }
    }

    /// The same for the writes.
    pub fn restrict_writes(&mut self, mut condition: impl FnMut(&mut Terms, NodeId) -> Term) {
        for write in self.writes.to_mut() {
            let condition = condition(&mut self.terms, write.node);
            write.guard = self.terms.and(write.guard, condition);
        }
    }

    /// The same for the threads that are started.
    pub fn restrict_started(&mut self, condition: impl Fn(NodeId) -> Term) {
        for started in self.started.to_mut() {
            started.guard = self.terms.and(started.guard, condition(started.node));
        }
    }

    /// Requires this in every execution.
    pub fn assume(&mut self, condition: Term) {
        self.assumptions.to_mut().push(condition);
    }

    /// `condition`, and no other thread has ended the program before this node.
    pub fn while_running(&mut self, node: NodeId, condition: Term) -> Term {
        match self.graph.running_before(node) {
            Some(running) => {
                let is_running = self.add_read(node, running, condition, Width::BOOL);
                self.terms.and(condition, is_running)
            }
            None => condition,
        }
    }

    // ── further bits of values ─────────────────────────────────────────────────────────────────────────────────

    /// Adds one bit to a cell, above the others, with this initial value.
    pub fn widen_cell(&mut self, cell: CellId, bit: Term) {
        let first = &mut self.cells.to_mut()[cell].first;
        *first = self.terms.concat(bit, *first);
    }

    /// Adds one bit to the value of a read; returns that bit.
    pub fn widen_read(&mut self, read: usize) -> Term {
        let bit = self.terms.variable(Width::BOOL);
        let value = &mut self.reads.to_mut()[read].value;
        *value = self.terms.concat(bit, *value);
        bit
    }

    /// Adds one bit to the value of a write.
    pub fn widen_write(&mut self, write: usize, bit: Term) {
        let value = &mut self.writes.to_mut()[write].value;
        *value = self.terms.concat(bit, *value);
    }

    // ── ghost events ───────────────────────────────────────────────────────────────────────────────────────────

    /// Adds a thread that runs from the start.
    pub fn add_thread(&mut self) -> ThreadId {
        self.ghost_threads += 1;
        ThreadId::from_u32((self.graph.threads().len() + self.ghost_threads - 1) as u32)
    }

    /// Adds a node at the end of a thread.
    pub fn add_node(&mut self, thread: ThreadId, guard: Term, place: PlaceId) -> NodeId {
        self.nodes.to_mut().push(Node { thread, guard, place })
    }

    /// Adds a cell. Returns it with its initial value, 0.
    pub fn add_cell(&mut self, width: Width) -> (CellId, Term) {
        let first = self.terms.constant(width, 0);
        let cell = Cell { object: ObjectId::reserved_value(), offset: 0, bytes: width.bytes(), first };
        (self.cells.to_mut().push(cell), first)
    }

    /// The node reads a cell if `guard` holds. Returns the value that it reads.
    pub fn add_read(&mut self, node: NodeId, cell: CellId, guard: Term, width: Width) -> Term {
        let value = self.terms.variable(width);
        self.reads.to_mut().push(Read { node, cell, guard, value, order: MemoryOrder::Plain });
        value
    }

    /// The node writes this value if `guard` holds.
    pub fn add_write(&mut self, node: NodeId, cell: CellId, guard: Term, value: Term) {
        self.writes.to_mut().push(Write { node, cell, guard, value, order: MemoryOrder::Plain });
    }

    /// The node reads, and must find, this value if `guard` holds.
    pub fn expect(&mut self, node: NodeId, cell: CellId, guard: Term, expected: Term) {
        let value = self.add_read(node, cell, guard, self.terms.width(expected));
        let is_found = self.terms.eq(value, expected);
        let holds = self.terms.implies(guard, is_found);
        self.assume(holds);
    }

    /// An edge: one node comes before another if `when` holds.
    pub fn add_edge(&mut self, earlier: NodeId, later: NodeId, when: Term) {
        let (cell, _) = self.add_cell(Width::W8);
        let (one, always) = (self.terms.constant(Width::W8, 1), self.terms.bool(true));
        self.add_write(earlier, cell, always, one);
        self.expect(later, cell, when, one);
    }
}
