//! Atomic steps, waiting, starting threads, and merging paths.

use crate::held::Held;
use crate::knowledge::CreationSite;
use crate::pass::{Alive, Pass, Start};
use crate::state::{Effects, Guard, OpenStep, State};
use crate::store::Content;
use crate::values::Values;
use crate::*;
use tp_ir::{FuncId, MemoryOrder, Op, Property};

/// For a step with more writes, the values that they overwrite are not computed.
const FEW_WRITES: usize = 8;

/// At most this many of the threads that a thread starts at one site are executed.
fn threads_of_a_place(bound: u32) -> u32 {
    2u32.saturating_pow(bound)
}

impl Pass<'_> {
    /// Begins a step if the instruction is one by itself, and returns whether it is.
    pub fn step_here(&mut self, state: &mut State, op: &Op) -> bool {
        let is_step = op.is_step(state.step.is_some());
        if is_step {
            self.begin_step(state);
        }
        is_step
    }

    /// Begins a step, which lasts until `commit`.
    fn begin_step(&mut self, state: &mut State) {
        let node = self.new_node(state);
        self.add_step(state.guard.term(), Some(node));
        let nobody = self.out.terms.constant(tp_ir::Width::W32, u32::MAX as u128);
        let nothing = self.out.terms.constant(self.pointer_width(), 0);
        let never = self.out.terms.bool(false);
        state.step = Some(Box::new(OpenStep {
            node,
            depth: 0,
            owner: nobody,
            object: nothing,
            asked: never,
            seen: Default::default(),
            found: Default::default(),
            written: Default::default(),
            relaxed: Default::default(),
            awaited: Vec::new(),
            starts: Vec::new(),
        }));
    }

    /// The step is taken: its writes become visible, and the threads it starts run.
    pub fn commit(&mut self, state: &mut State, is_last_step: bool) {
        let Some(step) = state.step.take() else { return };
        for (&cell, &(condition, value)) in &step.written {
            let old = self.written_over(state, &step, cell, condition);
            self.note_write(cell, value, old.as_deref(), is_last_step);
            self.escapes(self.thread.key, cell, value);
            if self.others_use(self.thread.key, cell) && self.only_value(cell).is_none() {
                let guard = self.out.terms.and(state.guard.term(), condition);
                let order = step.relaxed.get(&cell).copied().unwrap_or(MemoryOrder::Plain);
                let order = order.in_section(self.is_internal(cell));
                self.out.writes.push(Write { node: step.node, cell, guard, value, order });
                self.add_effect(state, guard, step.found.get(&cell).copied(), value);
            }
            let content = match step.seen.get(&cell) {
                Some(&value) if self.keeps_value(state, cell, value) => Content::Known(value),
                _ => Content::Stale,
            };
            state.store.set(cell, content);
        }
        if !step.starts.is_empty() {
            self.start_threads(state, step.node, &step.starts);
        }
    }

    /// The values of a cell that a step can overwrite, as far as what it read and awaited tells. `None`: any.
    fn written_over(
        &mut self,
        state: &State,
        step: &OpenStep,
        cell: CellId,
        condition: Term,
    ) -> Option<Vec<u128>> {
        let old = *step.found.get(&cell)?;
        if step.written.len() > FEW_WRITES {
            return None;
        }
        if let Some(value) = self.out.terms.as_const(old) {
            return Some(vec![value]);
        }
        let Some(Values::Few(few)) = self.values.of(old).cloned() else { return None };
        let mut when = self.out.terms.and(state.guard.term(), condition);
        for &awaited in &step.awaited {
            when = self.out.terms.and(when, awaited);
        }
        let width = self.out.terms.width(old);
        let mut left = Vec::new();
        for value in few {
            let constant = self.out.terms.constant(width, value);
            let possible = self.substitute(when, old, constant);
            if self.out.terms.as_const(possible) != Some(0) {
                left.push(value);
            }
        }
        Some(left)
    }

    fn start_threads(&mut self, state: &mut State, node: NodeId, starts: &[usize]) {
        self.become_concurrent(state, node);
        for &i in starts {
            let guard = self.out.terms.and(self.starts[i].guard, state.guard.term());
            state.effects.add(guard);
            self.thread.starts += 1;
            self.publish(self.starts[i].argument);
            let start = &self.starts[i];
            let start = Start {
                key: start.key,
                function: start.function,
                argument: start.argument,
                guard,
                nested: start.nested,
                from: Some((state.clone(), node)),
                index: self.out.started.len(),
            };
            self.out.started.push(Started { node, guard, thread: None });
            state.started.insert(start.key);
            if self.out.terms.as_const(guard) != Some(0) {
                self.queue.push_back(start);
            }
        }
        self.forget_shared(state);
    }

    /// The first thread is no longer alone: the memory it leaves is the initial memory of the others. Where another
    /// path has left other contents before, this path writes its own now, before another thread can read them.
    pub fn become_concurrent(&mut self, state: &mut State, node: NodeId) {
        if state.concurrent {
            return;
        }
        state.concurrent = true;
        let Some(snapshot) = &self.snapshot else {
            self.snapshot = Some(state.store.clone());
            self.notes.forget_first();
            return;
        };
        for (cell, _, content) in snapshot.differences(&state.store) {
            let object = self.out.cells[cell].object;
            let value = match content {
                Content::Known(value) => value,
                _ => self.out.cells[cell].first,
            };
            let made = self.objects[object].made;
            if self.objects[object].private
                || made.is_some_and(|m| state.guard.excludes(&mut self.out.terms, m))
            {
                continue;
            }
            let values = self.values_of(value);
            self.know.holds(self.cell_key(cell), &values);
            self.note_write(cell, value, None, false);
            let guard = state.guard.term();
            self.out.writes.push(Write { node, cell, guard, value, order: MemoryOrder::Plain });
            // The initial value is from now on the one that the other path has left.
            state.store.set(cell, Content::Known(value));
        }
    }

    /// The step can be passed only when `condition` holds.
    pub fn wait_for(&mut self, state: &mut State, condition: Term) -> Alive<()> {
        let Some(step) = &state.step else { return Ok(Some(())) };
        let (node, owner, object, asked) = (step.node, step.owner, step.object, step.asked);
        let passed = match self.out.terms.as_const(condition) {
            Some(0) => condition,
            Some(_) => return Ok(Some(())),
            None => self.out.terms.variable(tp_ir::Width::BOOL),
        };
        if self.checks_waiting() {
            let (not_passed, fails) = (self.out.terms.not(passed), self.out.terms.not(condition));
            let stands = self.out.terms.and(state.guard.term(), not_passed);
            let blocked = self.out.terms.and(stands, fails);
            let holds = state.held.locks(&mut self.out.terms);
            self.out.waits.push(Wait { node, blocked, owner, object, holds, asked });
        }
        let goes = self.out.terms.implies(state.guard.term(), passed);
        let so_far = self.waiting.get(&node).copied().unwrap_or_else(|| self.out_true());
        let taken = self.out.terms.and(so_far, goes);
        self.waiting.insert(node, taken);
        if passed == condition {
            return Ok(None);
        }
        if !state.guard.add(&mut self.out.terms, passed) {
            return Ok(None);
        }
        let holds = self.out.terms.implies(state.guard.term(), condition);
        self.out.assumptions.push(holds);
        if let Some(step) = &mut state.step {
            step.awaited.push(condition);
        }
        self.threads_ended(state, node, condition);
        Ok(Some(()))
    }

    /// Whether waiting for ever is checked.
    pub fn checks_waiting(&self) -> bool {
        self.config.checks.has(Property::Deadlock) || self.config.checks.has(Property::Stuck)
    }

    /// If the condition can only hold after the last step of another thread, that thread has ended.
    fn threads_ended(&mut self, state: &mut State, node: NodeId, condition: Term) {
        let from = self.out.reads.len();
        let reads: Vec<(CellId, Term)> = self.out.reads[..from]
            .iter()
            .rev()
            .take_while(|r| r.node == node)
            .map(|r| (r.cell, r.value))
            .collect();
        for (cell, value) in reads {
            let Some(Values::Few(few)) = self.values.of(value).cloned() else { continue };
            let width = self.out.terms.width(value);
            let first = self.first_of(cell);
            let Some(first) = self.out.terms.as_const(first) else { continue };
            let mut by = None;
            let mut is_certain = true;
            for v in few {
                let constant = self.out.terms.constant(width, v);
                let holds = self.substitute(condition, value, constant);
                if self.out.terms.as_const(holds) == Some(0) {
                    continue;
                }
                let facts = self.facts(cell);
                for w in &facts.writers {
                    let writes = w.values.as_ref().map(|vs| vs.iter().find(|(k, _)| *k == v));
                    match writes {
                        Some(None) => {}
                        Some(Some((_, true))) if by.is_none_or(|t| t == w.thread) => by = Some(w.thread),
                        _ => is_certain = false,
                    }
                }
                is_certain &= v != first;
            }
            if is_certain
                && let Some(thread) = by
                && thread != self.thread.key
            {
                state.ended.insert(thread);
            }
        }
    }

    pub fn thread_start(
        &mut self,
        state: &mut State,
        function: Term,
        argument: Term,
        site: CreationSite,
    ) -> Alive<Term> {
        let Some(functions) = self.functions_at(state, function) else { return Ok(None) };
        let mut number = None;
        for (condition, function) in functions {
            let nth = self.thread.counts.entry(site).or_default();
            *nth += 1;
            let nth = *nth;
            // It can run from the step that starts it, at the earliest.
            let started = state.step.as_ref().map_or(0, |s| s.starts.len() as u32);
            let key = self.know.thread(Some((self.thread.key, self.thread.starts + started + 1)), site, nth);
            let is_nested = state.guard.len() > self.thread.first_parts
                && self.know.descends_from_site(self.thread.key, site);
            let nested = self.thread.nested + u32::from(is_nested);
            if nth > threads_of_a_place(self.config.bound) || nested > self.config.bound {
                // It is started, but not executed.
                self.limit_if(state, condition, LimitKind::Loop);
                let guard = self.out.terms.and(state.guard.term(), condition);
                if let Some(step) = &state.step {
                    self.out.started.push(Started { node: step.node, guard, thread: None });
                }
            } else {
                let guard = self.out.terms.and(state.guard.term(), condition);
                self.starts.push(Start { key, function, argument, guard, nested, from: None, index: 0 });
                let index = self.starts.len() - 1;
                if let Some(step) = &mut state.step {
                    step.starts.push(index);
                }
                self.note_stage(state, key, condition, false);
            }
            let own = self.out.terms.constant(tp_ir::Width::W32, key.0 as u128);
            number = Some(match number {
                Some(rest) => self.out.terms.ite(condition, own, rest),
                None => own,
            });
        }
        Ok(number)
    }

    /// The functions that a pointer can point to. The path ends where it points to none, or where that is not known.
    pub fn functions_at(&mut self, state: &mut State, pointer: Term) -> Option<Vec<(Term, FuncId)>> {
        let targets = self.targets_here(state, pointer);
        let mut functions = Vec::new();
        let mut valid = self.out.terms.bool(false);
        for target in targets.list.iter() {
            if let Some(function) = self.objects[target.object].function {
                let at_start = self.equals(target.offset, 0);
                let condition = self.out.terms.and(target.condition, at_start);
                if self.out.terms.as_const(condition) != Some(0) {
                    valid = self.out.terms.or(valid, condition);
                    functions.push((condition, function));
                }
            }
        }
        if let [only] = &mut functions[..] {
            only.0 = self.out.terms.bool(true);
        }
        self.claim_valid(state, valid, targets.lost).ok()?.map(|()| functions)
    }

    /// The program ends here.
    pub fn exit(&mut self, state: &mut State, op: &Op) -> Alive<()> {
        self.step_here(state, op);
        if self.claim_nothing_lost(state)?.is_none() {
            return Ok(None);
        }
        if let Some(step) = &state.step {
            self.out.exits.push((step.node, state.guard.term()));
        }
        self.commit(state, true);
        Ok(None)
    }

    /// It is a violation if `condition` does not hold. `None`: it never holds.
    pub fn claim(&mut self, state: &mut State, property: Property, condition: Term) -> Alive<()> {
        let is_checked = self.config.checks.has(property);
        if !is_checked && !property.ends_execution() {
            return Ok(Some(()));
        }
        let not = self.out.terms.not(condition);
        let fails = self.out.terms.and(state.guard.term(), not);
        if self.out.terms.as_const(fails) == Some(0) {
        } else if !is_checked {
            self.limit_at(state, fails, LimitKind::Undefined(UndefinedBehaviour::Property(property)));
        } else {
            let mut steps = self.out.threads[self.thread.id].steps.len();
            let mut node = self.thread.last_node;
            if let Some(step) = &state.step {
                node = step.node;
                let own =
                    self.out.threads[self.thread.id].steps.iter().rposition(|s| s.is_node && s.node == node);
                steps = own.unwrap_or(steps);
            }
            self.out.claims.push(Claim { property, node, steps, fails, place: self.thread.place });
        }
        Ok(state.guard.add(&mut self.out.terms, condition).then_some(()))
    }

    // ── where paths meet ───────────────────────────────────────────────────────────────────────────────────────

    /// Whether two states can be merged: both in the same step, or both outside of steps.
    pub fn can_merge(a: &State, b: &State) -> bool {
        match (&a.step, &b.step) {
            (None, None) => true,
            (Some(x), Some(y)) => x.node == y.node && x.depth == y.depth,
            _ => false,
        }
    }

    /// Merges two states that exclude each other. The term says whether it is the first.
    pub fn merge(&mut self, mut a: State, mut b: State) -> (State, Term) {
        if a.concurrent != b.concurrent {
            let alone = if a.concurrent { &mut b } else { &mut a };
            let node = match &alone.step {
                Some(step) => step.node,
                None => self.new_node(alone),
            };
            self.become_concurrent(alone, node);
        }
        self.merge_steps(&mut a, &mut b);
        let (guard, first) = Guard::either(&mut self.out.terms, &a.guard, &b.guard);
        let step = self.merged_step(first, a.step.take(), b.step.take());
        let mut store = a.store.clone();
        for (cell, x, y) in a.store.differences(&b.store) {
            let lost = |this: &Self, state: &State, content: Content| {
                content == Content::First && state.concurrent && this.others_have_written(state, cell)
            };
            let content = match (x, y) {
                (Content::Stale, _) | (_, Content::Stale) => Content::Stale,
                _ if lost(self, &a, x) || lost(self, &b, y) => Content::Stale,
                (x, y) => {
                    let value = |this: &mut Self, c: Content| match c {
                        Content::Known(value) => value,
                        _ if a.concurrent => this.first_of(cell),
                        _ => this.out.cells[cell].first,
                    };
                    let (x, y) = (value(self, x), value(self, y));
                    Content::Known(self.out.terms.ite(first, x, y))
                }
            };
            store.set(cell, content);
        }
        let effects = Effects::either(&mut self.out.terms, a.effects, b.effects);
        let ended = a.ended.intersection(&b.ended);
        let started = a.started.union(&b.started);
        let held = Held::either(&mut self.out.terms, first, &a.held, &b.held);
        (State { guard, store, concurrent: a.concurrent, ended, started, step, effects, held }, first)
    }

    /// A cell that only one of two states has written in this step is read in the other, so that both have a value.
    fn merge_steps(&mut self, a: &mut State, b: &mut State) {
        for (from, to) in [(0, 1), (1, 0)] {
            let (x, y): (&State, &mut State) = if (from, to) == (0, 1) { (a, b) } else { (b, a) };
            let Some(step) = &x.step else { continue };
            let missing: Vec<CellId> = step
                .written
                .keys()
                .copied()
                .filter(|c| y.step.as_ref().is_some_and(|s| !s.seen.contains_key(c)))
                .collect();
            for cell in missing {
                let (mut access, always) = (self.begin_access(y, MemoryOrder::Plain), self.out_true());
                let value = self.peek_cell(y, cell, always, &mut access);
                if let Some(step) = &mut y.step {
                    step.seen.insert(cell, value);
                }
            }
        }
    }

    fn merged_step(
        &mut self,
        first: Term,
        a: Option<Box<OpenStep>>,
        b: Option<Box<OpenStep>>,
    ) -> Option<Box<OpenStep>> {
        let (a, b) = (*a?, *b?);
        let mut step = OpenStep {
            node: a.node,
            depth: a.depth,
            owner: self.out.terms.ite(first, a.owner, b.owner),
            object: self.out.terms.ite(first, a.object, b.object),
            asked: self.out.terms.or(a.asked, b.asked),
            seen: Default::default(),
            found: Default::default(),
            written: Default::default(),
            relaxed: a.relaxed.iter().chain(&b.relaxed).map(|(cell, order)| (*cell, *order)).collect(),
            awaited: a.awaited.iter().copied().filter(|t| b.awaited.contains(t)).collect(),
            starts: a.starts,
        };
        for (cell, x) in a.found {
            if b.found.get(&cell) == Some(&x) {
                step.found.insert(cell, x);
            }
        }
        step.starts.extend(b.starts);
        step.starts.sort_unstable();
        step.starts.dedup();
        for (&cell, &x) in &a.seen {
            if let Some(&y) = b.seen.get(&cell) {
                step.seen.insert(cell, self.out.terms.ite(first, x, y));
            }
        }
        let never = self.out.terms.bool(false);
        for &cell in a.written.keys().chain(b.written.keys()) {
            if step.written.contains_key(&cell) {
                continue;
            }
            let side = |s: &std::collections::BTreeMap<CellId, (Term, Term)>| s.get(&cell).copied();
            let (x, y) = (side(&a.written), side(&b.written));
            let when = self.out.terms.ite(first, x.map_or(never, |w| w.0), y.map_or(never, |w| w.0));
            let what = match (x, y) {
                (Some(x), Some(y)) => self.out.terms.ite(first, x.1, y.1),
                (Some(one), None) | (None, Some(one)) => one.1,
                (None, None) => continue,
            };
            step.written.insert(cell, (when, what));
        }
        Some(Box::new(step))
    }
}
