//! Calls and thread starts: which functions they call, and the arguments they pass.

use super::numbers::chosen;
use super::solve::{ContextVisit, GaveUp, PointsToSolver, is_pointer};
use super::{AbstractObject, PointsToSet, Taint};
use crate::callgraph::{ContextId, InstSite};
use crate::models;
use tp_ir::{Body, Call, Callee, EntityRef, Operand, Reg};

impl PointsToSolver<'_, '_> {
    pub fn call(&mut self, visit: &mut ContextVisit, site: InstSite, call: &Call) {
        let mut is_chosen = false;
        if let Callee::Indirect(pointer) = call.callee {
            self.refuse_outside(visit.context, pointer);
            let pointer = self.points_to.points(visit.context, pointer);
            is_chosen = pointer.taint().has(Taint::PLACED.and(Taint::NUMBER));
        }
        for function in self.points_to.functions(visit.context, call) {
            let row = &self.points_to.program.functions[function];
            let caller = self.points_to.call_graph.function(visit.context);
            let is_named = matches!(call.callee, Callee::Direct(_));
            if row.body.is_none() && is_named && models::is_never_called(self.points_to.program, caller) {
                continue;
            }
            let Some(body) = &row.body else {
                self.gave_up.get_or_insert(GaveUp::Unmodelled(row.name.clone()));
                return;
            };
            if self.points_to.is_output(visit.context, call, function) {
                continue;
            }
            let callee = self.points_to.call_graph.call(site, function);
            let is_new = self.points_to.registers.len() < self.points_to.call_graph.context_count();
            self.grow_contexts();
            let mut grown = is_new;
            for (&param, &arg) in body.params.iter().zip(&call.args) {
                let points = self.handed(visit, body, param, arg);
                grown |= self.points_to.registers[callee.index()][param.index()].add_all(&points);
            }
            if grown {
                self.enqueue(callee);
            }
            if visit.is_decided || is_chosen {
                self.decide(callee);
            }
            if let Some(results) = self.results.get(&callee).cloned() {
                for (reg, points) in call.results.iter().zip(results) {
                    // The result may reveal which function was called.
                    let told = if is_chosen { Taint::NUMBER } else { Taint::NONE };
                    self.set(visit, *reg, &points.with(told));
                }
            }
        }
    }

    /// The set of an argument. If addresses decide whether this call is made, the argument reveals them.
    fn handed(&self, visit: &ContextVisit, body: &Body, param: Reg, arg: Operand) -> PointsToSet {
        let points = self.points_to.points(visit.context, arg);
        match visit.is_decided {
            true => chosen(self.points_to.program, points, arg, is_pointer(body, param)),
            false => points,
        }
    }

    /// A function that is not part of the program may do anything.
    fn refuse_outside(&mut self, context: ContextId, function: Operand) {
        let points = self.points_to.targets(context, function);
        if points.iter().any(|(object, _)| self.points_to.objects.get(object) == AbstractObject::Outside) {
            self.gave_up.get_or_insert(GaveUp::Unmodelled("through a pointer from outside".into()));
        }
    }

    pub fn start(&mut self, visit: &ContextVisit, site: InstSite, func: Operand, arg: Operand) {
        self.refuse_outside(site.context, func);
        for function in self.points_to.functions_at(site.context, func) {
            let row = &self.points_to.program.functions[function];
            let Some(body) = &row.body else {
                self.gave_up.get_or_insert(GaveUp::Unmodelled(row.name.clone()));
                return;
            };
            let thread = self.points_to.call_graph.start(site, function);
            let is_new = self.points_to.registers.len() < self.points_to.call_graph.context_count();
            self.grow_contexts();
            let root = self.points_to.call_graph.root(thread);
            let grown = body.params.first().is_some_and(|&param| {
                let points = self.handed(visit, body, param, arg);
                self.points_to.registers[root.index()][param.index()].add_all(&points)
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
