//! One pass over the program: every thread is executed once, with what earlier passes have learned.

use crate::cases::CaseMemo;
use crate::knowledge::{CreationSite, Knowledge, ThreadKey};
use crate::memory::{Interned, ObjectInfo};
use crate::pointer::PointerMemo;
use crate::reuse::Blocks;
use crate::sharing::CellNotes;
use crate::spots::StrideMemo;
use crate::state::{Guard, State, ThreadSet};
use crate::store::{Content, MAX_CELLS, Store};
use crate::values::KnownValues;
use crate::*;
use cranelift_entity::{EntityRef, PrimaryMap};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use tp_ir::loops::LoopForest;
use tp_ir::{FuncId, GlobalId, Program};

/// A thread that is being executed.
pub(crate) struct RunningThread {
    pub id: ThreadId,
    pub key: ThreadKey,
    /// The node that local steps follow.
    pub last_node: NodeId,
    /// How many threads it has started.
    pub starts: u32,
    /// Depth of recursive starts: how often, from the first thread to this one, a thread was started under a condition
    /// at a site at which an ancestor of it was started already.
    pub nested: u32,
    /// The number of parts of its guard when it starts.
    pub first_parts: usize,
    /// How many objects were made and threads started at a site.
    pub counts: FxHashMap<CreationSite, u32>,
    /// The latest place in the user's code.
    pub place: tp_ir::PlaceId,
    /// Functions being executed, each with the number of parts of the guard when it was entered.
    pub calls: Vec<(FuncId, usize)>,
    /// The current instruction in each active function, from the latest one of the user's code on.
    pub site: Vec<CreationSite>,
    pub thread_locals: FxHashMap<GlobalId, ObjectId>,
    /// Active functions that only write text: the machine does not count their steps.
    pub outputs: u32,
    /// The locals of the functions being executed.
    pub locals: Vec<ObjectId>,
}

impl RunningThread {
    /// The first thread, before its first step.
    fn new() -> RunningThread {
        RunningThread {
            id: ThreadId::from_u32(0),
            key: ThreadKey(0),
            last_node: NodeId::from_u32(0),
            starts: 0,
            nested: 0,
            first_parts: 0,
            counts: FxHashMap::default(),
            place: tp_ir::PlaceId::from_u32(0),
            calls: Vec::new(),
            site: Vec::new(),
            thread_locals: FxHashMap::default(),
            locals: Vec::new(),
            outputs: 0,
        }
    }
}

/// A thread that waits to be executed.
pub(crate) struct Start {
    pub key: ThreadKey,
    pub function: FuncId,
    pub argument: Term,
    /// It is started when this holds.
    pub guard: Term,
    /// See `RunningThread`.
    pub nested: u32,
    pub from: Option<(State, NodeId)>,
    /// Its index in `GraphBuilder::started`.
    pub index: usize,
}

pub(crate) struct Pass<'a> {
    pub program: &'a Program,
    pub config: &'a UnfoldConfig<'a>,
    pub know: &'a mut Knowledge,
    pub out: GraphBuilder,
    /// The thread that is being executed; one after the other.
    pub thread: RunningThread,
    pub objects: PrimaryMap<ObjectId, ObjectInfo>,
    pub interned: Interned,
    pub loops: FxHashMap<FuncId, Rc<LoopForest>>,
    pub values: KnownValues,
    pub pointers: PointerMemo,
    pub case_memo: CaseMemo,
    pub strides: StrideMemo,
    pub blocks: Blocks,
    pub notes: CellNotes,
    /// The memory as the first thread left it before any other existed.
    pub snapshot: Option<Store>,
    pub starts: Vec<Start>,
    pub queue: VecDeque<Start>,
    /// Nodes that wait, each with the condition to pass it, a conjunction over its awaits so far.
    pub waiting: FxHashMap<NodeId, Term>,
    pub instructions: u64,
    /// An access needs other cells than its object was cut into: another pass is needed.
    pub recut: bool,
}

/// The values that a term can have, each with its condition, ascending.
pub(crate) type Cases = Rc<[(Term, u128)]>;

/// A result; `None`: the path ends here.
pub(crate) type Alive<T> = Result<Option<T>, Refusal>;

impl<'a> Pass<'a> {
    pub fn new(program: &'a Program, config: &'a UnfoldConfig<'a>, know: &'a mut Knowledge) -> Pass<'a> {
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
            thread: RunningThread::new(),
            objects: PrimaryMap::new(),
            interned: Interned::new(program),
            loops: FxHashMap::default(),
            values: KnownValues::default(),
            pointers: PointerMemo::default(),
            case_memo: CaseMemo::default(),
            strides: StrideMemo::default(),
            blocks: Blocks::default(),
            notes: CellNotes::default(),
            snapshot: None,
            starts: Vec::new(),
            queue: VecDeque::new(),
            waiting: FxHashMap::default(),
            instructions: 0,
            recut: false,
        }
    }

    pub fn run(mut self) -> Result<(GraphBuilder, bool), Refusal> {
        let key = self.know.thread(None, CreationSite(0), 0);
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
        let id = self.out.threads.push(GraphThread {
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
        self.thread = RunningThread {
            id,
            key: start.key,
            last_node: first,
            nested: start.nested,
            first_parts: guard.len(),
            place,
            ..RunningThread::new()
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
            self.forget_shared(&mut state);
        }
        if let Some((state, _)) = self.call(state, start.function, &arguments)? {
            self.out.ended.push((id, state.guard.term()));
        }
        Ok(())
    }

    /// Forgets the contents of cells that other threads may write while this one runs.
    pub fn forget_shared(&mut self, state: &mut State) {
        for i in 0..self.out.cells.len() {
            let cell = CellId::new(i);
            let lost = match state.store.get(cell) {
                Content::Stale => false,
                Content::First => self.others_write(state, cell),
                Content::Known(value) => !self.keeps_value(state, cell, value),
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
