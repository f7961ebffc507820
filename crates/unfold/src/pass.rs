//! One pass over the program: every thread is executed once, with what earlier passes know.

use crate::knowledge::{CellFacts, FactId, Knowledge, ObjectKey, ObjectName, Site, ThreadKey, Values};
use crate::loops::Loops;
use crate::state::{Guard, State, ThreadSet};
use crate::store::{Content, MAX_CELLS, Store};
use crate::*;
use cranelift_entity::{EntityRef, PrimaryMap};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::sync::atomic::Ordering;
use tp_ir::{Const, ConstId, FuncId, GlobalId, Init, Origin, Program, Width};

pub(crate) enum Contents {
    /// Never written: any value.
    Unwritten,
    Zero,
    Global(GlobalId),
}

/// What an object is to the pass.
pub(crate) struct ObjectInfo {
    pub key: ObjectKey,
    pub site: Site,
    pub base: u64,
    pub size: u64,
    pub contents: Contents,
    pub function: Option<FuncId>,
    /// Only the thread that made it can reach it.
    pub private: bool,
    pub constant: bool,
    /// Belongs to the models: an access outside an atomic section is no step.
    pub internal: bool,
    pub cells: BTreeMap<u64, CellId>,
    /// The condition of the path that made it while other threads were there, until another thread may have its address.
    pub fresh: Option<Term>,
    /// Its size, when that is not the constant `size`, which is then the most that is followed.
    pub exact_size: Option<Term>,
}

/// A thread that is being executed.
pub(crate) struct Ctx {
    pub id: ThreadId,
    pub key: ThreadKey,
    /// The node that local steps follow.
    pub last_node: NodeId,
    /// How many threads it has started.
    pub starts: u32,
    /// How often something was made at a site.
    pub counts: FxHashMap<Site, u32>,
    /// The latest place in the user's code.
    pub place: tp_ir::PlaceId,
    /// Functions being executed, each with the number of parts of the guard when it was entered.
    pub calls: Vec<(FuncId, usize)>,
    /// The calls of models in progress, from the user's code on.
    pub site: Vec<Site>,
    pub thread_locals: FxHashMap<GlobalId, ObjectId>,
}

/// A thread that waits to be executed.
pub(crate) struct Start {
    pub key: ThreadKey,
    pub function: FuncId,
    pub argument: Term,
    /// It is started when this holds.
    pub guard: Term,
    pub from: Option<(State, NodeId)>,
    /// Its place in `Unfolded::started`.
    pub index: usize,
}

pub(crate) struct Pass<'a> {
    pub program: &'a Program,
    pub config: &'a Config<'a>,
    pub know: &'a mut Knowledge,
    pub out: Unfolded,
    pub objects: PrimaryMap<ObjectId, ObjectInfo>,
    object_ids: FxHashMap<ObjectKey, ObjectId>,
    pub constants: Vec<Option<Term>>,
    pub loops: FxHashMap<FuncId, Rc<Loops>>,
    /// Values of terms that came out of memory.
    pub values: FxHashMap<Term, Values>,
    /// Of unknowns that are a part of such a value: the value, and the bit where they begin.
    pub parts: FxHashMap<Term, (Term, u32)>,
    /// By cell: what is known of it, and whether that includes what it holds first.
    fact_ids: Vec<FactId>,
    pub first_noted: Vec<bool>,
    /// What the first thread left before any other existed.
    pub snapshot: Option<Store>,
    pub starts: Vec<Start>,
    pub queue: VecDeque<Start>,
    /// Of nodes that wait: the unknown that says that they are passed.
    pub passed: FxHashMap<NodeId, Term>,
    /// Of nodes that wait: the conditions under which they are left, or fail.
    pub left: FxHashMap<NodeId, Vec<Term>>,
    /// Where the program ends: nodes and conditions.
    pub exits: Vec<(NodeId, Term)>,
    pub instructions: u64,
    /// Cells turned out to be cut wrongly.
    pub recut: bool,
}

/// What is copied or filled and not used otherwise is cut into words if it is longer than this.
pub(crate) const LONGEST_CELL: u64 = 16;

/// The cells of an access, which is mostly one.
pub(crate) struct Cells {
    first: CellId,
    others: Vec<CellId>,
}

impl Cells {
    pub fn iter(&self) -> impl Iterator<Item = CellId> + '_ {
        std::iter::once(self.first).chain(self.others.iter().copied())
    }
}

/// The outcome of something that may also find that the path ends here.
pub(crate) type Alive<T> = Result<Option<T>, Refusal>;

impl<'a> Pass<'a> {
    pub fn new(program: &'a Program, config: &'a Config<'a>, know: &'a mut Knowledge) -> Pass<'a> {
        let out = Unfolded {
            terms: tp_solver::Terms::new(),
            threads: PrimaryMap::new(),
            nodes: PrimaryMap::new(),
            cells: PrimaryMap::new(),
            objects: PrimaryMap::new(),
            reads: Vec::new(),
            writes: Vec::new(),
            assumptions: Vec::new(),
            claims: Vec::new(),
            limits: Vec::new(),
            started: Vec::new(),
            inputs: Vec::new(),
            guesses: Vec::new(),
            unwritten: Vec::new(),
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
            parts: FxHashMap::default(),
            fact_ids: Vec::new(),
            first_noted: Vec::new(),
            snapshot: None,
            starts: Vec::new(),
            queue: VecDeque::new(),
            passed: FxHashMap::default(),
            left: FxHashMap::default(),
            exits: Vec::new(),
            instructions: 0,
            recut: false,
        }
    }

    pub fn run(mut self) -> Result<(Unfolded, bool), Refusal> {
        let key = self.know.thread(None, Site(0), 0);
        let argument = self.out.terms.bool(false);
        let guard = self.out.terms.bool(true);
        self.queue.push_back(Start { key, function: self.program.entry, argument, guard, from: None, index: 0 });
        while let Some(start) = self.queue.pop_front() {
            self.run_thread(start)?;
        }
        let recut = self.recut;
        Ok((self.finish(), recut))
    }

    fn run_thread(&mut self, start: Start) -> Result<(), Refusal> {
        let place = self.program.functions[start.function].place;
        let parent = start.from.as_ref().map(|f| f.1);
        let id = self.out.threads.push(Thread { parent, steps: Vec::new(), made: Vec::new() });
        let first = self.out.nodes.push(Node { thread: id, guard: start.guard, place });
        if parent.is_some() {
            self.out.started[start.index].thread = Some(id);
        }
        let mut ctx = Ctx {
            id,
            key: start.key,
            last_node: first,
            starts: 0,
            counts: FxHashMap::default(),
            place,
            calls: Vec::new(),
            site: Vec::new(),
            thread_locals: FxHashMap::default(),
        };
        let mut guard = Guard::always(&mut self.out.terms);
        if !guard.add(&mut self.out.terms, start.guard) {
            return Ok(());
        }
        let mut state = State {
            guard,
            store: Store::default(),
            concurrent: false,
            ended: ThreadSet::default(),
            started: ThreadSet::default(),
            step: None,
            effects: Default::default(),
        };
        let mut arguments = Vec::new();
        if let Some((from, _)) = start.from {
            state.store = from.store;
            state.ended = from.ended;
            state.concurrent = true;
            arguments.push(start.argument);
            self.forget_shared(&ctx, &mut state);
        }
        self.call(&mut ctx, state, start.function, &arguments)?;
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

    // ── objects ────────────────────────────────────────────────────────────────────────────────────────────────

    pub fn pointer_width(&self) -> Width {
        self.program.data_model.pointer_width()
    }

    pub fn add_object(
        &mut self,
        name: ObjectName,
        size: u64,
        align: u64,
        contents: Contents,
        made_by: Option<ThreadId>,
    ) -> ObjectId {
        let site = match &name {
            ObjectName::Made { site, .. } => *site,
            ObjectName::Global(g) | ObjectName::ThreadLocal(_, g) => Site(g.as_u32() as u64 * 2 + 1),
            ObjectName::Function(_) | ObjectName::Running => Site(0),
        };
        let function = match &name {
            ObjectName::Function(f) => Some(*f),
            _ => None,
        };
        let global = match &name {
            ObjectName::Global(g) | ObjectName::ThreadLocal(_, g) => Some(*g),
            _ => None,
        };
        let key = self.know.object(name, size, align);
        if let Some(&id) = self.object_ids.get(&key) {
            let object = &mut self.out.objects[id];
            object.made_by = object.made_by.or(made_by);
            return id;
        }
        let base = self.know.objects[key.0 as usize].base;
        self.out.objects.push(Object { made_by, global, size });
        let id = self.objects.push(ObjectInfo {
            key,
            site,
            base,
            size,
            contents,
            function,
            private: false,
            constant: false,
            internal: false,
            cells: BTreeMap::new(),
            fresh: None,
            exact_size: None,
        });
        self.object_ids.insert(key, id);
        id
    }

    /// The object with this name. It may belong to a thread that is executed later in this pass.
    pub fn object_with_key(&mut self, key: ObjectKey) -> Option<ObjectId> {
        if let Some(&id) = self.object_ids.get(&key) {
            return Some(id);
        }
        let row = &self.know.objects[key.0 as usize];
        let size = row.size;
        Some(match row.name.clone() {
            ObjectName::Global(global) => self.global(global, None),
            ObjectName::ThreadLocal(thread, global) => self.global(global, Some((thread, None))),
            ObjectName::Function(function) => self.function(function),
            name @ ObjectName::Made { .. } => self.add_object(name, size, 1, Contents::Unwritten, None),
            ObjectName::Running => return None,
        })
    }

    pub fn global(&mut self, global: GlobalId, thread: Option<(ThreadKey, Option<ThreadId>)>) -> ObjectId {
        let g = &self.program.globals[global];
        let name = match thread {
            Some((key, _)) => ObjectName::ThreadLocal(key, global),
            None => ObjectName::Global(global),
        };
        let contents = if g.init == Init::Zero { Contents::Zero } else { Contents::Global(global) };
        let id = self.add_object(name, g.size, g.align as u64, contents, thread.and_then(|t| t.1));
        let info = &mut self.objects[id];
        info.constant = g.constant;
        info.internal = g.origin == Origin::Model;
        info.private = g.thread_local && g.origin == Origin::Model;
        id
    }

    pub fn function(&mut self, function: FuncId) -> ObjectId {
        let id = self.add_object(ObjectName::Function(function), 1, 16, Contents::Zero, None);
        self.objects[id].constant = true;
        id
    }

    pub fn constant(&mut self, id: ConstId) -> Term {
        if let Some(term) = self.constants[id.index()] {
            return term;
        }
        let pointer = self.pointer_width();
        let term = match self.program.constants[id] {
            Const::Int { width, bits } => self.out.terms.constant(width, bits),
            Const::F32(bits) => self.out.terms.constant(Width::W32, bits as u128),
            Const::F64(bits) => self.out.terms.constant(Width::W64, bits as u128),
            Const::Null => self.out.terms.constant(pointer, 0),
            Const::Function(f) => {
                let object = self.function(f);
                self.address(object, 0)
            }
            Const::Global { global, offset } => {
                if self.program.globals[global].thread_local {
                    self.out.terms.constant(pointer, 0)
                } else {
                    let object = self.global(global, None);
                    self.address(object, offset)
                }
            }
        };
        self.constants[id.index()] = Some(term);
        term
    }

    pub fn address(&mut self, object: ObjectId, offset: i64) -> Term {
        let base = self.objects[object].base;
        self.out.terms.constant(self.pointer_width(), base.wrapping_add(offset as u64) as u128)
    }

    // ── cells ──────────────────────────────────────────────────────────────────────────────────────────────────

    /// The cells that an access touches, in order; `None` when they are cut in another way in this pass.
    pub fn cells_of(&mut self, object: ObjectId, offset: u64, len: u64, is_access: bool) -> Option<Cells> {
        if let Some(&cell) = self.objects[object].cells.get(&offset)
            && self.out.cells[cell].bytes as u64 == len
        {
            return Some(Cells { first: cell, others: Vec::new() });
        }
        let site = self.objects[object].site;
        let cuts = self.know.cuts.entry(site).or_default();
        if is_access {
            // Objects that were made before may be cut in another way; that is found out when they are used.
            cuts.extend([offset, offset + len]);
        }
        let mut pieces: Vec<u64> = cuts.range(offset + 1..offset + len).copied().collect();
        pieces.push(offset + len);
        let word = self.pointer_width().bytes() as u64;
        let mut found = Vec::new();
        let mut at = offset;
        for end in pieces {
            let is_long = end - at > LONGEST_CELL;
            while at < end {
                let next = if is_long { (at + 1).next_multiple_of(word).min(end) } else { end };
                found.push(self.cell(object, at, (next - at) as u32)?);
                at = next;
            }
        }
        let mut found = found.into_iter();
        Some(Cells { first: found.next()?, others: found.collect() })
    }

    fn cell(&mut self, object: ObjectId, offset: u64, bytes: u32) -> Option<CellId> {
        let info = &self.objects[object];
        if let Some(&cell) = info.cells.get(&offset)
            && self.out.cells[cell].bytes == bytes
        {
            return Some(cell);
        }
        let before = info.cells.range(..offset + bytes as u64).next_back();
        if let Some((&start, &cell)) = before
            && start + self.out.cells[cell].bytes as u64 > offset
        {
            self.recut = true;
            return None;
        }
        let fact = self.know.fact((self.objects[object].key, offset));
        let first = match (self.know.initial(fact), Width::new(bytes * 8)) {
            (Some(value), Some(width)) => self.out.terms.constant(width, value),
            _ => self.first_value(object, offset, bytes),
        };
        let cell = self.out.cells.push(Cell { object, offset, bytes, first });
        self.objects[object].cells.insert(offset, cell);
        self.fact_ids.push(fact);
        self.first_noted.push(false);
        Some(cell)
    }

    /// What lies in a part of an object from the beginning.
    pub fn first_value(&mut self, object: ObjectId, offset: u64, bytes: u32) -> Term {
        let width = Width::new(bytes * 8).unwrap_or(Width::W8);
        match self.objects[object].contents {
            Contents::Zero => self.out.terms.constant(width, 0),
            Contents::Unwritten => self.unwritten(object, offset, bytes, width),
            Contents::Global(global) => {
                let program = self.program;
                let Init::Bytes { bytes: data, pointers } = &program.globals[global].init else {
                    return self.unwritten(object, offset, bytes, width);
                };
                let word = self.pointer_width().bytes() as u64;
                let inside = |p: &&(u64, ConstId)| p.0 < offset + bytes as u64 && offset < p.0 + word;
                if let Some(&(at, constant)) = pointers.iter().find(inside) {
                    let value = self.constant(constant);
                    if at == offset && word == bytes as u64 {
                        return value;
                    }
                }
                let mut value = 0u128;
                for i in (0..bytes as u64).rev() {
                    let at = offset + i;
                    let pointer = pointers.iter().find(|p| p.0 <= at && at < p.0 + word);
                    let byte = match pointer {
                        Some(&(start, constant)) => {
                            let whole = self.constant(constant);
                            let bits = self.out.terms.as_const(whole).unwrap_or(0);
                            (bits >> (8 * (at - start))) as u8
                        }
                        None => data.get(at as usize).copied().unwrap_or(0),
                    };
                    value = value << 8 | byte as u128;
                }
                self.out.terms.constant(width, value)
            }
        }
    }

    fn unwritten(&mut self, object: ObjectId, offset: u64, bytes: u32, width: Width) -> Term {
        let value = self.out.terms.variable(width);
        self.out.unwritten.push(Unwritten { object, offset, bytes, value });
        value
    }

    pub fn cell_key(&self, cell: CellId) -> FactId {
        self.fact_ids[cell.index()]
    }

    pub fn facts(&self, cell: CellId) -> &CellFacts {
        self.know.facts_of(self.cell_key(cell))
    }

    // ── the result ─────────────────────────────────────────────────────────────────────────────────────────────

    fn finish(mut self) -> Unfolded {
        let snapshot = self.snapshot.take().unwrap_or_default();
        for (cell, row) in self.out.cells.iter_mut() {
            if let Content::Known(value) = snapshot.get(cell) {
                row.first = value;
            }
        }
        self.claims_need_running();
        self.nodes_that_wait();
        self.out
    }

    /// After the program has ended nothing fails any more.
    fn claims_need_running(&mut self) {
        let exits = std::mem::take(&mut self.exits);
        let thread_of = |out: &Unfolded, node: NodeId| out.nodes[node].thread;
        let object = self.add_object(ObjectName::Running, 1, 1, Contents::Zero, None);
        let first = self.out.terms.constant(Width::BOOL, 1);
        let cell = self.out.cells.push(Cell { object, offset: 0, bytes: 1, first });
        let zero = self.out.terms.constant(Width::BOOL, 0);
        for &(node, guard) in &exits {
            self.out.writes.push(Write { node, cell, guard, value: zero });
        }
        let running = |out: &mut Unfolded, node: NodeId, condition: Term| {
            let thread = thread_of(out, node);
            if exits.iter().all(|&(n, _)| thread_of(out, n) == thread) {
                return condition;
            }
            let value = out.terms.variable(Width::BOOL);
            out.reads.push(Read { node, cell, guard: condition, value });
            out.terms.and(condition, value)
        };
        for i in 0..self.out.claims.len() {
            let Claim { node, fails, .. } = self.out.claims[i];
            self.out.claims[i].fails = running(&mut self.out, node, fails);
        }
        for i in 0..self.out.limits.len() {
            let Limit { node, reached, .. } = self.out.limits[i];
            self.out.limits[i].reached = running(&mut self.out, node, reached);
        }
    }

    /// The events of a node that waits take part only when it is left.
    fn nodes_that_wait(&mut self) {
        let out = &mut self.out;
        let mut conditions: FxHashMap<NodeId, Term> = FxHashMap::default();
        for &node in self.passed.keys() {
            let nothing = out.terms.bool(false);
            let left = self.left.get(&node).map_or(&[][..], |l| l);
            let any = left.iter().fold(nothing, |any, &l| out.terms.or(any, l));
            conditions.insert(node, any);
        }
        for read in &mut out.reads {
            if let Some(&condition) = conditions.get(&read.node) {
                read.guard = out.terms.and(read.guard, condition);
            }
        }
        for (id, node) in out.nodes.iter_mut() {
            if let Some(&condition) = conditions.get(&id) {
                node.guard = out.terms.and(node.guard, condition);
            }
        }
        for thread in out.threads.values_mut() {
            for step in &mut thread.steps {
                if step.is_node && let Some(&condition) = conditions.get(&step.node) {
                    step.guard = out.terms.and(step.guard, condition);
                }
            }
        }
    }
}
