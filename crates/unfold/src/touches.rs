//! Accesses that can be part of a data race: where a thread stands before each, whether or not it is an event.
//!
//! Where all atomics synchronise, two accesses race if and only if there is an execution in which both threads stand right
//! before them. For weaker atomics that is not enough: so events have their orders, and fences are nodes.

use crate::access::Access;
use crate::memory::Cells;
use crate::pass::Pass;
use crate::spots::Spot;
use crate::state::State;
use crate::store::Content;
use crate::values::Values;
use crate::*;
use tp_ir::{MemoryOrder, Op, Property};

impl Pass<'_> {
    pub fn touch(&mut self, state: &State, spot: &Spot, cells: &Cells, is_write: bool, access: &Access) {
        // What functions read that only write text is noted where they are called.
        let is_counted = self.thread.outputs == 0 && self.is_visible(state, spot.object);
        if !self.looks_for_races(state) || !is_counted {
            return;
        }
        let is_plain = access.order == MemoryOrder::Plain;
        let guard = self.out.terms.and(state.guard.term(), spot.condition);
        let touch = self.touch_of(state, guard, spot.object, access.node, (is_write, is_plain));
        self.out.touches.extend(cells.iter().map(|cell| Touch { cell: Some(cell), ..touch }));
    }

    /// Memory that is freed counts as written, all of it.
    pub fn touch_freed(&mut self, state: &State, pointer: Term) {
        if !self.looks_for_races(state) {
            return;
        }
        let targets = self.targets_here(state, pointer);
        for target in targets.list.iter() {
            if self.is_visible(state, target.object) {
                let guard = self.out.terms.and(state.guard.term(), target.condition);
                let touch = self.touch_of(state, guard, target.object, None, (true, true));
                self.out.touches.push(Touch { frees: true, ..touch });
            }
        }
    }

    /// An object is filled by who has made it. Where atomics do not synchronise, others can come to it who do not know that.
    pub fn touch_new(&mut self, state: &State, object: ObjectId) {
        if self.know.has_weak_atomics && self.looks_for_races(state) && self.is_visible(state, object) {
            let touch = self.touch_of(state, state.guard.term(), object, None, (true, true));
            self.out.touches.push(Touch { is_plain: true, ..touch });
        }
    }

    /// A function that writes text reads what its arguments point to; one with a format, what the list of arguments leads to
    /// as well. How much of it is left open.
    pub fn touch_output(&mut self, state: &State, arguments: &[Term], has_format: bool) {
        if !self.looks_for_races(state) {
            return;
        }
        let always = self.out_true();
        let mut found = Vec::new();
        for &pointer in arguments {
            self.pointed_to(pointer, always, &mut found);
        }
        // A list of arguments points to where they lie, and they are what is pointed to.
        for _ in 0..if has_format { 2 } else { 0 } {
            for (object, condition) in found.clone() {
                let cells: Vec<CellId> = self.objects[object].cells.values().copied().collect();
                for cell in cells {
                    self.contents_point_to(state, cell, condition, &mut found);
                }
            }
        }
        for (object, condition) in found {
            if self.is_visible(state, object) {
                let guard = self.out.terms.and(state.guard.term(), condition);
                let touch = self.touch_of(state, guard, object, None, (false, true));
                self.out.touches.push(touch);
                let what = "what a function of the C library reads to write it".to_string();
                self.out.guesses.push(Guess { guard, what, place: self.thread.place });
            }
        }
    }

    fn pointed_to(&mut self, pointer: Term, when: Term, found: &mut Vec<(ObjectId, Term)>) {
        if self.out.terms.width(pointer) == self.pointer_width() {
            for target in self.targets(pointer).list.iter() {
                let condition = self.out.terms.and(when, target.condition);
                if !found.contains(&(target.object, condition)) {
                    found.push((target.object, condition));
                }
            }
        }
    }

    /// What a cell holds, or may ever hold where that is not known.
    fn contents_point_to(
        &mut self,
        state: &State,
        cell: CellId,
        when: Term,
        found: &mut Vec<(ObjectId, Term)>,
    ) {
        if let Content::Known(value) = state.store.get(cell) {
            return self.pointed_to(value, when, found);
        }
        let addresses: Vec<u128> = match &self.facts(cell).values {
            Values::Few(few) => few.clone(),
            Values::Any(any) => {
                let bases = any.objects.iter().map(|k| self.know.objects[k.0 as usize].base as u128);
                any.exact.iter().map(|&a| a as u128).chain(bases).collect()
            }
        };
        for address in addresses {
            let width = self.pointer_width();
            let pointer = self.out.terms.constant(width, address);
            self.pointed_to(pointer, when, found);
        }
    }

    pub fn looks_for_races(&self, state: &State) -> bool {
        state.concurrent && self.config.checks.has(Property::Race)
    }

    /// Whether it matters which write an access sees, even if it is known what that wrote: not all atomics synchronise. Of a
    /// cell that nobody else uses there are no writes to see.
    pub fn learns(&self, state: &State, cell: CellId, access: &Access) -> bool {
        self.know.has_weak_atomics
            && state.step.is_none()
            && access.order.is_atomic()
            && self.looks_for_races(state)
            && self.others_use(self.thread.key, cell)
            && self.only_value(cell).is_none()
    }

    fn touch_of(
        &self,
        state: &State,
        guard: Term,
        object: ObjectId,
        node: Option<NodeId>,
        (is_write, is_plain): (bool, bool),
    ) -> Touch {
        let steps = &self.out.threads[self.thread.id].steps;
        let mut touch = Touch {
            thread: self.thread.id,
            object,
            cell: None,
            guard,
            is_write,
            is_plain,
            frees: false,
            node: node.unwrap_or_else(|| self.out.nodes.next_key()),
            in_step: false,
            waits: false,
            steps: steps.len(),
            place: self.thread.place,
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

    /// What follows a weak atomic access may race although nothing shows it in the order of steps. The next pass knows.
    pub fn note_weak_atomics(&mut self, state: &State, op: &Op) {
        if self.looks_for_races(state) {
            let is_new = op.is_weak_atomic() && !self.know.has_weak_atomics;
            self.know.has_weak_atomics |= is_new;
            self.know.changed |= is_new;
        }
    }

    /// Orders the atomic accesses around it, which is no step.
    pub fn fence(&mut self, state: &State, order: MemoryOrder) {
        if self.looks_for_races(state) && state.step.is_none() {
            let node = self.new_node(state);
            let thread = &mut self.out.threads[self.thread.id];
            thread.local_nodes.push((node, thread.steps.len()));
            self.out.fences.push((node, order));
        }
    }
}
