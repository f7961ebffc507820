//! The lines of an account.

use super::{Account, FlowEdge, Set};
use crate::ranks::ranks;
use std::collections::BTreeSet;
use tp_analysis::callgraph::{AbstractThreadId, ContextId, InstSite};
use tp_analysis::escape::Escape;
use tp_analysis::joins::called_at;
use tp_analysis::lockset::HoldMode;
use tp_analysis::pointsto::{AbstractObject, ObjectId, PointsToSet};
use tp_ir::SyncEffect;
use tp_ir::{BlockId, EntityRef, Op, Operand};

impl Account<'_, '_, '_> {
    pub(super) fn write(&mut self, escape: &Escape) -> String {
        let detached = self.detached();
        let (statements, more) = self.statements();
        let (registers, cells) = (self.registers(&more), self.cells());
        let mut text = String::new();
        let edges: Vec<(usize, usize)> = self.edges.iter().map(|way| (way.from, way.to)).collect();
        let ranks = ranks(self.points.len(), &edges);
        let mut line = |words: String| text.extend([words.as_str(), "\n"]);
        for thread in self.points_to.call_graph().threads() {
            let parent = self.points_to.call_graph().parent(thread);
            line(format!("thread {}", parent.map_or("-".to_owned(), |p| p.index().to_string())));
        }
        for ((thread, _), rank) in self.points.iter().zip(&ranks) {
            line(format!("point {} {rank}", thread.index()));
        }
        for id in self.points_to.objects().ids() {
            line(format!("object {} {}", self.object(id), self.points_to.alignment(id)));
        }
        let mut sets: Vec<(usize, &Set)> = self.sets.iter().map(|(set, n)| (*n, set)).collect();
        sets.sort_unstable();
        for (_, (is_part, places)) in sets {
            let places = places.iter().map(|(object, base, stride)| format!(" {object} {base} {stride}"));
            let kind = if *is_part { "part" } else { "whole" };
            line(format!("set {kind}{}", places.collect::<String>()));
        }
        registers.into_iter().chain(cells).for_each(&mut line);
        self.facts(escape, &mut line);
        statements.into_iter().for_each(&mut line);
        self.creates.iter().for_each(|site| line(self.create_line(*site)));
        self.edges
            .iter()
            .for_each(|FlowEdge { from, to, word, rest }| line(format!("{word} {from} {to}{rest}")));
        self.overs.iter().for_each(|(thread, point)| line(format!("over {} {point}", thread.index())));
        detached.iter().for_each(|value| line(format!("detach {value}")));
        text.push_str("end\n");
        text
    }

    /// The registers that may hold an address.
    fn registers(&mut self, more: &[PointsToSet]) -> Vec<String> {
        let points_to = self.points_to;
        let contexts = points_to.call_graph().contexts();
        let all = contexts.flat_map(|context| points_to.registers(context)).chain(more).enumerate();
        let all = all.filter(|(_, points)| !points.is_plain());
        all.map(|(number, points)| format!("register {number} {}", self.set(points))).collect()
    }

    /// What memory may hold.
    fn cells(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        for object in self.points_to.objects().ids() {
            for (offset, len, points) in self.points_to.memory(object).all() {
                let (base, stride) = offset.parts();
                lines.push(format!("cell {} {base} {stride} {len} {}", object.index(), self.set(points)));
            }
        }
        lines
    }

    fn facts(&self, escape: &Escape, line: &mut dyn FnMut(String)) {
        let is_outside = |id: &ObjectId| self.object(*id) == "outside";
        let all = self.points_to.objects().ids().filter(|id| escape.has_escaped(*id) || is_outside(id));
        line(format!("escaped{}", all.map(|id| format!(" {}", id.index())).collect::<String>()));
        for (number, (_, state)) in self.points.iter().enumerate() {
            for ((object, at), hold) in &state.locks {
                let mode = if hold.held == HoldMode::Exclusive { "w" } else { "r" };
                line(format!("held {number} {} {at} {mode} {}", object.index(), hold.bytes));
            }
            for ((context, reg), ((object, at), hold)) in &state.tried {
                let mode = if hold.held == HoldMode::Exclusive { "w" } else { "r" };
                let register = self.register(*context, *reg);
                line(format!("tried {number} {register} {} {at} {mode} {}", object.index(), hold.bytes));
            }
            for ((context, base, at), near) in &state.held_near {
                let Some(form) = self.forms.get(&(*context, *base)) else { continue };
                let mode = if near.hold.held == HoldMode::Exclusive { "w" } else { "r" };
                let lock = self.word(near.lock.0, near.lock.1);
                line(format!("near {number} {form} {at} {mode} {} {lock}", near.hold.bytes));
            }
            if !state.alive.is_empty() {
                line(format!("alive {number}{}", list(&state.alive)));
            }
            if state.atomic > 0 {
                line(format!("inside {number} {}", state.atomic));
            }
        }
        for thread in self.points_to.call_graph().threads() {
            let left = self.locksets.left(thread);
            let before = self.locksets.before_start(thread);
            line(format!("left {}{}", thread.index(), left.map_or_else(String::new, list)));
            line(format!("before {}{}", thread.index(), list(before)));
            let root = self.points_to.call_graph().root(thread);
            if let Some(entry) = self.entries.get(&(root, BlockId::new(0))) {
                line(format!("entry {} {entry}", thread.index()));
            }
        }
    }

    /// A call that creates a thread: where it stores the id, and the points at which it writes memory or starts it.
    fn create_line(&self, site: InstSite) -> String {
        let id = match &self.points_to.inst(site).op {
            Op::Call(call) => call.args.first().map(|id| self.word(site.context, *id)),
            _ => None,
        };
        let of_call = self.done.iter().filter(|(at, _)| called_at(self.points_to, *at) == Some(site));
        let points: String = of_call.map(|(_, point)| format!(" {point}")).collect();
        format!("create {}{points}", id.unwrap_or_else(|| "-".to_owned()))
    }

    /// The ids of threads that may be detached.
    fn detached(&self) -> BTreeSet<String> {
        let mut detached = BTreeSet::new();
        let ids: Vec<(ContextId, Operand)> = self.ids();
        for context in self.points_to.call_graph().contexts() {
            let function = self.points_to.call_graph().function(context);
            match self.threads.effect(function) {
                Some(SyncEffect::Detach) => {
                    let body = self.points_to.program().functions[function].body.as_ref();
                    if let Some(&id) = body.and_then(|body| body.params.first()) {
                        detached.insert(self.word(context, id.into()));
                    }
                }
                Some(SyncEffect::DetachedAttributes) => {
                    detached.extend(ids.iter().map(|(context, id)| self.word(*context, *id)));
                }
                _ => {}
            }
        }
        detached
    }

    fn ids(&self) -> Vec<(ContextId, Operand)> {
        let threads = self.points_to.call_graph().threads();
        let starts = threads.flat_map(|thread| self.points_to.call_graph().starts(thread).to_vec());
        let id = |site: InstSite| match self.points_to.inst(site).op {
            Op::ThreadStart { arg, .. } => Some((site.context, arg)),
            _ => None,
        };
        starts.filter_map(id).collect()
    }

    fn object(&self, id: ObjectId) -> String {
        match self.points_to.objects().get(id) {
            AbstractObject::Global(global) if self.points_to.program().globals[global].constant => {
                "constant".to_owned()
            }
            AbstractObject::Global(_) => "variable".to_owned(),
            AbstractObject::ThreadLocal(_, thread) => format!("local {}", thread.index()),
            AbstractObject::Function(_) => "function".to_owned(),
            AbstractObject::Made(site) => match self.made.get(&site) {
                Some(point) => format!("made {point}"),
                None => "outside".to_owned(),
            },
            AbstractObject::Outside => "outside".to_owned(),
        }
    }
}

fn list(threads: &BTreeSet<AbstractThreadId>) -> String {
    threads.iter().map(|thread| format!(" {}", thread.index())).collect()
}
