//! What `solve` has found out: where each register of each frame may point to, and what memory may hold.

use crate::frames::{FrameId, Frames, Site, ThreadId};
use crate::marks::Marks;
use crate::models;
use crate::objects::{Object, Objects};
use crate::offset::Offset;
use crate::points::{Contents, ObjectId, Points};
use std::collections::BTreeSet;
use tp_ir::{Call, Callee, Const, EntityRef, FuncId, Init, Inst, Op, Operand, OperandKind, Program};

pub struct Solved<'p> {
    pub program: &'p Program,
    pub frames: Frames<'p>,
    pub objects: Objects,
    pub registers: Vec<Vec<Points>>,
    pub memory: Vec<Contents>,
    /// The objects whose addresses can be told from numbers.
    pub leaked: BTreeSet<ObjectId>,
}

impl Solved<'_> {
    pub fn points(&self, frame: FrameId, operand: Operand) -> Points {
        match operand.kind() {
            OperandKind::Reg(reg) => {
                let registers = &self.registers[frame.0 as usize];
                registers.get(reg.index()).cloned().unwrap_or_default()
            }
            OperandKind::Const(constant) => match self.program.constants[constant] {
                Const::Function(f) => self.known(Object::Function(f), 0),
                Const::Global { global, offset } => self.known(Object::Global(global), offset),
                _ => Points::default(),
            },
        }
    }

    /// Where a pointer leads to: a number that depends on addresses may be any that has leaked.
    pub fn targets(&self, frame: FrameId, pointer: Operand) -> Points {
        let mut points = self.points(frame, pointer);
        if points.marks.has(Marks::NUMBER) {
            self.leaked.iter().for_each(|object| {
                points.add(*object, Offset::ANY);
            });
        }
        points
    }

    fn known(&self, object: Object, offset: i64) -> Points {
        let id = self.objects.known(object);
        id.map_or_else(Points::default, |id| Points::to(id, Offset::exact(offset)))
    }

    /// The functions that a call may be of.
    pub fn functions(&self, frame: FrameId, call: &Call) -> Vec<FuncId> {
        match &call.callee {
            Callee::Direct(function) => vec![*function],
            Callee::Indirect(pointer) => self.functions_at(frame, *pointer),
        }
    }

    pub fn functions_at(&self, frame: FrameId, pointer: Operand) -> Vec<FuncId> {
        let points = self.targets(frame, pointer);
        let functions = points.iter().filter_map(|(object, _)| match self.objects.get(object) {
            Object::Function(f) => Some(f),
            _ => None,
        });
        functions.collect()
    }

    /// Whether a call of this function only writes text, and is not followed.
    pub fn is_output(&self, frame: FrameId, call: &Call, function: FuncId) -> bool {
        let format = models::format_of(self.program, function).and_then(|i| call.args.get(i));
        let of_format =
            || format.is_some_and(|format| self.is_harmless_format(&self.targets(frame, *format)));
        self.program.functions[function].is_output() || of_format()
    }

    fn is_harmless_format(&self, points: &Points) -> bool {
        points.iter().all(|(object, offset)| {
            let Object::Global(global) = self.objects.get(object) else { return false };
            let global = &self.program.globals[global];
            match (&global.init, offset.as_exact().map(usize::try_from)) {
                (Init::Bytes { bytes, .. }, Some(Ok(start))) if global.constant => {
                    models::only_writes(bytes.get(start..).unwrap_or_default())
                }
                (Init::Zero, _) => global.constant,
                _ => false,
            }
        })
    }

    pub fn inst(&self, site: Site) -> &Inst {
        let function = self.frames.frame(site.frame).function;
        // Sites are made of instructions that are there.
        let body = self.program.functions[function].body.as_ref().expect("a frame has a body");
        &body.blocks[site.block].insts[site.inst]
    }
}

/// The objects that other threads than the one that made them can come to: variables, what threads are started with,
/// what can be told from numbers, and all that these lead to.
pub fn escaped(solved: &Solved<'_>) -> Vec<bool> {
    let mut escaped = vec![false; solved.objects.len()];
    let mut queue: Vec<ObjectId> = solved
        .objects
        .ids()
        .filter(|&id| matches!(solved.objects.get(id), Object::Global(_) | Object::Outside))
        .chain(solved.leaked.iter().copied())
        .collect();
    for thread in solved.frames.thread_ids().filter(|t| *t != ThreadId::FIRST) {
        for start in &solved.frames.thread(thread).starts {
            if let Op::ThreadStart { arg, .. } = solved.inst(*start).op {
                queue.extend(solved.targets(start.frame, arg).iter().map(|(object, _)| object));
            }
        }
    }
    while let Some(object) = queue.pop() {
        if !std::mem::replace(&mut escaped[object.0 as usize], true) {
            let contents = solved.memory[object.0 as usize].all();
            queue.extend(contents.flat_map(|(_, _, points)| points.iter().map(|(object, _)| object)));
        }
    }
    escaped
}
