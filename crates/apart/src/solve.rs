//! Where pointers point: inclusion-based points-to analysis of the whole program (Andersen, 1994), which finds the calls
//! through pointers and the threads as it goes.
//!
//! Every register of every frame has a set, also those that hold integers: what is computed from an address points to where
//! the address does. What memory holds is kept by object and offset, and only grows. The order of instructions is not
//! looked at, so a set holds for every execution, with any number of rounds and threads.
//!
//! What is followed is what the program can do up to its first undefined behaviour: an index that is computed from no
//! address does not lead out of an object. What an address decides, by a comparison, a branch or an index, is a number from
//! which the address can be told (`marks`); as a pointer, it leads to every object of which that is so.

use crate::frames::{Detail, FrameId, Frames, Site};
use crate::marks::Marks;
use crate::models;
use crate::numbers::chosen;
use crate::objects::{Object, Objects};
use crate::offset::Offset;
use crate::origins::Origins;
use crate::points::{Contents, ObjectId, Points};
use crate::solved::Solved;
use crate::value::{At, Value, value};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use tp_analysis::postdominators::PostDominators;
use tp_ir::{
    Block, BlockId, Body, Const, EntityRef, FuncId, Init, Inst, Op, Operand, Program, Reg, Target,
    Terminator, Type,
};

/// Why nothing can be said about a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GaveUp {
    /// It has more calls or threads than are told apart.
    TooLarge,
    /// It calls a function that is defined nowhere.
    Unmodelled(Box<str>),
    /// It comes to something that could not be imported.
    Unsupported(Box<str>),
    /// It was told to end.
    Stopped,
}

pub fn solve<'p>(
    program: &'p Program,
    detail: Detail,
    most_frames: usize,
    stop: &AtomicBool,
) -> Result<Solved<'p>, GaveUp> {
    let mut solver = Solver {
        stop,
        solved: Solved {
            program,
            frames: Frames::new(program, detail),
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
        of_sizes: Marks::NONE,
        origins: BTreeMap::new(),
        control: BTreeMap::new(),
        queue: VecDeque::new(),
        queued: BTreeSet::new(),
        gave_up: None,
        most_frames,
    };
    solver.globals();
    solver.grow_frames();
    solver.enqueue(FrameId(0));
    loop {
        while let Some(frame) = solver.queue.pop_front() {
            solver.queued.remove(&frame);
            solver.visit(frame);
            if let Some(why) = solver.gave_up {
                return Err(why);
            }
        }
        // What has no address by now has none.
        if !solver.guess() {
            return Ok(solver.solved);
        }
    }
}

pub struct Solver<'p, 's> {
    stop: &'s AtomicBool,
    pub solved: Solved<'p>,
    /// What a frame returns.
    pub results: BTreeMap<FrameId, Vec<Points>>,
    /// The frames that read an object.
    pub readers: Vec<BTreeSet<FrameId>>,
    /// By frame: addresses decide whether it is called.
    decided: Vec<bool>,
    /// Instructions whose result may be a number that was found by comparing it with addresses.
    pub guesses: BTreeSet<Site>,
    /// There are such numbers.
    pub is_guessed: bool,
    /// The sizes of objects.
    pub of_sizes: Marks,
    origins: BTreeMap<FuncId, Rc<Origins<'p>>>,
    control: BTreeMap<FuncId, PostDominators>,
    queue: VecDeque<FrameId>,
    queued: BTreeSet<FrameId>,
    pub gave_up: Option<GaveUp>,
    most_frames: usize,
}

impl<'p> Solver<'p, '_> {
    pub fn enqueue(&mut self, frame: FrameId) {
        if self.queued.insert(frame) {
            self.queue.push_back(frame);
        }
    }

    pub fn object(&mut self, object: Object) -> ObjectId {
        let id = self.solved.objects.id(object);
        let count = self.solved.objects.len();
        let is_new = self.solved.memory.len() < count;
        self.solved.memory.resize_with(count, Contents::default);
        self.readers.resize_with(count, BTreeSet::new);
        if is_new && let Object::ThreadLocal(global, _) = object {
            self.initial(id, global);
        }
        id
    }

    /// Room for the registers of new frames.
    pub fn grow_frames(&mut self) {
        let Solved { program, frames, registers, .. } = &mut self.solved;
        for frame in &frames.frames[registers.len()..] {
            let body = program.functions[frame.function].body.as_ref();
            registers.push(vec![Points::default(); body.map_or(0, |b| b.regs.len())]);
        }
        if self.solved.frames.frames.len() > self.most_frames {
            self.gave_up.get_or_insert(GaveUp::TooLarge);
        }
    }

    fn globals(&mut self) {
        let outside = self.object(Object::Outside);
        self.store_at(outside, Offset::ANY, 1, &Points::to(outside, Offset::ANY));
        let program = self.solved.program;
        for f in program.functions.keys() {
            self.object(Object::Function(f));
        }
        for global in program.globals.keys() {
            let id = self.object(Object::Global(global));
            self.initial(id, global);
        }
    }

    fn initial(&mut self, id: ObjectId, global: tp_ir::GlobalId) {
        match &self.solved.program.globals[global].init {
            Init::Zero => {}
            Init::Unknown => {
                let outside = self.object(Object::Outside);
                self.store_at(id, Offset::ANY, 1, &Points::to(outside, Offset::ANY));
            }
            Init::Bytes { pointers, .. } => {
                for (offset, constant) in pointers {
                    let points = self.solved.points(FrameId(0), Operand::from(*constant));
                    // A pointer to a variable that comes later: its object is made now.
                    let points = match self.solved.program.constants[*constant] {
                        Const::Global { global, offset } => {
                            Points::to(self.object(Object::Global(global)), Offset::exact(offset))
                        }
                        _ => points,
                    };
                    let at = i64::try_from(*offset).map_or(Offset::ANY, Offset::exact);
                    self.store_at(id, at, self.bytes(Type::Ptr), &points);
                }
            }
        }
    }

    fn visit(&mut self, frame: FrameId) {
        let function = self.solved.frames.frame(frame).function;
        let Some(body) = &self.solved.program.functions[function].body else { return };
        // Blocks are mostly in the order of control; a loop may need another round.
        let mut visit =
            Visit { frame, grown: true, is_decided: false, inside: Blocks::new(), met: Blocks::new() };
        while visit.grown && self.gave_up.is_none() {
            visit.grown = false;
            self.branches(&mut visit, body);
            for (block, row) in &body.blocks {
                if self.stop.load(Ordering::Relaxed) {
                    self.gave_up = Some(GaveUp::Stopped);
                    return;
                }
                visit.is_decided = visit.inside.contains(&block)
                    || self.decided.get(frame.0 as usize).is_some_and(|is_decided| *is_decided);
                for (inst, row) in row.insts.iter().enumerate() {
                    self.inst(&mut visit, Site { frame, block, inst }, row);
                }
                self.terminator(&mut visit, body, block);
            }
        }
    }

    /// Finds the blocks of which addresses decide whether control comes there, or from where.
    fn branches(&mut self, visit: &mut Visit, body: &'p Body) {
        let function = self.solved.frames.frame(visit.frame).function;
        if self.hides(visit.frame) {
            return;
        }
        for (block, row) in &body.blocks {
            let value = match &row.terminator {
                Terminator::Branch { cond, .. } => *cond,
                Terminator::Switch(switch) => switch.value,
                Terminator::Jump(_) | Terminator::Return(_) | Terminator::Unreachable => continue,
            };
            let value = self.solved.points(visit.frame, value);
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

    pub fn set(&mut self, visit: &mut Visit, reg: Reg, points: &Points) {
        if let Some(set) = self.solved.registers[visit.frame.0 as usize].get_mut(reg.index()) {
            visit.grown |= set.add_all(points);
        }
    }

    fn terminator(&mut self, visit: &mut Visit, body: &Body, from: BlockId) {
        let terminator = &body.blocks[from].terminator;
        let mut moves: Vec<(BlockId, Reg, Operand)> = Vec::new();
        terminator.each_target(|Target { block, args }| {
            let params: &[Reg] = body.blocks.get(*block).map_or(&[], |b: &Block| &b.params);
            moves.extend(params.iter().zip(args).map(|(param, arg)| (*block, *param, *arg)));
        });
        for (to, param, arg) in moves {
            let mut points = self.solved.points(visit.frame, arg);
            if visit.inside.contains(&to) || visit.met.contains(&to) {
                points = chosen(self.solved.program, points, arg, is_pointer(body, param));
            }
            self.set(visit, param, &points);
        }
        if let Terminator::Return(values) = terminator {
            let types =
                &self.solved.program.functions[self.solved.frames.frame(visit.frame).function].results;
            let mut grown = false;
            for (i, value) in values.iter().enumerate() {
                let mut points = self.solved.points(visit.frame, *value);
                if visit.inside.contains(&from) {
                    points = chosen(self.solved.program, points, *value, types.get(i) == Some(&Type::Ptr));
                }
                let results = self.results.entry(visit.frame).or_default();
                results.resize_with(results.len().max(i + 1), Points::default);
                grown |= results[i].add_all(&points);
            }
            if grown {
                for caller in self.solved.frames.frame(visit.frame).callers.clone() {
                    self.enqueue(caller.frame);
                }
            }
        }
    }

    fn inst(&mut self, visit: &mut Visit, site: Site, inst: &Inst) {
        let points = match &inst.op {
            Op::Call(call) => return self.call(visit, site, call),
            Op::ThreadStart { func, arg } => {
                self.start(visit, site, *func, *arg);
                return;
            }
            Op::Unsupported { .. }
                if models::lacks_only_numbers(
                    self.solved.program,
                    self.solved.frames.frame(visit.frame).function,
                ) =>
            {
                return;
            }
            Op::Unsupported { what } => {
                self.gave_up.get_or_insert(GaveUp::Unsupported(what.clone()));
                return;
            }
            Op::ThreadExit if visit.is_decided => {
                self.ends_early(visit.frame);
                return;
            }
            op => match self.touch(visit, op) {
                Some(points) => points,
                None => self.computed(site, inst),
            },
        };
        if let Some(reg) = inst.result {
            let guessed = if self.guesses.contains(&site) { Marks::NUMBER } else { Marks::NONE };
            self.set(visit, reg, &points.with(guessed));
        }
    }

    /// What an instruction computes that does not touch memory.
    fn computed(&mut self, site: Site, inst: &Inst) -> Points {
        if let Op::HeapAlloc { size, .. } | Op::Alloca { size, .. } = &inst.op {
            self.sized(site, *size);
        }
        let function = self.solved.frames.frame(site.frame).function;
        let Some(body) = &self.solved.program.functions[function].body else { return Points::default() };
        let is_pointer = inst.result.is_some_and(|reg| is_pointer(body, reg));
        let origins = self.origins(function, body);
        let hides = self.hides(site.frame);
        let at = At { solved: &self.solved, site, origins: &origins, hides, is_guessed: self.is_guessed };
        match value(&at, &inst.op, is_pointer) {
            Value::Of(told) => {
                if !hides {
                    self.leak(&told.leaks);
                }
                told.points
            }
            Value::New(object, offset) => Points::to(self.object(object), offset),
        }
    }

    pub fn origins(&mut self, function: FuncId, body: &'p Body) -> Rc<Origins<'p>> {
        let program = self.solved.program;
        self.origins.entry(function).or_insert_with(|| Rc::new(Origins::new(program, body))).clone()
    }

    /// Whether what a frame computes does not depend on where objects lie.
    pub fn hides(&self, frame: FrameId) -> bool {
        models::hides_addresses(self.solved.program, self.solved.frames.frame(frame).function)
    }

    /// The addresses of these objects can be told from numbers.
    pub fn leak(&mut self, points: &Points) {
        let mut grown = false;
        for (object, _) in points.iter() {
            grown |= self.solved.leaked.insert(object);
        }
        if grown {
            self.solved.frames.ids().for_each(|frame| self.enqueue(frame));
        }
    }

    /// A thread that ends here or goes on, as addresses decide: what it does at all tells of them.
    fn ends_early(&mut self, frame: FrameId) {
        let thread = self.solved.frames.frame(frame).thread;
        for other in self.solved.frames.ids() {
            if self.solved.frames.frame(other).thread == thread {
                self.decide(other);
            }
        }
    }

    /// Whether this frame is called at all depends on addresses.
    pub fn decide(&mut self, frame: FrameId) {
        let index = frame.0 as usize;
        self.decided.resize(self.decided.len().max(index + 1), false);
        if !std::mem::replace(&mut self.decided[index], true) {
            self.enqueue(frame);
        }
    }
}

type Blocks = BTreeSet<BlockId>;

/// One round over a frame.
pub struct Visit {
    pub frame: FrameId,
    /// A set of a register has grown.
    grown: bool,
    /// Addresses decide whether control comes here.
    pub is_decided: bool,
    /// The blocks of which addresses decide whether control comes there.
    inside: Blocks,
    /// The blocks where the ways meet again after that.
    met: Blocks,
}

pub fn is_pointer(body: &Body, reg: Reg) -> bool {
    body.regs.get(reg).is_some_and(|info| info.ty == Type::Ptr)
}
