//! Where pointers point: inclusion-based points-to analysis of the whole program (Andersen, 1994), which finds the
//! calls through pointers and the threads as it goes.
//!
//! Every register of every context has a set, integers included: a value computed from an address points where the
//! address does. Memory contents are kept by object and offset, and only grow. The analysis is flow-insensitive, so a
//! set holds for every execution, with any number of iterations and threads.
//!
//! Sets cover what the program can do up to its first undefined behaviour: an index that is computed from no address
//! does not leave the object. A number that an address decides, by a comparison, a branch or an index, may reveal that
//! address (`taint`); used as a pointer, it may point to every object whose address has leaked.

use super::numbers::chosen;
use super::value::{Computed, ValueSite, value};
use super::{
    AbstractObject, MemoryContents, ObjectId, Objects, Offset, Origins, PointsTo, PointsToSet, Taint,
};
use crate::callgraph::{CallGraph, ContextId, InstSite, Sensitivity};
use crate::models;
use crate::postdominators::PostDominators;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use tp_ir::{
    Block, BlockId, Body, Const, EntityRef, FuncId, Init, Inst, Op, Operand, Program, Reg, Target,
    Terminator, Type,
};

/// Why nothing can be said about a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GaveUp {
    /// It has too many contexts.
    TooLarge,
    /// It calls a function that is defined nowhere.
    Unmodelled(Box<str>),
    /// It contains an instruction that could not be imported.
    Unsupported(Box<str>),
    /// The analysis was stopped from outside.
    Stopped,
}

pub fn solve<'p>(
    program: &'p Program,
    sensitivity: Sensitivity,
    most_contexts: usize,
    stop: &AtomicBool,
) -> Result<PointsTo<'p>, GaveUp> {
    let mut solver = PointsToSolver {
        stop,
        points_to: PointsTo {
            program,
            call_graph: CallGraph::new(program, sensitivity),
            objects: Objects::default(),
            registers: Vec::new(),
            memory: Vec::new(),
            leaked: BTreeSet::new(),
        },
        results: BTreeMap::new(),
        readers: Vec::new(),
        decided: Vec::new(),
        guesses: BTreeSet::new(),
        is_guessed: false,
        of_sizes: Taint::NONE,
        origins: BTreeMap::new(),
        control: BTreeMap::new(),
        queue: VecDeque::new(),
        queued: BTreeSet::new(),
        gave_up: None,
        most_contexts,
    };
    solver.globals();
    solver.grow_contexts();
    solver.enqueue(ContextId::ENTRY);
    loop {
        while let Some(context) = solver.queue.pop_front() {
            solver.queued.remove(&context);
            solver.visit(context);
            if let Some(why) = solver.gave_up {
                return Err(why);
            }
        }
        // All addresses have been propagated.
        if !solver.guess() {
            return Ok(solver.points_to);
        }
    }
}

pub struct PointsToSolver<'p, 's> {
    stop: &'s AtomicBool,
    pub points_to: PointsTo<'p>,
    /// What a context returns.
    pub results: BTreeMap<ContextId, Vec<PointsToSet>>,
    /// The contexts that read an object.
    pub readers: Vec<BTreeSet<ContextId>>,
    /// By context: addresses decide whether it is called.
    decided: Vec<bool>,
    /// Instructions whose result may be a number that was found by comparing it with addresses.
    pub guesses: BTreeSet<InstSite>,
    /// Whether there are such numbers.
    pub is_guessed: bool,
    /// The taint of object sizes.
    pub of_sizes: Taint,
    origins: BTreeMap<FuncId, Rc<Origins<'p>>>,
    control: BTreeMap<FuncId, PostDominators>,
    queue: VecDeque<ContextId>,
    queued: BTreeSet<ContextId>,
    pub gave_up: Option<GaveUp>,
    most_contexts: usize,
}

impl<'p> PointsToSolver<'p, '_> {
    pub fn enqueue(&mut self, context: ContextId) {
        if self.queued.insert(context) {
            self.queue.push_back(context);
        }
    }

    pub fn object(&mut self, object: AbstractObject) -> ObjectId {
        let id = self.points_to.objects.id(object);
        let count = self.points_to.objects.count();
        let is_new = self.points_to.memory.len() < count;
        self.points_to.memory.resize_with(count, MemoryContents::default);
        self.readers.resize_with(count, BTreeSet::new);
        if is_new && let AbstractObject::ThreadLocal(global, _) = object {
            self.initial(id, global);
        }
        id
    }

    /// Room for the registers of new contexts.
    pub fn grow_contexts(&mut self) {
        let PointsTo { program, call_graph, registers, .. } = &mut self.points_to;
        for new in registers.len()..call_graph.context_count() {
            let function = call_graph.function(ContextId(new as u32));
            let body = program.functions[function].body.as_ref();
            registers.push(vec![PointsToSet::default(); body.map_or(0, |b| b.regs.len())]);
        }
        if self.points_to.call_graph.context_count() > self.most_contexts {
            self.gave_up.get_or_insert(GaveUp::TooLarge);
        }
    }

    fn globals(&mut self) {
        let outside = self.object(AbstractObject::Outside);
        self.store_at(outside, Offset::ANY, 1, &PointsToSet::to(outside, Offset::ANY));
        let program = self.points_to.program;
        for f in program.functions.keys() {
            self.object(AbstractObject::Function(f));
        }
        for global in program.globals.keys() {
            let id = self.object(AbstractObject::Global(global));
            self.initial(id, global);
        }
    }

    fn initial(&mut self, id: ObjectId, global: tp_ir::GlobalId) {
        match &self.points_to.program.globals[global].init {
            Init::Zero => {}
            Init::Unknown => {
                let outside = self.object(AbstractObject::Outside);
                self.store_at(id, Offset::ANY, 1, &PointsToSet::to(outside, Offset::ANY));
            }
            Init::Bytes { pointers, .. } => {
                for (offset, constant) in pointers {
                    let points = self.points_to.points(ContextId::ENTRY, Operand::from(*constant));
                    // A pointer to a variable that comes later: its object is made now.
                    let points = match self.points_to.program.constants[*constant] {
                        Const::Global { global, offset } => PointsToSet::to(
                            self.object(AbstractObject::Global(global)),
                            Offset::exact(offset),
                        ),
                        _ => points,
                    };
                    let at = i64::try_from(*offset).map_or(Offset::ANY, Offset::exact);
                    self.store_at(id, at, self.bytes(Type::Ptr), &points);
                }
            }
        }
    }

    fn visit(&mut self, context: ContextId) {
        let function = self.points_to.call_graph.function(context);
        let Some(body) = &self.points_to.program.functions[function].body else { return };
        // Blocks are mostly in the order of control flow; a loop may need another pass.
        let mut visit = ContextVisit {
            context,
            grown: true,
            is_decided: false,
            inside: Blocks::new(),
            met: Blocks::new(),
        };
        while visit.grown && self.gave_up.is_none() {
            visit.grown = false;
            self.branches(&mut visit, body);
            for (block, row) in &body.blocks {
                if self.stop.load(Ordering::Relaxed) {
                    self.gave_up = Some(GaveUp::Stopped);
                    return;
                }
                visit.is_decided = visit.inside.contains(&block)
                    || self.decided.get(context.0 as usize).is_some_and(|is_decided| *is_decided);
                for (inst, row) in row.insts.iter().enumerate() {
                    self.inst(&mut visit, InstSite { context, block, inst }, row);
                }
                self.terminator(&mut visit, body, block);
            }
        }
    }

    /// Finds the blocks for which addresses decide whether they are executed, or which edge enters them.
    fn branches(&mut self, visit: &mut ContextVisit, body: &'p Body) {
        let function = self.points_to.call_graph.function(visit.context);
        if self.hides(visit.context) {
            return;
        }
        for (block, row) in &body.blocks {
            let value = match &row.terminator {
                Terminator::Branch { cond, .. } => *cond,
                Terminator::Switch(switch) => switch.value,
                Terminator::Jump(_) | Terminator::Return(_) | Terminator::Unreachable => continue,
            };
            let value = self.points_to.points(visit.context, value);
            if value.is_plain() {
                continue;
            }
            self.leak(&value);
            let control = self.control.entry(function).or_insert_with(|| PostDominators::new(body));
            let (inside, meeting) = control.influence(block);
            visit.inside.extend(inside);
            visit.met.extend(meeting);
        }
    }

    pub fn set(&mut self, visit: &mut ContextVisit, reg: Reg, points: &PointsToSet) {
        if let Some(set) = self.points_to.registers[visit.context.index()].get_mut(reg.index()) {
            visit.grown |= set.add_all(points);
        }
    }

    fn terminator(&mut self, visit: &mut ContextVisit, body: &Body, from: BlockId) {
        let terminator = &body.blocks[from].terminator;
        let mut moves: Vec<(BlockId, Reg, Operand)> = Vec::new();
        terminator.each_target(|Target { block, args }| {
            let params: &[Reg] = body.blocks.get(*block).map_or(&[], |b: &Block| &b.params);
            moves.extend(params.iter().zip(args).map(|(param, arg)| (*block, *param, *arg)));
        });
        for (to, param, arg) in moves {
            let mut points = self.points_to.points(visit.context, arg);
            if visit.inside.contains(&to) || visit.met.contains(&to) {
                points = chosen(self.points_to.program, points, arg, is_pointer(body, param));
            }
            self.set(visit, param, &points);
        }
        if let Terminator::Return(values) = terminator {
            let types =
                &self.points_to.program.functions[self.points_to.call_graph.function(visit.context)].results;
            let mut grown = false;
            for (i, value) in values.iter().enumerate() {
                let mut points = self.points_to.points(visit.context, *value);
                if visit.inside.contains(&from) {
                    points = chosen(self.points_to.program, points, *value, types.get(i) == Some(&Type::Ptr));
                }
                let results = self.results.entry(visit.context).or_default();
                results.resize_with(results.len().max(i + 1), PointsToSet::default);
                grown |= results[i].add_all(&points);
            }
            if grown {
                for caller in self.points_to.call_graph.callers(visit.context).to_vec() {
                    self.enqueue(caller.context);
                }
            }
        }
    }

    fn inst(&mut self, visit: &mut ContextVisit, site: InstSite, inst: &Inst) {
        let points = match &inst.op {
            Op::Call(call) => return self.call(visit, site, call),
            Op::ThreadStart { func, arg } => {
                self.start(visit, site, *func, *arg);
                return;
            }
            Op::Unsupported { .. }
                if models::lacks_only_numbers(
                    self.points_to.program,
                    self.points_to.call_graph.function(visit.context),
                ) =>
            {
                return;
            }
            Op::Unsupported { what } => {
                self.gave_up.get_or_insert(GaveUp::Unsupported(what.clone()));
                return;
            }
            Op::ThreadExit if visit.is_decided => {
                self.ends_early(visit.context);
                return;
            }
            op => match self.touch(visit, op) {
                Some(points) => points,
                None => self.computed(site, inst),
            },
        };
        if let Some(reg) = inst.result {
            let guessed = if self.guesses.contains(&site) { Taint::NUMBER } else { Taint::NONE };
            self.set(visit, reg, &points.with(guessed));
        }
    }

    /// The result of an instruction that does not access memory.
    fn computed(&mut self, site: InstSite, inst: &Inst) -> PointsToSet {
        if let Op::HeapAlloc { size, .. } | Op::Alloca { size, .. } = &inst.op {
            self.sized(site, *size);
        }
        let function = self.points_to.call_graph.function(site.context);
        let Some(body) = &self.points_to.program.functions[function].body else {
            return PointsToSet::default();
        };
        let is_pointer = inst.result.is_some_and(|reg| is_pointer(body, reg));
        let origins = self.origins(function, body);
        let hides = self.hides(site.context);
        let at = ValueSite {
            points_to: &self.points_to,
            site,
            origins: &origins,
            hides,
            is_guessed: self.is_guessed,
        };
        match value(&at, &inst.op, is_pointer) {
            Computed::Of(told) => {
                if !hides {
                    self.leak(&told.leaks);
                }
                told.points
            }
            Computed::New(object, offset) => PointsToSet::to(self.object(object), offset),
        }
    }

    pub fn origins(&mut self, function: FuncId, body: &'p Body) -> Rc<Origins<'p>> {
        let program = self.points_to.program;
        self.origins.entry(function).or_insert_with(|| Rc::new(Origins::new(program, body))).clone()
    }

    /// Whether the results of a context do not depend on the memory layout.
    pub fn hides(&self, context: ContextId) -> bool {
        models::hides_addresses(self.points_to.program, self.points_to.call_graph.function(context))
    }

    /// Notes that numbers can reveal the addresses of these objects.
    pub fn leak(&mut self, points: &PointsToSet) {
        let mut grown = false;
        for (object, _) in points.iter() {
            grown |= self.points_to.leaked.insert(object);
        }
        if grown {
            self.points_to.call_graph.contexts().for_each(|context| self.enqueue(context));
        }
    }

    /// Addresses decide whether a thread ends here, so everything it does reveals them.
    fn ends_early(&mut self, context: ContextId) {
        let thread = self.points_to.call_graph.thread_of(context);
        for other in self.points_to.call_graph.contexts() {
            if self.points_to.call_graph.thread_of(other) == thread {
                self.decide(other);
            }
        }
    }

    /// Notes that addresses decide whether a context is called.
    pub fn decide(&mut self, context: ContextId) {
        let index = context.0 as usize;
        self.decided.resize(self.decided.len().max(index + 1), false);
        if !std::mem::replace(&mut self.decided[index], true) {
            self.enqueue(context);
        }
    }
}

type Blocks = BTreeSet<BlockId>;

/// One visit of a context.
pub struct ContextVisit {
    pub context: ContextId,
    /// The set of a register has grown.
    grown: bool,
    /// Addresses decide whether the current block is executed.
    pub is_decided: bool,
    /// The blocks for which addresses decide whether they are executed.
    inside: Blocks,
    /// The blocks where the paths of such branches join again.
    met: Blocks,
}

/// Whether a register has pointer type.
pub fn is_pointer(body: &Body, reg: Reg) -> bool {
    body.regs.get(reg).is_some_and(|info| info.ty == Type::Ptr)
}
