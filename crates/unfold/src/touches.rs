//! Accesses that can be part of a data race: where a thread is about to make each, whether or not it is an event.
//!
//! Where all atomics synchronise, two accesses race if and only if there is an execution in which both threads are
//! about to make them. For weaker atomics that is not enough: so events have memory orders, and fences are nodes.

use crate::access::AccessInProgress;
use crate::memory::Cells;
use crate::pass::Pass;
use crate::spots::Spot;
use crate::state::State;
use crate::store::Content;
use crate::values::Values;
use crate::*;
use tp_ir::{MemoryOrder, Op, Property};

impl Pass<'_> {
    pub fn touch(
        &mut self,
        state: &State,
        spot: &Spot,
        cells: &Cells,
        is_write: bool,
        access: &AccessInProgress,
    ) {
        // What functions that only write text read is noted at the call site (`touch_output`).
        let is_counted = self.thread.outputs == 0 && self.is_visible(state, spot.object);
        if !self.checks_races(state) || !is_counted {
            return;
        }
        let is_plain = access.order == MemoryOrder::Plain;
        let guard = self.out.terms.and(state.guard.term(), spot.condition);
        let touch = self.touch_of(state, guard, spot.object, access.node, (is_write, is_plain));
        self.out.touches.extend(cells.iter().map(|cell| PendingAccess { cell: Some(cell), ..touch }));
    }

    /// Freeing memory counts as a write to all of it.
    pub fn touch_freed(&mut self, state: &State, pointer: Term) {
        if !self.checks_races(state) {
            return;
        }
        let targets = self.targets_here(state, pointer);
        for target in targets.list.iter() {
            if self.is_visible(state, target.object) {
                let guard = self.out.terms.and(state.guard.term(), target.condition);
                let touch = self.touch_of(state, guard, target.object, None, (true, true));
                self.out.touches.push(PendingAccess { frees: true, ..touch });
            }
        }
    }

    /// The maker of an object fills it. With weak atomics, other threads can reach the object without being ordered
    /// after that.
    pub fn touch_new(&mut self, state: &State, object: ObjectId) {
        if self.know.has_weak_atomics && self.checks_races(state) && self.is_visible(state, object) {
            let touch = self.touch_of(state, state.guard.term(), object, None, (true, true));
            self.out.touches.push(PendingAccess { is_plain: true, ..touch });
        }
    }

    /// A function that writes text reads what its arguments point to; one with a format, what its `va_list` leads to as
    /// well. How much of that it reads is left open.
    pub fn touch_output(&mut self, state: &State, arguments: &[Term], has_format: bool) {
        if !self.checks_races(state) {
            return;
        }
        let always = self.out_true();
        let mut found = Vec::new();
        for &pointer in arguments {
            self.pointed_to(pointer, always, &mut found);
        }
        // The `va_list` points to the area of the arguments, and these may be pointers.
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
                self.out.guesses.push(Guess { guard, gap: Gap::OutputReads, place: self.thread.place });
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

    /// Adds where the content of a cell points; where that is not known, all that it may ever hold.
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

    pub fn checks_races(&self, state: &State) -> bool {
        state.concurrent && self.config.checks.has(Property::Race)
    }

    /// Whether it matters which write an access reads from, even if the value is known: with weak atomics,
    /// happens-before depends on it. A cell that no other thread uses orders nothing.
    pub fn learns(&self, state: &State, cell: CellId, access: &AccessInProgress) -> bool {
        self.know.has_weak_atomics
            && state.step.is_none()
            && access.order.is_atomic()
            && self.checks_races(state)
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
    ) -> PendingAccess {
        let steps = &self.out.threads[self.thread.id].steps;
        let mut touch = PendingAccess {
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

    /// After a weak atomic access there may be races that the order of steps does not show. The next pass relies on
    /// this note.
    pub fn note_weak_atomics(&mut self, state: &State, op: &Op) {
        if self.checks_races(state) {
            let is_new = op.is_weak_atomic() && !self.know.has_weak_atomics;
            self.know.has_weak_atomics |= is_new;
            self.know.changed |= is_new;
        }
    }

    /// A fence orders the atomic accesses around it; it is a node, but no step.
    pub fn fence(&mut self, state: &State, order: MemoryOrder) {
        if self.checks_races(state) && state.step.is_none() {
            let node = self.new_node(state);
            let thread = &mut self.out.threads[self.thread.id];
            thread.local_nodes.push((node, thread.steps.len()));
            self.out.fences.push((node, order));
        }
    }
}
