//! Calls and the start of threads: what is handed over, and which functions these are.

use crate::frames::{FrameId, Site};
use crate::marks::Marks;
use crate::models;
use crate::numbers::chosen;
use crate::objects::Object;
use crate::points::Points;
use crate::solve::{GaveUp, Solver, Visit, is_pointer};
use tp_ir::{Body, Call, Callee, EntityRef, Operand, Reg};

impl Solver<'_, '_> {
    pub fn call(&mut self, visit: &mut Visit, site: Site, call: &Call) {
        let mut is_chosen = false;
        if let Callee::Indirect(pointer) = call.callee {
            self.refuse_outside(visit.frame, pointer);
            let pointer = self.solved.points(visit.frame, pointer);
            is_chosen = pointer.marks.has(Marks::PLACED.and(Marks::NUMBER));
        }
        for function in self.solved.functions(visit.frame, call) {
            let row = &self.solved.program.functions[function];
            let caller = self.solved.frames.frame(visit.frame).function;
            let is_named = matches!(call.callee, Callee::Direct(_));
            if row.body.is_none() && is_named && models::is_never_called(self.solved.program, caller) {
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
                let points = self.handed(visit, body, param, arg);
                grown |= self.solved.registers[callee.0 as usize][param.index()].add_all(&points);
            }
            if grown {
                self.enqueue(callee);
            }
            if visit.is_decided || is_chosen {
                self.decide(callee);
            }
            if let Some(results) = self.results.get(&callee).cloned() {
                for (reg, points) in call.results.iter().zip(results) {
                    // What is returned tells which function it was.
                    let told = if is_chosen { Marks::NUMBER } else { Marks::NONE };
                    self.set(visit, *reg, &points.with(told));
                }
            }
        }
    }

    /// What a function is called with. Another call of it may be made instead, as addresses decide.
    fn handed(&self, visit: &Visit, body: &Body, param: Reg, arg: Operand) -> Points {
        let points = self.solved.points(visit.frame, arg);
        match visit.is_decided {
            true => chosen(self.solved.program, points, arg, is_pointer(body, param)),
            false => points,
        }
    }

    /// A function that is not part of the program may do anything.
    fn refuse_outside(&mut self, frame: FrameId, function: Operand) {
        let points = self.solved.targets(frame, function);
        if points.iter().any(|(object, _)| self.solved.objects.get(object) == Object::Outside) {
            self.gave_up.get_or_insert(GaveUp::Unmodelled("through a pointer from outside".into()));
        }
    }

    pub fn start(&mut self, visit: &Visit, site: Site, func: Operand, arg: Operand) {
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
            let grown = body.params.first().is_some_and(|&param| {
                let points = self.handed(visit, body, param, arg);
                self.solved.registers[root.0 as usize][param.index()].add_all(&points)
            });
            if grown || is_new {
                self.enqueue(root);
            }
            if visit.is_decided {
                self.decide(root);
            }
        }
    }
}
