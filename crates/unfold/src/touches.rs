//! Accesses that can be part of a data race: where a thread stands before each, whether or not it is an event.
//!
//! Where all atomics synchronise, two accesses race if and only if there is an execution in which both threads stand right
//! before them. For weaker atomics that is not enough, so one of them is a limit.

use crate::access::Access;
use crate::memory::Cells;
use crate::pass::{Ctx, Pass};
use crate::spots::Spot;
use crate::state::State;
use crate::store::Content;
use crate::*;
use rustc_hash::FxHashSet;
use tp_ir::{Op, Order, Property};

impl Pass<'_> {
    pub fn touch(
        &mut self,
        ctx: &Ctx,
        state: &State,
        spot: &Spot,
        cells: &Cells,
        is_write: bool,
        access: &Access,
    ) {
        // What functions read that only write text is noted where they are called.
        let is_counted = ctx.outputs == 0 && self.is_visible(state, spot.object);
        if !self.looks_for_races(state) || !is_counted {
            return;
        }
        let is_plain = access.order == Order::Plain;
        let guard = self.out.terms.and(state.guard.term(), spot.condition);
        let touch = self.touch_of(ctx, state, guard, spot.object, access.node, (is_write, is_plain));
        self.out.touches.extend(cells.iter().map(|cell| Touch { cell: Some(cell), ..touch }));
    }

    /// Memory that is freed counts as written, all of it.
    pub fn touch_freed(&mut self, ctx: &Ctx, state: &State, pointer: Term) {
        if !self.looks_for_races(state) {
            return;
        }
        let targets = self.targets_here(ctx, state, pointer);
        for target in targets.list.iter() {
            if self.is_visible(state, target.object) {
                let guard = self.out.terms.and(state.guard.term(), target.condition);
                let touch = self.touch_of(ctx, state, guard, target.object, None, (true, true));
                self.out.touches.push(Touch { frees: true, ..touch });
            }
        }
    }

    /// A function that writes text reads what its arguments point to, and what those point to that only this thread can
    /// reach (a list of arguments). How much of it is left open.
    pub fn touch_output(&mut self, ctx: &Ctx, state: &State, arguments: &[Term]) {
        if !self.looks_for_races(state) {
            return;
        }
        let mut todo: Vec<Term> = arguments.to_vec();
        let mut seen = FxHashSet::default();
        while let Some(pointer) = todo.pop() {
            if self.out.terms.width(pointer) != self.pointer_width() {
                continue;
            }
            for target in self.targets(pointer).list.iter() {
                if !seen.insert(target.object) {
                    continue;
                }
                if self.objects[target.object].private {
                    let cells = self.objects[target.object].cells.values();
                    let known = cells.filter_map(|&cell| match state.store.get(cell) {
                        Content::Known(value) => Some(value),
                        _ => None,
                    });
                    todo.extend(known);
                } else if self.is_visible(state, target.object) {
                    let guard = self.out.terms.and(state.guard.term(), target.condition);
                    let touch = self.touch_of(ctx, state, guard, target.object, None, (false, true));
                    self.out.touches.push(touch);
                    let what = "what a function of the C library reads to write it".to_string();
                    self.out.guesses.push(Guess { guard, what, place: ctx.place });
                }
            }
        }
    }

    fn looks_for_races(&self, state: &State) -> bool {
        state.concurrent && self.config.checks.has(Property::Race)
    }

    fn touch_of(
        &self,
        ctx: &Ctx,
        state: &State,
        guard: Term,
        object: ObjectId,
        node: Option<NodeId>,
        (is_write, is_plain): (bool, bool),
    ) -> Touch {
        let steps = &self.out.threads[ctx.id].steps;
        let mut touch = Touch {
            thread: ctx.id,
            object,
            cell: None,
            guard,
            is_write,
            is_plain,
            frees: false,
            node: node.unwrap_or_else(|| self.out.nodes.next_key()),
            in_step: false,
            steps: steps.len(),
            place: ctx.place,
        };
        if let Some(step) = &state.step {
            let own = steps.iter().rposition(|s| s.is_node && s.node == step.node);
            touch.node = step.node;
            touch.in_step = true;
            touch.is_plain = false;
            touch.steps = own.unwrap_or(touch.steps);
        }
        touch
    }

    /// What follows a weak atomic access may race although nothing shows it in the order of steps.
    pub fn limit_weak_atomics(&mut self, ctx: &Ctx, state: &State, op: &Op) {
        if self.looks_for_races(state) && state.step.is_none() && is_weak(op) {
            let what = "whether accesses race, with atomics weaker than acquire and release";
            self.limit(ctx, state, LimitKind::Gap(what.into()));
        }
    }
}

/// Whether a value can pass from thread to thread by it without what was written before.
fn is_weak(op: &Op) -> bool {
    match op {
        Op::Load { order, .. } => !matches!(order, Order::Plain | Order::Acquire | Order::SeqCst),
        Op::Store { order, .. } => !matches!(order, Order::Plain | Order::Release | Order::SeqCst),
        Op::Rmw { order, .. } => !matches!(order, Order::AcqRel | Order::SeqCst),
        Op::CmpXchg { success, failure, .. } => {
            !matches!(success, Order::AcqRel | Order::SeqCst)
                || !matches!(failure, Order::Acquire | Order::SeqCst)
        }
        Op::Fence { .. } => true,
        _ => false,
    }
}
