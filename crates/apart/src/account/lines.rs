//! The lines of an account.

use super::{Account, Set, Way};
use crate::frames::{FrameId, Site, ThreadId};
use crate::joins::called_at;
use crate::models::Effect;
use crate::numbers::alignment;
use crate::objects::Object;
use crate::points::{ObjectId, Points};
use crate::ranks::ranks;
use crate::state::Held;
use std::collections::BTreeSet;
use tp_ir::{BlockId, EntityRef, Op, Operand};

impl Account<'_, '_, '_> {
    pub(super) fn write(&mut self, escaped: &[bool]) -> String {
        let detached = self.detached();
        let (statements, more) = self.statements();
        let (registers, cells) = (self.registers(&more), self.cells());
        let mut text = String::new();
        let edges: Vec<(usize, usize)> = self.ways.iter().map(|way| (way.from, way.to)).collect();
        let ranks = ranks(self.points.len(), &edges);
        let mut line = |words: String| text.extend([words.as_str(), "\n"]);
        for thread in self.solved.frames.thread_ids() {
            let parent = self.solved.frames.thread(thread).parent;
            line(format!("thread {}", parent.map_or("-".to_owned(), |p| p.0.to_string())));
        }
        for ((thread, _), rank) in self.points.iter().zip(&ranks) {
            line(format!("point {} {rank}", thread.0));
        }
        for id in self.solved.objects.ids() {
            line(format!("object {} {}", self.object(id), alignment(self.solved, id)));
        }
        let mut sets: Vec<(usize, &Set)> = self.sets.iter().map(|(set, n)| (*n, set)).collect();
        sets.sort_unstable();
        for (_, (is_part, places)) in sets {
            let places = places.iter().map(|(object, base, stride)| format!(" {object} {base} {stride}"));
            let kind = if *is_part { "part" } else { "whole" };
            line(format!("set {kind}{}", places.collect::<String>()));
        }
        registers.into_iter().chain(cells).for_each(&mut line);
        self.facts(escaped, &mut line);
        statements.into_iter().for_each(&mut line);
        self.creates.iter().for_each(|site| line(self.create_line(*site)));
        self.ways.iter().for_each(|Way { from, to, word, rest }| line(format!("{word} {from} {to}{rest}")));
        self.overs.iter().for_each(|(thread, point)| line(format!("over {} {point}", thread.0)));
        detached.iter().for_each(|value| line(format!("detach {value}")));
        text.push_str("end\n");
        text
    }

    /// The registers that may hold an address.
    fn registers(&mut self, more: &[Points]) -> Vec<String> {
        let solved = self.solved;
        let all = solved.registers.iter().flatten().chain(more).enumerate();
        let all = all.filter(|(_, points)| !points.is_plain());
        all.map(|(number, points)| format!("register {number} {}", self.set(points))).collect()
    }

    /// What memory may hold.
    fn cells(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        for object in self.solved.objects.ids() {
            for (offset, len, points) in self.solved.memory[object.0 as usize].all() {
                let (base, stride) = offset.parts();
                lines.push(format!("cell {} {base} {stride} {len} {}", object.0, self.set(points)));
            }
        }
        lines
    }

    fn facts(&self, escaped: &[bool], line: &mut dyn FnMut(String)) {
        let is_outside = |id: &ObjectId| self.object(*id) == "outside";
        let all = self.solved.objects.ids().filter(|id| escaped[id.0 as usize] || is_outside(id));
        line(format!("escaped{}", all.map(|id| format!(" {}", id.0)).collect::<String>()));
        for (number, (_, state)) in self.points.iter().enumerate() {
            for ((object, at), hold) in &state.locks {
                let mode = if hold.held == Held::Exclusive { "w" } else { "r" };
                line(format!("held {number} {} {at} {mode} {}", object.0, hold.bytes));
            }
            for ((frame, reg), ((object, at), hold)) in &state.tried {
                let mode = if hold.held == Held::Exclusive { "w" } else { "r" };
                let register = self.register(*frame, *reg);
                line(format!("tried {number} {register} {} {at} {mode} {}", object.0, hold.bytes));
            }
            for ((frame, base, at), near) in &state.held_near {
                let Some(form) = self.forms.get(&(*frame, *base)) else { continue };
                let mode = if near.hold.held == Held::Exclusive { "w" } else { "r" };
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
        for thread in self.solved.frames.thread_ids() {
            let left = self.flow.left(thread);
            let before = &self.flow.before_start[thread.0 as usize];
            line(format!("left {}{}", thread.0, left.map_or_else(String::new, list)));
            line(format!("before {}{}", thread.0, list(before)));
            let root = self.solved.frames.thread(thread).root;
            if let Some(entry) = self.entries.get(&(root, BlockId::new(0))) {
                line(format!("entry {} {entry}", thread.0));
            }
        }
    }

    /// A call that starts a thread: where it puts the id, and the points at which it writes or starts something.
    fn create_line(&self, site: Site) -> String {
        let id = match &self.solved.inst(site).op {
            Op::Call(call) => call.args.first().map(|id| self.word(site.frame, *id)),
            _ => None,
        };
        let of_call = self.done.iter().filter(|(at, _)| called_at(self.solved, *at) == Some(site));
        let points: String = of_call.map(|(_, point)| format!(" {point}")).collect();
        format!("create {}{points}", id.unwrap_or_else(|| "-".to_owned()))
    }

    /// The ids of threads that may be detached.
    fn detached(&self) -> BTreeSet<String> {
        let mut detached = BTreeSet::new();
        let ids: Vec<(FrameId, Operand)> = self.ids();
        for frame in self.solved.frames.ids() {
            let function = self.solved.frames.frame(frame).function;
            match self.effects[function.index()] {
                Some(Effect::Detach) => {
                    let body = self.solved.program.functions[function].body.as_ref();
                    if let Some(&id) = body.and_then(|body| body.params.first()) {
                        detached.insert(self.word(frame, id.into()));
                    }
                }
                Some(Effect::DetachedAttributes) => {
                    detached.extend(ids.iter().map(|(frame, id)| self.word(*frame, *id)));
                }
                _ => {}
            }
        }
        detached
    }

    fn ids(&self) -> Vec<(FrameId, Operand)> {
        let threads = self.solved.frames.thread_ids();
        let starts = threads.flat_map(|thread| self.solved.frames.thread(thread).starts.clone());
        let id = |site: Site| match self.solved.inst(site).op {
            Op::ThreadStart { arg, .. } => Some((site.frame, arg)),
            _ => None,
        };
        starts.filter_map(id).collect()
    }

    fn object(&self, id: ObjectId) -> String {
        match self.solved.objects.get(id) {
            Object::Global(global) if self.solved.program.globals[global].constant => "constant".to_owned(),
            Object::Global(_) => "variable".to_owned(),
            Object::ThreadLocal(_, thread) => format!("local {}", thread.0),
            Object::Function(_) => "function".to_owned(),
            Object::Made(site) => match self.made.get(&site) {
                Some(point) => format!("made {point}"),
                None => "outside".to_owned(),
            },
            Object::Outside => "outside".to_owned(),
        }
    }
}

fn list(threads: &BTreeSet<ThreadId>) -> String {
    threads.iter().map(|thread| format!(" {}", thread.0)).collect()
}
