//! One pass over the program: every thread is executed once, with what earlier passes know.

use crate::knowledge::{FactId, Knowledge, ObjectKey, Site, ThreadKey};
use crate::memory::ObjectInfo;
use crate::pointer::Targets;
use crate::state::{Guard, State, ThreadSet};
use crate::store::{Content, MAX_CELLS, Store};
use crate::values::{Addresses, Values};
use crate::*;
use cranelift_entity::{EntityRef, PrimaryMap};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use tp_ir::loops::LoopForest;
use tp_ir::{FuncId, GlobalId, Program};

/// A thread that is being executed.
pub(crate) struct Ctx {
    pub id: ThreadId,
    pub key: ThreadKey,
    /// The node that local steps follow.
    pub last_node: NodeId,
    /// How many threads it has started.
    pub starts: u32,
    /// Of the threads it comes from: how many were started where another one of them was, under a condition.
    pub nested: u32,
    /// The parts of its guard at the beginning.
    pub first_parts: usize,
    /// How often something was made at a site.
    pub counts: FxHashMap<Site, u32>,
    /// The latest place in the user's code.
    pub place: tp_ir::PlaceId,
    /// Functions being executed, each with the number of parts of the guard when it was entered.
    pub calls: Vec<(FuncId, usize)>,
    /// The calls of models in progress, from the user's code on.
    pub site: Vec<Site>,
    pub thread_locals: FxHashMap<GlobalId, ObjectId>,
    /// Functions in progress that only write text: to the machine their steps do not count.
    pub outputs: u32,
    /// The locals of the functions being executed.
    pub locals: Vec<ObjectId>,
}

/// A thread that waits to be executed.
pub(crate) struct Start {
    pub key: ThreadKey,
    pub function: FuncId,
    pub argument: Term,
    /// It is started when this holds.
    pub guard: Term,
    /// See `Ctx`.
    pub nested: u32,
    pub from: Option<(State, NodeId)>,
    /// Its place in `GraphBuilder::started`.
    pub index: usize,
}

pub(crate) struct Pass<'a> {
    pub program: &'a Program,
    pub config: &'a Config<'a>,
    pub know: &'a mut Knowledge,
    pub out: GraphBuilder,
    pub objects: PrimaryMap<ObjectId, ObjectInfo>,
    pub object_ids: FxHashMap<ObjectKey, ObjectId>,
    pub constants: Vec<Option<Term>>,
    pub loops: FxHashMap<FuncId, Rc<LoopForest>>,
    /// Values of terms that came out of memory.
    pub values: FxHashMap<Term, Values>,
    /// Of terms that got a name: the bits that are not known to be zero.
    pub named_bits: FxHashMap<Term, u32>,
    /// The blocks of objects that may have the address of another; see `reuse`.
    pub blocks: FxHashMap<ObjectId, Term>,
    /// Unknowns that stand for memory that nobody has written.
    pub unwritten: FxHashSet<Term>,
    /// The cases of terms that were asked for.
    pub cases: FxHashMap<Term, Option<Cases>>,
    /// The strides of terms that were asked for.
    pub strides: FxHashMap<Term, (u64, u64)>,
    /// Where terms can point, and where those that were followed do.
    pub addresses: FxHashMap<Term, Rc<Addresses>>,
    pub targets: FxHashMap<Term, Targets>,
    /// Of unknowns that are a part of such a value: the value, and the bit where they begin.
    pub parts: FxHashMap<Term, (Term, u32)>,
    /// By cell: what is known of it, and whether that includes what it holds first.
    pub fact_ids: Vec<FactId>,
    pub first_noted: Vec<bool>,
    /// Cells of new objects in which their maker has looked.
    pub looked_at: FxHashSet<CellId>,
    /// Cells whose first value was written by the maker of their object.
    pub begun: FxHashSet<CellId>,
    /// What the first thread left before any other existed.
    pub snapshot: Option<Store>,
    pub starts: Vec<Start>,
    pub queue: VecDeque<Start>,
    /// Nodes that wait: when each is passed, so far as that is known; they are taken only if nothing of it is false.
    pub waiting: FxHashMap<NodeId, Term>,
    pub instructions: u64,
    /// Cells turned out to be cut wrongly.
    pub recut: bool,
}

/// The values that a term can have, each with its condition, ascending.
pub(crate) type Cases = Rc<[(Term, u128)]>;

/// The outcome of something that may also find that the path ends here.
pub(crate) type Alive<T> = Result<Option<T>, Refusal>;

impl<'a> Pass<'a> {
    pub fn new(program: &'a Program, config: &'a Config<'a>, know: &'a mut Knowledge) -> Pass<'a> {
        let out = GraphBuilder {
            sees_addresses: know.sees_addresses,
            has_weak_atomics: know.has_weak_atomics,
            ..GraphBuilder::default()
        };
        Pass {
            program,
            config,
            know,
            out,
            objects: PrimaryMap::new(),
            object_ids: FxHashMap::default(),
            constants: vec![None; program.constants.len()],
            loops: FxHashMap::default(),
            values: FxHashMap::default(),
            named_bits: FxHashMap::default(),
            blocks: FxHashMap::default(),
            unwritten: FxHashSet::default(),
            cases: FxHashMap::default(),
            strides: FxHashMap::default(),
            addresses: FxHashMap::default(),
            targets: FxHashMap::default(),
            parts: FxHashMap::default(),
            fact_ids: Vec::new(),
            first_noted: Vec::new(),
            looked_at: FxHashSet::default(),
            begun: FxHashSet::default(),
            snapshot: None,
            starts: Vec::new(),
            queue: VecDeque::new(),
            waiting: FxHashMap::default(),
            instructions: 0,
            recut: false,
        }
    }

    pub fn run(mut self) -> Result<(GraphBuilder, bool), Refusal> {
        let key = self.know.thread(None, Site(0), 0);
        let argument = self.out.terms.bool(false);
        let guard = self.out.terms.bool(true);
        self.queue.push_back(Start {
            key,
            function: self.program.entry,
            argument,
            guard,
            nested: 0,
            from: None,
            index: 0,
        });
        while let Some(start) = self.queue.pop_front() {
            self.run_thread(start)?;
        }
        self.check_beginnings();
        let recut = self.recut;
        Ok((self.finish(), recut))
    }

    fn run_thread(&mut self, start: Start) -> Result<(), Refusal> {
        let place = self.program.functions[start.function].place;
        let parent = start.from.as_ref().map(|f| f.1);
        let id = self.out.threads.push(Thread {
            parent,
            number: start.key.0,
            steps: Vec::new(),
            local_nodes: Vec::new(),
            made: Vec::new(),
        });
        let first = self.out.nodes.push(Node { thread: id, guard: start.guard, place });
        if parent.is_some() {
            self.out.started[start.index].thread = Some(id);
        }
        let mut guard = Guard::always(&mut self.out.terms);
        if !guard.add(&mut self.out.terms, start.guard) {
            return Ok(());
        }
        let mut ctx = Ctx {
            id,
            key: start.key,
            last_node: first,
            starts: 0,
            nested: start.nested,
            first_parts: guard.len(),
            counts: FxHashMap::default(),
            place,
            calls: Vec::new(),
            site: Vec::new(),
            thread_locals: FxHashMap::default(),
            locals: Vec::new(),
            outputs: 0,
        };
        let mut state = State {
            guard,
            store: Store::default(),
            concurrent: false,
            ended: ThreadSet::default(),
            started: ThreadSet::default(),
            step: None,
            effects: Default::default(),
            held: Default::default(),
        };
        let mut arguments = Vec::new();
        if let Some((from, _)) = start.from {
            state.store = from.store;
            state.ended = from.ended;
            state.concurrent = true;
            arguments.push(start.argument);
            self.forget_shared(&ctx, &mut state);
        }
        if let Some((state, _)) = self.call(&mut ctx, state, start.function, &arguments)? {
            self.out.ended.push((id, state.guard.term()));
        }
        Ok(())
    }

    /// What other threads may write while this one runs is not known.
    pub fn forget_shared(&mut self, ctx: &Ctx, state: &mut State) {
        for i in 0..self.out.cells.len() {
            let cell = CellId::new(i);
            let lost = match state.store.get(cell) {
                Content::Stale => false,
                Content::First => self.others_write(ctx, state, cell),
                Content::Known(value) => !self.stays(ctx, state, cell, value),
            };
            if lost {
                state.store.set(cell, Content::Stale);
            }
        }
    }

    /// One instruction is about to be executed.
    #[inline]
    pub fn spend(&mut self) -> Result<(), Refusal> {
        self.instructions += 1;
        if self.instructions.is_multiple_of(256) {
            if self.config.stop.load(Ordering::Relaxed) {
                return Err(Refusal::Stopped);
            }
            if self.instructions > self.config.max_instructions
                || self.out.cells.len() + 4096 > MAX_CELLS
                || self.know.full
            {
                return Err(Refusal::TooLarge);
            }
        }
        Ok(())
    }
}
