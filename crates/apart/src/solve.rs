//! Where pointers point: inclusion-based points-to analysis of the whole program (Andersen, 1994), which finds the calls
//! through pointers and the threads as it goes.
//!
//! Every register of every frame has a set, also those that hold integers: what is computed from an address points to where
//! the address does. What memory holds is kept by object and offset, and only grows. The order of instructions is not
//! looked at, so a set holds for every execution, with any number of rounds and threads.
//!
//! What is followed is what the program can do up to its first undefined behaviour: a pointer that is computed from the
//! address of an object stays in it, and what was computed from no address points nowhere.

use crate::address::constant;
use crate::frames::{Detail, FrameId, Frames, Site};
use crate::models;
use crate::objects::{Object, Objects};
use crate::offset::Offset;
use crate::points::{Contents, ObjectId, Points};
use crate::solved::Solved;
use crate::value::{Value, value};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use tp_ir::{
    Call, Callee, Const, EntityRef, Init, Inst, Op, Operand, Program, Reg, Target, Terminator, Type,
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
        },
        results: BTreeMap::new(),
        readers: Vec::new(),
        queue: VecDeque::new(),
        queued: BTreeSet::new(),
        gave_up: None,
        most_frames,
    };
    solver.globals();
    solver.grow_frames();
    solver.enqueue(FrameId(0));
    while let Some(frame) = solver.queue.pop_front() {
        solver.queued.remove(&frame);
        solver.visit(frame);
        if let Some(why) = solver.gave_up {
            return Err(why);
        }
    }
    Ok(solver.solved)
}

struct Solver<'p, 's> {
    stop: &'s AtomicBool,
    solved: Solved<'p>,
    /// What a frame returns.
    results: BTreeMap<FrameId, Vec<Points>>,
    /// The frames that read an object.
    readers: Vec<BTreeSet<FrameId>>,
    queue: VecDeque<FrameId>,
    queued: BTreeSet<FrameId>,
    gave_up: Option<GaveUp>,
    most_frames: usize,
}

impl Solver<'_, '_> {
    fn enqueue(&mut self, frame: FrameId) {
        if self.queued.insert(frame) {
            self.queue.push_back(frame);
        }
    }

    fn object(&mut self, object: Object) -> ObjectId {
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
    fn grow_frames(&mut self) {
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
                    self.store_at(id, at, self.pointer_bytes(), &points);
                }
            }
        }
    }

    fn pointer_bytes(&self) -> u64 {
        self.bytes(Type::Ptr)
    }

    fn bytes(&self, ty: Type) -> u64 {
        u64::from(ty.bytes(self.solved.program.data_model))
    }

    fn store_at(&mut self, object: ObjectId, offset: Offset, len: u64, points: &Points) {
        if self.solved.memory[object.0 as usize].store(offset, len, points) {
            for frame in self.readers[object.0 as usize].clone() {
                self.enqueue(frame);
            }
        }
    }

    fn visit(&mut self, frame: FrameId) {
        let function = self.solved.frames.frame(frame).function;
        let Some(body) = &self.solved.program.functions[function].body else { return };
        // Blocks are mostly in the order of control; a loop may need another round.
        let mut visit = Visit { frame, grown: true };
        while visit.grown && self.gave_up.is_none() {
            visit.grown = false;
            for (block, row) in &body.blocks {
                if self.stop.load(Ordering::Relaxed) {
                    self.gave_up = Some(GaveUp::Stopped);
                    return;
                }
                for (inst, row) in row.insts.iter().enumerate() {
                    self.inst(&mut visit, Site { frame, block, inst }, row);
                }
                self.terminator(&mut visit, body, &row.terminator);
            }
        }
    }

    fn set(&mut self, visit: &mut Visit, reg: Reg, points: &Points) {
        if let Some(set) = self.solved.registers[visit.frame.0 as usize].get_mut(reg.index()) {
            visit.grown |= set.add_all(points);
        }
    }

    fn terminator(&mut self, visit: &mut Visit, body: &tp_ir::Body, terminator: &Terminator) {
        let mut moves: Vec<(Reg, Operand)> = Vec::new();
        terminator.each_target(|Target { block, args }| {
            let params: &[Reg] = body.blocks.get(*block).map_or(&[], |b: &tp_ir::Block| &b.params);
            moves.extend(params.iter().copied().zip(args.iter().copied()));
        });
        for (param, arg) in moves {
            let points = self.solved.points(visit.frame, arg);
            self.set(visit, param, &points);
        }
        if let Terminator::Return(values) = terminator {
            let mut grown = false;
            for (i, value) in values.iter().enumerate() {
                let points = self.solved.points(visit.frame, *value);
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

    fn load(&mut self, frame: FrameId, ptr: Operand, len: u64) -> Points {
        let mut all = Points::default();
        for (object, offset) in self.solved.points(frame, ptr).iter() {
            self.readers[object.0 as usize].insert(frame);
            all.add_all(&self.solved.memory[object.0 as usize].load(offset, len));
        }
        all
    }

    fn store(&mut self, frame: FrameId, ptr: Operand, len: u64, points: &Points) {
        if !points.is_empty() {
            for (object, offset) in self.solved.points(frame, ptr).iter() {
                self.store_at(object, offset, len, points);
            }
        }
    }

    fn inst(&mut self, visit: &mut Visit, site: Site, inst: &Inst) {
        let frame = visit.frame;
        let points = match &inst.op {
            Op::Call(call) => return self.call(visit, site, call),
            Op::ThreadStart { func, arg } => {
                self.start(site, *func, *arg);
                return;
            }
            Op::Unsupported { .. }
                if models::lacks_only_numbers(
                    self.solved.program,
                    self.solved.frames.frame(frame).function,
                ) =>
            {
                return;
            }
            Op::Unsupported { what } => {
                self.gave_up.get_or_insert(GaveUp::Unsupported(what.clone()));
                return;
            }
            Op::Load { ty, ptr, .. } => self.load(frame, *ptr, self.bytes(*ty)),
            Op::Store { ty, ptr, value, .. } => {
                let value = self.solved.points(frame, *value);
                self.store(frame, *ptr, self.bytes(*ty), &value);
                return;
            }
            Op::Rmw { ty, ptr, value, .. } => {
                let (value, len) = (self.solved.points(frame, *value), self.bytes(*ty));
                let old = self.load(frame, *ptr, len);
                let blurred = old.map(|_| Offset::ANY);
                self.store(frame, *ptr, len, &value);
                if !value.is_empty() {
                    self.store(frame, *ptr, len, &value.map(|_| Offset::ANY));
                }
                self.store(frame, *ptr, len, &blurred);
                old
            }
            Op::CmpXchg { ty, ptr, new, .. } => {
                let (new, len) = (self.solved.points(frame, *new), self.bytes(*ty));
                self.store(frame, *ptr, len, &new);
                self.load(frame, *ptr, len)
            }
            Op::Copy { dst, src, len, .. } => return self.copy(frame, *dst, *src, *len),
            Op::Set { dst, byte, .. } => {
                let byte = self.solved.points(frame, *byte).map(|_| Offset::ANY);
                for (object, _) in self.solved.points(frame, *dst).iter() {
                    self.store_at(object, Offset::ANY, 1, &byte);
                }
                return;
            }
            op => match value(&self.solved, site, op) {
                Value::Of(points) => points,
                Value::New(object, offset) => Points::to(self.object(object), offset),
            },
        };
        if let Some(reg) = inst.result {
            self.set(visit, reg, &points);
        }
    }

    fn constant(&self, operand: Operand) -> Option<i64> {
        constant(self.solved.program, operand)
    }

    /// Pointers are copied to where they come to lie, if that is known. If the length is not, they are kept apart only where
    /// they stay at their offsets: others could move on for ever, as by `memmove(a + 1, a, n)`.
    fn copy(&mut self, frame: FrameId, dst: Operand, src: Operand, len: Operand) {
        let len = self.constant(len).and_then(|n| u64::try_from(n).ok());
        let (to, from) = (self.solved.points(frame, dst), self.solved.points(frame, src));
        for (source, start) in from.iter() {
            self.readers[source.0 as usize].insert(frame);
            let cells: Vec<(Offset, u64, Points)> = self.solved.memory[source.0 as usize]
                .all()
                .filter(|(at, size, _)| len.is_none_or(|len| start.overlaps(len, *at, *size)))
                .map(|(at, size, points)| (at, size, points.clone()))
                .collect();
            for (target, begin) in to.iter() {
                for (at, size, points) in &cells {
                    let place = match (begin.as_exact(), start.as_exact(), at.as_exact()) {
                        (Some(begin), Some(start), Some(at)) if len.is_some() || begin == start => {
                            at.checked_sub(start).map_or(Offset::ANY, |n| Offset::exact(begin).plus(n))
                        }
                        _ => Offset::ANY,
                    };
                    self.store_at(target, place, *size, points);
                }
            }
        }
    }

    fn call(&mut self, visit: &mut Visit, site: Site, call: &Call) {
        if let Callee::Indirect(pointer) = call.callee {
            self.refuse_outside(visit.frame, pointer);
        }
        for function in self.solved.functions(visit.frame, call) {
            let row = &self.solved.program.functions[function];
            let caller = self.solved.frames.frame(visit.frame).function;
            if row.body.is_none() && models::is_never_called(self.solved.program, caller, function) {
                continue;
            }
            let Some(body) = &row.body else {
                self.gave_up.get_or_insert(GaveUp::Unmodelled(row.name.clone()));
                return;
            };
            if self.solved.is_output(visit.frame, call, function) {
                continue;
            }
            let callee = self.solved.frames.call(site, function);
            let is_new = self.solved.registers.len() < self.solved.frames.frames.len();
            self.grow_frames();
            let mut grown = is_new;
            for (&param, &arg) in body.params.iter().zip(&call.args) {
                let points = self.solved.points(visit.frame, arg);
                grown |= self.solved.registers[callee.0 as usize][param.index()].add_all(&points);
            }
            if grown {
                self.enqueue(callee);
            }
            if let Some(results) = self.results.get(&callee).cloned() {
                for (reg, points) in call.results.iter().zip(&results) {
                    self.set(visit, *reg, points);
                }
            }
        }
    }

    /// A function that is not part of the program may do anything.
    fn refuse_outside(&mut self, frame: FrameId, function: Operand) {
        let points = self.solved.points(frame, function);
        if points.iter().any(|(object, _)| self.solved.objects.get(object) == Object::Outside) {
            self.gave_up.get_or_insert(GaveUp::Unmodelled("through a pointer from outside".into()));
        }
    }

    fn start(&mut self, site: Site, func: Operand, arg: Operand) {
        self.refuse_outside(site.frame, func);
        for function in self.solved.functions_at(site.frame, func) {
            let row = &self.solved.program.functions[function];
            let Some(body) = &row.body else {
                self.gave_up.get_or_insert(GaveUp::Unmodelled(row.name.clone()));
                return;
            };
            let thread = self.solved.frames.start(site, function);
            let is_new = self.solved.registers.len() < self.solved.frames.frames.len();
            self.grow_frames();
            let root = self.solved.frames.thread(thread).root;
            let points = self.solved.points(site.frame, arg);
            let param = body.params.first();
            let grown = param
                .is_some_and(|param| self.solved.registers[root.0 as usize][param.index()].add_all(&points));
            if grown || is_new {
                self.enqueue(root);
            }
        }
    }
}

/// One round over a frame.
struct Visit {
    frame: FrameId,
    /// A set of a register has grown.
    grown: bool,
}
