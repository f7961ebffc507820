//! Accesses to memory: what is an event, and what a thread knows without one.
//!
//! A cell that no other thread writes while this one runs has the value that this thread left in it (or found in it);
//! reading it is no event. A write is an event only if another thread uses the cell at all. Inside an atomic step a cell
//! is read at most once and written at most once, at the end.

use crate::pass::Pass;
use crate::state::State;
use crate::store::Content;
use crate::values::Values;
use crate::*;
use tp_ir::{MemoryOrder, Reach, Width};

/// An access in progress: the node it is on, once it has one.
pub(crate) struct AccessInProgress {
    pub node: Option<NodeId>,
    /// The further condition under which it is a step of the machine.
    pub visible: Term,
    /// Values that it has read from cells whose content was not known.
    pub found: Vec<(CellId, Term)>,
    /// How it synchronises.
    pub order: MemoryOrder,
    /// It is a read-modify-write, which continues release sequences.
    pub modifies: bool,
}

impl AccessInProgress {
    /// The access for the next piece of a copy or fill.
    pub fn next(&self) -> AccessInProgress {
        AccessInProgress { node: None, found: Vec::new(), ..*self }
    }
}

impl Pass<'_> {
    // ── nodes and steps ────────────────────────────────────────────────────────────────────────────────────────

    pub fn new_node(&mut self, state: &State) -> NodeId {
        let node = Node { thread: self.thread.id, guard: state.guard.term(), place: self.thread.place };
        self.thread.last_node = self.out.nodes.push(node);
        self.thread.last_node
    }

    fn access_node(&mut self, state: &State, access: &mut AccessInProgress) -> NodeId {
        match (&state.step, access.node) {
            (Some(step), _) => step.node,
            (None, Some(node)) => node,
            (None, None) => *access.node.insert(self.new_node(state)),
        }
    }

    /// In an atomic step, ordinary accesses are atomic.
    pub fn begin_access(&mut self, state: &State, order: MemoryOrder) -> AccessInProgress {
        // Whether the cell is internal to the models is known only later.
        let order = if state.step.is_some() { order.in_section(false) } else { order };
        AccessInProgress {
            node: None,
            visible: self.out.terms.bool(false),
            found: Vec::new(),
            order,
            modifies: false,
        }
    }

    /// Ends an access, which is a step where it is visible.
    pub fn end_access(&mut self, state: &State, access: AccessInProgress) {
        if state.step.is_none() {
            let guard = self.out.terms.and(state.guard.term(), access.visible);
            self.add_step(guard, access.node);
        }
    }

    /// Ends an access that is no step of the machine, though others may see it.
    pub fn end_locally(&mut self, access: &AccessInProgress) {
        if let Some(node) = access.node {
            let thread = &mut self.out.threads[self.thread.id];
            thread.local_nodes.push((node, thread.steps.len()));
        }
    }

    pub fn add_step(&mut self, guard: Term, node: Option<NodeId>) {
        let thread = &mut self.out.threads[self.thread.id];
        if self.out.terms.as_const(guard) != Some(0) && self.thread.outputs == 0 {
            let step = Step { guard, node: node.unwrap_or(self.thread.last_node), is_node: node.is_some() };
            thread.steps.push(step);
        } else if let Some(node) = node {
            thread.local_nodes.push((node, thread.steps.len()));
        }
    }

    /// Whether an access is a step of the machine.
    pub fn is_visible(&self, state: &State, object: ObjectId) -> bool {
        let o = &self.objects[object];
        let reach = Reach { is_private: o.private, is_constant: o.constant, is_internal: o.internal };
        reach.is_visible(state.step.is_some())
    }

    // ── cells ──────────────────────────────────────────────────────────────────────────────────────────────────

    pub fn first_of(&mut self, cell: CellId) -> Term {
        match self.snapshot.as_ref().map(|s| s.get(cell)) {
            Some(Content::Known(value)) => value,
            _ => self.out.cells[cell].first,
        }
    }

    /// The value of a cell now, if `condition` holds.
    pub fn read_cell(
        &mut self,
        state: &mut State,
        cell: CellId,
        condition: Term,
        access: &mut AccessInProgress,
    ) -> Term {
        let object = self.out.cells[cell].object;
        if self.objects[object].private || !state.concurrent {
            return match state.store.get(cell) {
                Content::Known(value) => value,
                _ => self.out.cells[cell].first,
            };
        }
        let key = self.cell_key(cell);
        self.know.reads(key, self.thread.key);
        self.known_first(cell);
        if self.objects[object].fresh.is_some() {
            self.notes.look_at(cell);
        }
        self.note_acquired(state, cell, condition, access.order);
        if let Some(&value) = state.step.as_ref().and_then(|s| s.seen.get(&cell)) {
            return value;
        }
        let alone = !self.others_write(state, cell);
        let known = match state.store.get(cell) {
            Content::Known(value) if self.keeps_value(state, cell, value) => Some(value),
            Content::First if alone && !self.others_have_written(state, cell) => Some(self.first_of(cell)),
            _ => None,
        };
        let value = match known {
            Some(value) => {
                if self.learns(state, cell, access) {
                    self.add_read(state, cell, (condition, value), access);
                }
                value
            }
            None => {
                let value = self.read_event(state, cell, condition, access);
                access.found.push((cell, value));
                value
            }
        };
        if let Some(step) = &mut state.step
            && self.out.terms.as_const(condition) == Some(1)
        {
            step.seen.insert(cell, value);
            step.found.insert(cell, value);
        }
        if known.is_some() {
            return value;
        }
        if alone && self.out.terms.as_const(condition) == Some(1) {
            state.store.set(cell, Content::Known(value));
        }
        value
    }

    /// Like `read_cell`, for a read that the program does not make itself: it synchronises with nothing.
    pub fn peek_cell(
        &mut self,
        state: &mut State,
        cell: CellId,
        condition: Term,
        access: &mut AccessInProgress,
    ) -> Term {
        let order = std::mem::replace(&mut access.order, MemoryOrder::Plain);
        let value = self.read_cell(state, cell, condition, access);
        access.order = order;
        value
    }

    fn read_event(
        &mut self,
        state: &State,
        cell: CellId,
        condition: Term,
        access: &mut AccessInProgress,
    ) -> Term {
        let width = Self::width_of_bytes(self.out.cells[cell].bytes as u64);
        if let Some(value) = self.only_value(cell) {
            return self.out.terms.constant(width, value);
        }
        let values = self.facts(cell).values.clone();
        let value = self.unknown_among(width, &values);
        self.values.set(value, values);
        self.add_read(state, cell, (condition, value), access);
        value
    }

    fn add_read(
        &mut self,
        state: &State,
        cell: CellId,
        (condition, value): (Term, Term),
        access: &mut AccessInProgress,
    ) {
        let node = self.access_node(state, access);
        let guard = self.out.terms.and(state.guard.term(), condition);
        let is_quiet = state.step.is_some() && access.order.is_atomic() && self.is_internal(cell);
        let order = if is_quiet { MemoryOrder::Quiet } else { access.order };
        self.out.reads.push(Read { node, cell, guard, value, order });
    }

    /// Whether only models use the cell. Such cells do not synchronise.
    pub fn is_internal(&self, cell: CellId) -> bool {
        self.objects[self.out.cells[cell].object].internal
    }

    /// A step has one read event for a cell, however often the program reads it; the event acquires if one of the reads
    /// does. Reading its own writes adds no ordering.
    pub fn note_acquired(&mut self, state: &State, cell: CellId, condition: Term, order: MemoryOrder) {
        let Some(step) = &state.step else { return };
        if !order.acquires()
            || !self.checks_races(state)
            || self.is_internal(cell)
            || step.written.contains_key(&cell)
        {
            return;
        }
        let key = (step.node, cell);
        let now = self.out.terms.and(state.guard.term(), condition);
        let before = self.out.acquired.get(&key).copied();
        let when = before.map_or(now, |before| self.out.terms.or(before, now));
        self.out.acquired.insert(key, when);
    }

    /// A new unknown; bits that are the same in all values are constant.
    fn unknown_among(&mut self, width: Width, values: &Values) -> Term {
        let Values::Few(few) = values else { return self.out.terms.variable(width) };
        let Some(&one) = few.first() else { return self.out.terms.variable(width) };
        let differ = few.iter().fold(0, |d, v| d | (v ^ one));
        if differ == 0 {
            return self.out.terms.constant(width, one);
        }
        let low = differ.trailing_zeros();
        let high = 128 - differ.leading_zeros();
        let unknown = match Width::new(high - low) {
            Some(w) => self.out.terms.variable(w),
            None => return self.out.terms.variable(width),
        };
        let mut value = unknown;
        if let Some(w) = Width::new(low) {
            let below = self.out.terms.constant(w, one);
            value = self.out.terms.concat(value, below);
        }
        if let Some(w) = width.bits().checked_sub(high).and_then(Width::new) {
            let above = self.out.terms.constant(w, one >> high);
            value = self.out.terms.concat(above, value);
        }
        self.values.set_part(unknown, value, low);
        value
    }

    /// Writes a cell if `condition` holds.
    pub fn write_cell(
        &mut self,
        state: &mut State,
        cell: CellId,
        condition: Term,
        value: Term,
        access: &mut AccessInProgress,
    ) {
        let object = self.out.cells[cell].object;
        let always = self.out.terms.as_const(condition) == Some(1);
        if self.objects[object].private || !state.concurrent {
            let old = match state.store.get(cell) {
                Content::Known(old) => old,
                _ => self.out.cells[cell].first,
            };
            let new = self.out.terms.ite(condition, value, old);
            state.store.set(cell, Content::Known(new));
            return;
        }
        if always && self.begins(state, cell, value) {
            // A thread that gets the address of this object can read `value` there.
            self.publish(value);
            state.store.set(cell, Content::Known(value));
            return;
        }
        self.known_first(cell);
        let values = self.values_of(value);
        let key = self.cell_key(cell);
        self.know.holds(key, &values);
        if state.step.is_some() {
            let new = if always {
                value
            } else {
                let now = self.out_true();
                let old = self.peek_cell(state, cell, now, access);
                self.out.terms.ite(condition, value, old)
            };
            let Some(step) = &mut state.step else { return };
            step.seen.insert(cell, new);
            let (when, what) = match step.written.get(&cell) {
                Some(&(before, old)) if !always => {
                    (self.out.terms.or(before, condition), self.out.terms.ite(condition, value, old))
                }
                _ => (condition, value),
            };
            step.written.insert(cell, (when, what));
            if !access.order.releases() {
                step.relaxed.insert(cell, access.order);
            }
            if !access.modifies {
                self.out.overwritten.insert((step.node, cell));
            }
            return;
        }
        let content = state.store.get(cell);
        let old = match content {
            Content::Known(old) if self.keeps_value(state, cell, old) => self.out.terms.as_const(old),
            _ => None,
        };
        self.note_write(cell, value, old.as_ref().map(std::slice::from_ref), false);
        self.escapes(self.thread.key, cell, value);
        if self.others_use(self.thread.key, cell) && self.only_value(cell).is_none() {
            let node = self.access_node(state, access);
            let guard = self.out.terms.and(state.guard.term(), condition);
            self.out.writes.push(Write { node, cell, guard, value, order: access.order });
            let old = access.found.iter().find(|f| f.0 == cell).map(|f| f.1);
            self.add_effect(state, guard, old, value);
        }
        let content = if always {
            if self.keeps_value(state, cell, value) { Content::Known(value) } else { Content::Stale }
        } else if self.others_write(state, cell) {
            Content::Stale
        } else {
            match content {
                Content::Stale => Content::Stale,
                Content::Known(old) => Content::Known(self.out.terms.ite(condition, value, old)),
                Content::First if self.others_have_written(state, cell) => Content::Stale,
                Content::First => {
                    let old = self.first_of(cell);
                    Content::Known(self.out.terms.ite(condition, value, old))
                }
            }
        };
        state.store.set(cell, content);
    }

    /// Others can see a write, unless it writes back the value that the same step has read.
    pub fn add_effect(&mut self, state: &mut State, guard: Term, old: Option<Term>, new: Term) {
        let changes = match old {
            Some(old) => {
                let same = self.out.terms.eq(old, new);
                self.out.terms.not(same)
            }
            None => self.out_true(),
        };
        state.effects.add(self.out.terms.and(guard, changes));
    }

    pub fn out_true(&mut self) -> Term {
        self.out.terms.bool(true)
    }
}
