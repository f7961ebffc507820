//! Event graphs made by hand, and what they can do, by exhaustive search.
#![allow(dead_code, reason = "each test file uses a part")]

pub mod random;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use threadproof_engines::{Answer, GraphSolver, Method, SolvedExecution, Uncertified};
use tp_certify::{Certificate, Counts, Goal, OrderSummary, Part, PartKind, PartSummary};
use tp_events::*;
use tp_ir::{MemoryOrder, PlaceId, Property, Width};
use tp_terms::{Model, Term, TermKind, Terms};

pub const METHODS: [Method; 5] =
    [Method::Order, Method::Refine, Method::Clocks, Method::Record, Method::Widen];

pub struct Build {
    pub program: GraphBuilder,
    pub width: Width,
}

pub struct Wait {
    pub node: NodeId,
    /// The unknown that says whether the thread gets past.
    pub passed: Term,
    /// The guard of what follows.
    pub guard: Term,
}

impl Build {
    pub fn new(width: u32) -> Build {
        Build { program: GraphBuilder::default(), width: Width::new(width).expect("a width") }
    }

    pub fn truth(&mut self) -> Term {
        self.program.terms.bool(true)
    }

    pub fn constant(&mut self, value: u128) -> Term {
        self.program.terms.constant(self.width, value)
    }

    pub fn variable(&mut self) -> Term {
        self.program.terms.variable(self.width)
    }

    pub fn cell(&mut self, first: u128) -> CellId {
        let first = self.constant(first);
        let object = self.program.objects.push(GraphObject { size: 4, ..GraphObject::default() });
        self.program.cells.push(Cell { object, offset: 0, bytes: 4, first })
    }

    pub fn thread(&mut self, parent: Option<NodeId>) -> ThreadId {
        let id = self.program.threads.push(GraphThread {
            parent,
            number: self.program.threads.len() as u32,
            steps: Vec::new(),
            local_nodes: Vec::new(),
            made: Vec::new(),
        });
        if let Some(node) = parent {
            let guard = self.program.nodes[node].guard;
            self.program.started.push(Started { node, guard, thread: Some(id) });
        }
        id
    }

    /// A node, which is also a step.
    pub fn node(&mut self, thread: ThreadId, guard: Term) -> NodeId {
        let node = self.program.nodes.push(Node { thread, guard, place: PlaceId::from_u32(0) });
        self.program.threads[thread].steps.push(Step { guard, node, is_node: true });
        node
    }

    /// A step without a node, which no other thread can see.
    pub fn local(&mut self, guard: Term, node: NodeId) {
        let thread = self.program.nodes[node].thread;
        self.program.threads[thread].steps.push(Step { guard, node, is_node: false });
    }

    pub fn read(&mut self, node: NodeId, cell: CellId, guard: Term) -> Term {
        let value = self.variable();
        self.program.reads.push(Read { node, cell, guard, value, order: MemoryOrder::Plain });
        value
    }

    pub fn write(&mut self, node: NodeId, cell: CellId, guard: Term, value: Term) {
        self.program.writes.push(Write { node, cell, guard, value, order: MemoryOrder::Plain });
    }

    /// A node that always takes part and reads.
    pub fn get(&mut self, thread: ThreadId, cell: CellId) -> Term {
        let truth = self.truth();
        let node = self.node(thread, truth);
        self.read(node, cell, truth)
    }

    /// A node that always takes part and writes.
    pub fn put(&mut self, thread: ThreadId, cell: CellId, value: Term) -> NodeId {
        let truth = self.truth();
        let node = self.node(thread, truth);
        self.write(node, cell, truth, value);
        node
    }

    pub fn put_constant(&mut self, thread: ThreadId, cell: CellId, value: u128) -> NodeId {
        let value = self.constant(value);
        self.put(thread, cell, value)
    }

    /// A node that is passed only when the cell has this value.
    pub fn wait_for(&mut self, thread: ThreadId, guard: Term, cell: CellId, value: u128) -> Wait {
        let passed = self.program.terms.variable(Width::BOOL);
        let guard = self.program.terms.and(guard, passed);
        let node = self.node(thread, guard);
        let found = self.read(node, cell, guard);
        let wanted = self.constant(value);
        let equal = self.program.terms.eq(found, wanted);
        let assumption = self.program.terms.implies(guard, equal);
        self.program.assumptions.push(assumption);
        Wait { node, passed, guard }
    }

    pub fn is(&mut self, t: Term, value: u128) -> Term {
        let value = self.program.terms.constant(self.program.terms.width(t), value);
        self.program.terms.eq(t, value)
    }

    pub fn all(&mut self, parts: &[Term]) -> Term {
        let truth = self.truth();
        parts.iter().fold(truth, |all, &part| self.program.terms.and(all, part))
    }

    /// A claim at the end of what a thread has so far.
    pub fn claim(&mut self, node: NodeId, fails: Term) {
        let steps = self.program.threads[self.program.nodes[node].thread].steps.len();
        let place = PlaceId::from_u32(0);
        self.program.claims.push(Claim { property: Property::Assert, node, steps, fails, place });
    }

    /// The graph built so far.
    pub fn graph(&self) -> EventGraph {
        self.program.clone().finish()
    }
}

pub fn engine(method: Method, query: &mut Query<'_>) -> GraphSolver {
    GraphSolver::new(method, query, Arc::new(AtomicBool::new(false)))
}

/// Asks every engine; the answers have to agree, and executions have to be right.
#[track_caller]
pub fn possible(graph: &EventGraph, goal: Term) -> bool {
    let query = &mut Query::new(graph);
    let answers = METHODS.map(|method| {
        let mut engine = engine(method, query);
        answer(query, &mut engine, goal).is_some()
    });
    assert!(answers.iter().all(|&a| a == answers[0]), "{METHODS:?} say {answers:?}");
    match certificate(query, &[goal], true) {
        Ok(text) => assert!(!answers[0] && accepted(&text).goals.len() <= 1, "{text}"),
        Err(why) => assert!(answers[0], "{why:?}"),
    }
    answers[0]
}

/// The text of a certificate that no goal is reached. `asked`: the engine is asked for the goals before.
pub fn certificate(query: &mut Query<'_>, goals: &[Term], asked: bool) -> Result<String, Uncertified> {
    let mut engine = GraphSolver::certifying(query, Arc::new(AtomicBool::new(false)));
    if asked {
        goals.iter().for_each(|&goal| drop(engine.ask(query, goal)));
    }
    let (literals, proof) = engine.certify(query, goals)?;
    let goal = |literal| Goal { literal, what: "something".to_owned() };
    let goals = literals.into_iter().flatten().map(goal).collect();
    let part = Part { shows: "nothing is reached".to_owned(), kind: PartKind::Order { goals, proof } };
    let certificate = Certificate { verdict: "safe".to_owned(), parts: vec![part], ..Certificate::default() };
    let mut text = Vec::new();
    certificate.write(&mut text).expect("memory can be written to");
    Ok(String::from_utf8(text).expect("it is text"))
}

/// What the checker says of a certificate that it has to accept.
#[track_caller]
pub fn accepted(text: &str) -> OrderSummary {
    let summary = tp_certify::check(text.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    match &summary.parts[..] {
        [PartSummary { counts: Counts::Order(order), .. }] => order.clone(),
        other => panic!("not one part about order: {other:?}"),
    }
}

/// The execution that an engine finds, after checking it.
#[track_caller]
pub fn answer(query: &Query<'_>, engine: &mut GraphSolver, goal: Term) -> Option<(Model, Vec<NodeId>)> {
    match engine.ask(query, goal) {
        Answer::Execution { mut model, order } => {
            check(query, &mut model, &order);
            assert!(model.holds(&query.terms, goal), "the goal holds");
            Some((model, order))
        }
        Answer::No => None,
        Answer::Unknown(why) => panic!("unknown: {why:?}"),
        Answer::Fault(fault) => panic!("{fault}"),
    }
}

/// The definition of an execution, word for word.
#[track_caller]
pub fn check(query: &Query<'_>, model: &mut Model, order: &[NodeId]) {
    let terms = &query.terms;
    for &assumption in query.assumptions() {
        assert!(model.holds(terms, assumption), "assumptions hold");
    }
    let mut done = std::collections::BTreeSet::new();
    let mut memory: Vec<u128> = query.cells().values().map(|c| model.value(terms, c.first)).collect();
    for &id in order {
        let node = &query.nodes()[id];
        assert!(model.holds(terms, node.guard), "{id} takes part");
        assert!(done.iter().all(|&n| query.nodes()[n].thread != node.thread || n < id), "program order");
        assert!(query.parent(node.thread).is_none_or(|p| done.contains(&p)), "created first");
        assert!(done.insert(id), "{id} once");
        for read in query.reads().iter().filter(|r| r.node == id) {
            if model.holds(terms, read.guard) {
                let found = model.value(terms, read.value);
                assert_eq!(found, memory[read.cell.as_u32() as usize], "{id} reads {}", read.cell);
            }
        }
        for write in query.writes().iter().filter(|w| w.node == id) {
            if model.holds(terms, write.guard) {
                memory[write.cell.as_u32() as usize] = model.value(terms, write.value);
            }
        }
    }
    for (id, node) in query.nodes() {
        assert_eq!(model.holds(terms, node.guard), done.contains(&id), "all nodes that take part are there");
    }
}

/// A run of the program: values of unknowns as they become known, memory, and how far each thread is.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Run {
    pub values: Vec<u128>,
    pub memory: Vec<u128>,
    pub next: Vec<usize>,
    pub done: Vec<bool>,
}

pub fn number(terms: &Terms, t: Term) -> usize {
    match terms.kind(t) {
        TermKind::Var(var) => var.index(),
        _ => panic!("not an unknown"),
    }
}

impl Run {
    pub fn new(query: &Query<'_>, values: Vec<u128>) -> Run {
        let memory = query.cells().values().map(|c| query.terms.eval(c.first, &values)).collect();
        Run { values, memory, next: vec![0; query.threads().len()], done: vec![false; query.nodes().len()] }
    }

    pub fn holds(&self, query: &Query<'_>, t: Term) -> bool {
        query.terms.eval(t, &self.values) == 1
    }

    pub fn is_created(&self, query: &Query<'_>, thread: ThreadId) -> bool {
        query.parent(thread).is_none_or(|p| self.done[p.as_u32() as usize])
    }

    /// Executes a node if it takes part.
    pub fn execute(&mut self, query: &Query<'_>, id: NodeId) -> bool {
        if !self.holds(query, query.nodes()[id].guard) {
            return false;
        }
        self.done[id.as_u32() as usize] = true;
        for read in query.reads().iter().filter(|r| r.node == id) {
            if self.holds(query, read.guard) {
                let at = number(&query.terms, read.value);
                self.values[at] = self.memory[read.cell.as_u32() as usize];
            }
        }
        for write in query.writes().iter().filter(|w| w.node == id) {
            if self.holds(query, write.guard) {
                self.memory[write.cell.as_u32() as usize] = query.terms.eval(write.value, &self.values);
            }
        }
        true
    }
}

/// Which goals hold in some execution, by trying all interleavings. `free` are the unknowns that no read decides.
pub fn brute_force(query: &Query<'_>, free: &[Term], goals: &[Term], variables: usize) -> Vec<bool> {
    let mut chains = vec![Vec::new(); query.threads().len()];
    for (id, node) in query.nodes() {
        chains[node.thread.as_u32() as usize].push(id);
    }
    let mut found = vec![false; goals.len()];
    let sizes: Vec<u32> = free.iter().map(|&t| query.terms.width(t).bits()).collect();
    for mut choice in 0..1u64 << sizes.iter().sum::<u32>() {
        let mut values = vec![0; variables];
        for (&t, &bits) in free.iter().zip(&sizes) {
            values[number(&query.terms, t)] = (choice & ((1 << bits) - 1)) as u128;
            choice >>= bits;
        }
        interleave(query, &chains, &Run::new(query, values), &mut HashSet::new(), &mut |run| {
            if query.assumptions().iter().all(|&a| run.holds(query, a)) {
                for (found, &goal) in found.iter_mut().zip(goals) {
                    *found |= run.holds(query, goal);
                }
            }
        });
    }
    found
}

fn interleave(
    query: &Query<'_>,
    chains: &[Vec<NodeId>],
    run: &Run,
    seen: &mut HashSet<Run>,
    end: &mut dyn FnMut(&Run),
) {
    if !seen.insert(run.clone()) {
        return;
    }
    let mut went_on = false;
    for thread in query.threads() {
        let t = thread.as_u32() as usize;
        let Some(&node) = chains[t].get(run.next[t]) else { continue };
        if !run.is_created(query, thread) {
            continue;
        }
        went_on = true;
        let mut run = run.clone();
        run.next[t] += 1;
        run.execute(query, node);
        interleave(query, chains, &run, seen, end);
    }
    if !went_on {
        end(run);
    }
}

/// Follows a witness and checks that the claim fails at its end. `values` are those of the free unknowns; reads get
/// theirs from memory.
#[track_caller]
pub fn check_witness(query: &Query<'_>, claim: &Claim, witness: &SolvedExecution, values: Vec<u128>) {
    let mut run = Run::new(query, values);
    let mut taken = vec![0; query.threads().len()];
    let mut last = None;
    for &(thread, target) in &witness.targets {
        assert_ne!(last.replace(thread), Some(thread), "the thread changes");
        assert!(run.is_created(query, thread), "{thread} is created before it runs");
        let t = thread.as_u32() as usize;
        let steps = &query.graph().threads()[thread].steps;
        while taken[t] < target {
            let step = steps[run.next[t]];
            run.next[t] += 1;
            if run.holds(query, step.guard) {
                taken[t] += 1;
                assert!(!step.is_node || run.execute(query, step.node), "the node takes part");
            }
        }
    }
    let thread = query.nodes()[claim.node].thread;
    assert_eq!(last, Some(thread), "the claim's thread is the last");
    let t = thread.as_u32() as usize;
    assert!(run.next[t] <= claim.steps, "the claim is not passed");
    assert!(run.holds(query, claim.fails), "the claim fails");
    for (i, &thread) in witness.threads.iter().enumerate() {
        let Some(thread) = thread else { continue };
        assert!(run.is_created(query, thread), "{thread} is machine thread {i}");
    }
}
