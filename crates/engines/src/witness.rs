//! What the machine has to do to follow an execution: which thread runs how far, and which inputs it gets.
//!
//! Only what the claim depends on is kept: the nodes before it in its thread, the creation of that thread, the writes
//! that were read, and so on transitively. Everything else is a suffix of some thread whose writes are not read, so
//! every read sees the same write without it. The kept nodes are then reordered to have few changes of thread; see
//! `shorten`.

use crate::shorten::{Block, shorten};
use rustc_hash::{FxHashMap, FxHashSet};
use tp_events::{CellId, Claim, NodeId, ObjectId, PendingAccess, Query, Read, ThreadId};
use tp_ir::Width;
use tp_terms::Model;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolvedExecution {
    /// Each thread in turn, with the total number of its steps when the next one runs. The last is the thread of the
    /// claim, with the number of its steps before the claim.
    pub targets: Vec<(ThreadId, u64)>,
    /// The input values of each thread, in the order it asked for them.
    pub inputs: Vec<(ThreadId, Vec<InputValue>)>,
    pub unwritten: Vec<UnwrittenValue>,
    /// The objects that exist, each with the thread that made it and how many objects that thread had made before.
    /// `None`: it exists from the start, or is thread-local.
    pub objects: Vec<(ObjectId, Option<(ThreadId, u64)>)>,
    /// Objects whose addresses are compared, by ascending address.
    pub ascending: Vec<ObjectId>,
    /// Threads in the order of their creation, the first thread first; `None` for those that do not get to run.
    pub threads: Vec<Option<ThreadId>>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct InputValue {
    pub width: Width,
    pub value: u128,
}

/// A value that was read from unwritten memory.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct UnwrittenValue {
    pub object: ObjectId,
    /// The thread that made the object, and how many objects it had made before. `None`: it exists from the start.
    pub made: Option<(ThreadId, u64)>,
    /// How often its scope has begun; 0: in every scope without a value of its own.
    pub scope: u64,
    pub offset: u64,
    pub bytes: u32,
    pub value: u128,
}

/// Leads to a claim that fails in an execution; `model` and `order` are those of `Answer::Execution`.
pub fn witness(query: &Query<'_>, claim: &Claim, model: &mut Model, order: &[NodeId]) -> SolvedExecution {
    let thread = query.nodes()[claim.node].thread;
    // The node of the claim may not take part itself; the nodes before it in its thread do.
    let is_needed = |n: NodeId| query.nodes()[n].thread == thread && n <= claim.node;
    let lead = Lead::new(query, query.reads(), model, order);
    lead.to((&[thread], &[]), is_needed, |targets| targets.end_with(thread, claim.steps))
}

/// Leads to where both threads are about to make their accesses; then the first takes its step, and the second is the
/// last target.
pub(crate) fn witness_of_race(
    query: &Query<'_>,
    (first, second): &(PendingAccess, PendingAccess),
    model: &mut Model,
    order: &[NodeId],
) -> SolvedExecution {
    let sides = [first, second];
    let is_needed = |n: NodeId| sides.iter().any(|t| query.nodes()[n].thread == t.thread && n < t.node);
    // Both threads stop before their steps. What these steps read has to be written by then.
    let (threads, nodes) = (sides.map(|t| t.thread), sides.map(|t| t.node));
    Lead::new(query, query.reads(), model, order).to((&threads, &nodes), is_needed, |mut targets| {
        for touch in sides {
            let steps = targets.count(touch.thread, touch.steps);
            targets.targets.push((touch.thread, steps));
        }
        let (thread, steps) = (first.thread, targets.count(first.thread, first.steps) + 1);
        targets.targets.push((thread, steps));
        targets.targets.push((second.thread, targets.count(second.thread, second.steps)));
        targets.targets
    })
}

/// Leads to where all these threads have ended or wait. Only `reads` make one node depend on another.
pub(crate) fn witness_of_deadlock(
    (query, reads): (&Query<'_>, &[Read]),
    threads: &[ThreadId],
    model: &mut Model,
    order: &[NodeId],
) -> SolvedExecution {
    let is_needed = |n: NodeId| threads.contains(&query.nodes()[n].thread);
    Lead::new(query, reads, model, order).to((threads, &[]), is_needed, |targets| targets.targets)
}

/// An execution that is cut down to the part that leads to some target.
struct Lead<'a> {
    query: &'a Query<'a>,
    model: &'a mut Model,
    order: &'a [NodeId],
    events: Events,
}

impl<'a> Lead<'a> {
    fn new(query: &'a Query<'a>, reads: &[Read], model: &'a mut Model, order: &'a [NodeId]) -> Lead<'a> {
        let events = Events::new(query, reads, model);
        Lead { query, model, order, events }
    }

    /// The witness of what the needed nodes and threads depend on; `end` completes its targets.
    fn to(
        self,
        needed: (&[ThreadId], &[NodeId]),
        is_needed: impl Fn(NodeId) -> bool,
        end: impl FnOnce(Targets) -> Vec<(ThreadId, u64)>,
    ) -> SolvedExecution {
        let kept = self.kept(needed, is_needed);
        let Lead { query, model, events, .. } = self;
        let blocks = shorten(query, &events, &kept);
        let mut targets = Targets::new(query, model);
        blocks.iter().for_each(|block| targets.run(block));
        let made = made(query, model);
        SolvedExecution {
            targets: end(targets),
            inputs: inputs(query, model),
            unwritten: unwritten(query, model, &made),
            objects: objects(query, &made),
            ascending: ascending(query, model),
            threads: threads(query, model, &blocks),
        }
    }

    /// The needed nodes and all that they depend on, in the order of the execution.
    fn kept(
        &self,
        (threads, stood_before): (&[ThreadId], &[NodeId]),
        is_needed: impl Fn(NodeId) -> bool,
    ) -> Vec<NodeId> {
        let (query, order) = (self.query, self.order);
        let mut needs: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
        self.events.links(order, |read, write, _| needs.entry(read).or_default().push(write));
        let mut wanted = vec![false; query.nodes().len()];
        let mut last = FxHashMap::default();
        let mut previous: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        for &node in order {
            if let Some(before) = last.insert(query.nodes()[node].thread, node) {
                previous.insert(node, before);
            }
        }
        let mut todo: Vec<NodeId> = order.iter().copied().filter(|&n| is_needed(n)).collect();
        todo.extend(threads.iter().filter_map(|&t| query.parent(t)));
        todo.extend(stood_before.iter().filter_map(|node| needs.get(node)).flatten());
        while let Some(node) = todo.pop() {
            if !std::mem::replace(&mut wanted[node.as_u32() as usize], true) {
                todo.extend(previous.get(&node));
                todo.extend(needs.get(&node).into_iter().flatten());
                todo.extend(query.parent(query.nodes()[node].thread));
            }
        }
        order.iter().copied().filter(|n| wanted[n.as_u32() as usize]).collect()
    }
}

/// The cells that each node reads and writes in a model.
pub(crate) struct Events {
    reads: FxHashMap<NodeId, Vec<CellId>>,
    writes: FxHashMap<NodeId, Vec<CellId>>,
}

impl Events {
    fn new(query: &Query<'_>, reads: &[Read], model: &mut Model) -> Events {
        let mut events = Events { reads: FxHashMap::default(), writes: FxHashMap::default() };
        for read in reads.iter().filter(|r| model.holds(&query.terms, r.guard)) {
            events.reads.entry(read.node).or_default().push(read.cell);
        }
        for write in query.writes().iter().filter(|w| model.holds(&query.terms, w.guard)) {
            events.writes.entry(write.node).or_default().push(write.cell);
        }
        events
    }

    /// Calls `link` for each read, with its node, that of the write it sees if there is one, and the cell.
    fn links(&self, order: &[NodeId], mut link: impl FnMut(NodeId, NodeId, CellId)) {
        let mut last: FxHashMap<CellId, NodeId> = FxHashMap::default();
        for &node in order {
            for &cell in self.reads(node) {
                if let Some(&write) = last.get(&cell) {
                    link(node, write, cell);
                }
            }
            for &cell in self.writes(node) {
                last.insert(cell, node);
            }
        }
    }

    /// The writes that are seen by a read.
    pub fn read_writes(&self, order: &[NodeId]) -> FxHashSet<(NodeId, CellId)> {
        let mut read = FxHashSet::default();
        self.links(order, |_, write, cell| {
            read.insert((write, cell));
        });
        read
    }

    pub fn reads(&self, node: NodeId) -> &[CellId] {
        self.reads.get(&node).map_or(&[], Vec::as_slice)
    }

    pub fn writes(&self, node: NodeId) -> &[CellId] {
        self.writes.get(&node).map_or(&[], Vec::as_slice)
    }
}

/// Counts the machine's steps.
struct Targets {
    /// By thread: for each prefix of its list of steps, how many of them are taken.
    taken: Vec<Vec<u64>>,
    /// By node: how many steps its thread has taken right after it.
    after: FxHashMap<NodeId, u64>,
    targets: Vec<(ThreadId, u64)>,
}

impl Targets {
    fn new(query: &Query<'_>, model: &mut Model) -> Targets {
        let mut after = FxHashMap::default();
        let mut taken = Vec::new();
        for thread in query.graph().threads().values() {
            let mut count = 0;
            let mut counts = vec![0];
            for step in &thread.steps {
                if model.holds(&query.terms, step.guard) {
                    count += 1;
                }
                if step.is_node {
                    after.insert(step.node, count);
                }
                counts.push(count);
            }
            for &(node, entries) in &thread.local_nodes {
                after.insert(node, counts.get(entries).copied().unwrap_or(count));
            }
            taken.push(counts);
        }
        Targets { taken, after, targets: Vec::new() }
    }

    fn run(&mut self, block: &Block) {
        // A node that the machine does not count as a step is a part of the one before it in `steps`.
        let steps = block.nodes.iter().rev().find_map(|n| self.after.get(n));
        if let Some(&steps) = steps {
            self.targets.push((block.thread, steps));
        }
    }

    /// How many of the first `entries` steps in its list a thread has taken.
    fn count(&self, thread: ThreadId, entries: usize) -> u64 {
        let counts = &self.taken[thread.as_u32() as usize];
        counts.get(entries).or(counts.last()).copied().unwrap_or(0)
    }

    fn end_with(mut self, thread: ThreadId, entries: usize) -> Vec<(ThreadId, u64)> {
        let steps = self.count(thread, entries);
        // The claim's own step is the last that is kept; it is for the machine to take it and fail.
        self.targets.pop_if(|last| last.0 == thread);
        self.targets.push((thread, steps));
        self.targets
    }
}

fn inputs(query: &Query<'_>, model: &mut Model) -> Vec<(ThreadId, Vec<InputValue>)> {
    let mut inputs: Vec<(ThreadId, Vec<InputValue>)> = query.threads().map(|t| (t, Vec::new())).collect();
    for input in query.graph().inputs() {
        if model.holds(&query.terms, input.guard) {
            let value = model.value(&query.terms, input.value);
            inputs[input.thread.as_u32() as usize].1.push(InputValue { width: input.width, value });
        }
    }
    inputs.retain(|(_, values)| !values.is_empty());
    inputs
}

/// The thread that made an object, and how many objects it had made before.
type MadeBy = FxHashMap<ObjectId, (ThreadId, u64)>;

fn made(query: &Query<'_>, model: &mut Model) -> MadeBy {
    let mut made = MadeBy::default();
    for (id, thread) in query.graph().threads() {
        let mut count = 0;
        for entry in &thread.made {
            if model.holds(&query.terms, entry.guard) {
                made.insert(entry.object, (id, count));
                count += 1;
            }
        }
    }
    made
}

fn objects(query: &Query<'_>, made: &MadeBy) -> Vec<(ObjectId, Option<(ThreadId, u64)>)> {
    let is_there = |id: ObjectId| {
        let object = &query.graph().objects()[id];
        object.global.is_some() || object.function.is_some() || made.contains_key(&id)
    };
    let there = query.graph().objects().keys().filter(|id| is_there(*id));
    there.map(|id| (id, made.get(&id).copied())).collect()
}

fn ascending(query: &Query<'_>, model: &mut Model) -> Vec<ObjectId> {
    let ranks = query.graph().objects().iter().filter_map(|(id, object)| Some((object.rank?, id)));
    let mut ranked: Vec<_> = ranks.map(|(rank, id)| (model.value(&query.terms, rank), id)).collect();
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, id)| id).collect()
}

fn unwritten(query: &Query<'_>, model: &mut Model, made: &MadeBy) -> Vec<UnwrittenValue> {
    let mut begun: FxHashMap<ObjectId, u64> = FxHashMap::default();
    let scopes: Vec<Option<u64>> = query
        .graph()
        .begun()
        .iter()
        .map(|(guard, object)| {
            model.holds(&query.terms, *guard).then(|| {
                let scope = begun.entry(*object).or_default();
                *scope += 1;
                *scope
            })
        })
        .collect();
    let mut found = Vec::new();
    for memory in query.graph().unwritten() {
        let Some(scope) = memory.begun.map_or(Some(0), |i| scopes[i]) else { continue };
        let object = &query.graph().objects()[memory.object];
        let made = made.get(&memory.object).copied();
        // A variable of the program exists whether or not a thread is listed as its maker.
        if object.global.is_some() || object.made_by.is_none() || made.is_some() {
            found.push(UnwrittenValue {
                object: memory.object,
                made: if object.made_by.is_none() { None } else { made },
                scope,
                offset: memory.offset,
                bytes: memory.bytes,
                value: model.value(&query.terms, memory.value),
            });
        }
    }
    found
}

/// Threads in the order of their creation, including those that do not get to run.
fn threads(query: &Query<'_>, model: &mut Model, blocks: &[Block]) -> Vec<Option<ThreadId>> {
    let mut children: FxHashMap<NodeId, Vec<Option<ThreadId>>> = FxHashMap::default();
    for started in query.started() {
        if model.holds(&query.terms, started.guard) {
            children.entry(started.node).or_default().push(started.thread);
        }
    }
    let mut threads: Vec<_> = query.threads().take(1).map(Some).collect();
    let created = blocks.iter().flat_map(|b| &b.nodes).filter_map(|n| children.get(n)).flatten();
    threads.extend(created);
    threads
}
