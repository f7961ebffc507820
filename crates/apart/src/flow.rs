//! What holds whenever control is somewhere: locks that are held, whether it is in an atomic step, and which threads may
//! have been started and not been waited for.
//!
//! A forward analysis over all frames. Locks and steps must hold on every path, so paths meet in what they have in
//! common; threads may be alive, so they meet in all of them. A call goes through the frames it leads to.

use crate::address::{Base, Definitions, address};
use crate::frames::{FrameId, Site, ThreadId};
use crate::joins::{Joins, joins};
use crate::models::Effect;
use crate::points::Points;
use crate::solved::Solved;
use crate::state::{Lock, Near, State, meet_into};
use crate::tested::{Test, tested};
use crate::threads::{ThreadFacts, Threads};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use tp_ir::cfg::Cfg;
use tp_ir::{BlockId, Body, Call, EntityRef, FuncId, Inst, Op, Operand, Reg, Terminator};

pub struct Flow<'a, 'p> {
    pub solved: &'a Solved<'p>,
    pub facts: &'a ThreadFacts,
    effects: &'a [Option<Effect>],
    joins: Joins,
    /// By frame and block: what holds at its beginning.
    entries: Vec<Vec<Option<State>>>,
    /// By frame: what holds when it returns.
    exits: Vec<Option<State>>,
    /// By thread: what may be alive when it ends.
    left: Vec<Option<Threads>>,
    /// By thread: what may be alive right before it is started.
    pub before_start: Vec<Threads>,
    /// The frames that wait for threads.
    joining: BTreeSet<FrameId>,
    orders: BTreeMap<FuncId, Vec<BlockId>>,
    definitions: Rc<BTreeMap<FuncId, Definitions<'p>>>,
    queue: VecDeque<FrameId>,
    queued: BTreeSet<FrameId>,
}

fn definitions<'p>(solved: &Solved<'p>) -> BTreeMap<FuncId, Definitions<'p>> {
    let functions: BTreeSet<FuncId> = solved.frames.frames.iter().map(|f| f.function).collect();
    let of = |f: FuncId| solved.program.functions[f].body.as_ref().map(|body| (f, Definitions::new(body)));
    functions.into_iter().filter_map(of).collect()
}

/// What an instruction sees, for who looks at all of them in the end.
pub trait Watch {
    fn inst(&mut self, flow: &Flow<'_, '_>, site: Site, inst: &Inst, state: &State);
    fn effect(&mut self, flow: &Flow<'_, '_>, site: Site, call: &Call, effect: Effect, state: &State);
}

struct Nobody;
impl Watch for Nobody {
    fn inst(&mut self, _: &Flow<'_, '_>, _: Site, _: &Inst, _: &State) {}
    fn effect(&mut self, _: &Flow<'_, '_>, _: Site, _: &Call, _: Effect, _: &State) {}
}

impl<'a, 'p> Flow<'a, 'p> {
    pub fn new(solved: &'a Solved<'p>, facts: &'a ThreadFacts, effects: &'a [Option<Effect>]) -> Self {
        let blocks = |f: FrameId| {
            let function = solved.frames.frame(f).function;
            solved.program.functions[function].body.as_ref().map_or(0, |b| b.blocks.len())
        };
        let threads = solved.frames.threads.len();
        let mut flow = Flow {
            solved,
            facts,
            effects,
            joins: joins(solved, facts, effects),
            entries: solved.frames.ids().map(|f| vec![None; blocks(f)]).collect(),
            exits: vec![None; solved.frames.frames.len()],
            left: vec![None; threads],
            before_start: vec![Threads::new(); threads],
            joining: BTreeSet::new(),
            orders: BTreeMap::new(),
            definitions: Rc::new(definitions(solved)),
            queue: VecDeque::new(),
            queued: BTreeSet::new(),
        };
        flow.enter(FrameId(0), &State::default());
        while let Some(frame) = flow.queue.pop_front() {
            flow.queued.remove(&frame);
            flow.visit(frame, &mut Nobody);
        }
        flow
    }

    /// Shows every instruction that can be reached with what holds before it.
    pub fn watch(&mut self, watch: &mut dyn Watch) {
        for frame in self.solved.frames.ids() {
            self.visit(frame, watch);
        }
    }

    fn enqueue(&mut self, frame: FrameId) {
        if self.queued.insert(frame) {
            self.queue.push_back(frame);
        }
    }

    fn enter(&mut self, frame: FrameId, state: &State) {
        if let Some(entry) = self.entries[frame.0 as usize].first_mut()
            && meet_into(entry, state)
        {
            self.enqueue(frame);
        }
    }

    fn visit(&mut self, frame: FrameId, watch: &mut dyn Watch) {
        let function = self.solved.frames.frame(frame).function;
        let Some(body) = &self.solved.program.functions[function].body else { return };
        let order = self.orders.entry(function).or_insert_with(|| Cfg::new(body).order().to_vec()).clone();
        loop {
            let mut again = false;
            for &block in &order {
                again |= self.block(frame, body, block, watch);
            }
            if !again {
                return;
            }
        }
    }

    /// Whether a block that comes earlier has to be looked at again.
    fn block(&mut self, frame: FrameId, body: &Body, block: BlockId, watch: &mut dyn Watch) -> bool {
        let Some(mut state) = self.entries[frame.0 as usize][block.index()].clone() else { return false };
        for (i, inst) in body.blocks[block].insts.iter().enumerate() {
            let site = Site { frame, block, inst: i };
            watch.inst(self, site, inst, &state);
            match self.inst(site, inst, state, watch) {
                Some(after) => state = after,
                None => return false,
            }
            inst.results().for_each(|reg| state.forget(frame, reg));
        }
        let terminator = &body.blocks[block].terminator;
        if let Terminator::Return(_) = terminator {
            let thread = self.solved.frames.frame(frame).thread;
            if self.solved.frames.thread(thread).root == frame {
                self.thread_ends(thread, &state);
            }
            if meet_into(&mut self.exits[frame.0 as usize], &state) {
                for caller in self.solved.frames.frame(frame).callers.clone() {
                    self.enqueue(caller.frame);
                }
            }
            return false;
        }
        let mut again = false;
        for (target, mut state) in self.edges(frame, terminator, &state) {
            body.blocks[target].params.iter().for_each(|reg| state.forget(frame, *reg));
            if let Some(threads) = self.joins.get(&(frame, block, target)) {
                self.joining.insert(frame);
                threads.iter().for_each(|thread| self.is_over(*thread, &mut state));
            }
            let changed = meet_into(&mut self.entries[frame.0 as usize][target.index()], &state);
            again |= changed;
        }
        again
    }

    /// What holds after an instruction; `None` if control does not come there, as far as is known yet.
    fn inst(&mut self, site: Site, inst: &Inst, mut state: State, watch: &mut dyn Watch) -> Option<State> {
        match &inst.op {
            Op::AtomicBegin => state.atomic += 1,
            Op::AtomicEnd => state.atomic = state.atomic.saturating_sub(1),
            Op::ThreadStart { .. } => {
                let started: Vec<ThreadId> = self.solved.frames.started(site).collect();
                for thread in started {
                    self.before_start[thread.0 as usize].extend(&state.alive);
                    self.enter(self.solved.frames.thread(thread).root, &State::default());
                    state.alive.extend(&self.facts.family[thread.0 as usize]);
                }
            }
            Op::ThreadExit => {
                let thread = self.solved.frames.frame(site.frame).thread;
                self.thread_ends(thread, &state);
                return None;
            }
            Op::Exit { .. } => return None,
            Op::Call(call) => return self.call(site, call, state, watch),
            _ => {}
        }
        Some(state)
    }

    fn thread_ends(&mut self, thread: ThreadId, state: &State) {
        let left = &mut self.left[thread.0 as usize];
        let before = left.as_ref().map(|l| l.len());
        left.get_or_insert_default().extend(&state.alive);
        if before != left.as_ref().map(|l| l.len()) {
            for frame in self.joining.clone() {
                self.enqueue(frame);
            }
        }
    }

    fn call(&mut self, site: Site, call: &Call, state: State, watch: &mut dyn Watch) -> Option<State> {
        let mut after: Option<State> = None;
        let callees: Vec<FrameId> = self.solved.frames.callees(site).collect();
        // Functions that only write text are not followed.
        if writes_text(self.solved, site, call) {
            after = Some(state.clone());
        }
        for callee in callees {
            let mut inside = state.clone();
            inside.leave(callee);
            self.enter(callee, &inside);
            let Some(mut exit) = self.exits[callee.0 as usize].clone() else { continue };
            exit.leave(callee);
            let function = self.solved.frames.frame(callee).function;
            if let Some(effect) = self.effects[function.index()] {
                watch.effect(self, site, call, effect, &state);
                self.apply(site, call, effect, &state, &mut exit);
            }
            meet_into(&mut after, &exit);
        }
        after
    }

    fn apply(&mut self, site: Site, call: &Call, effect: Effect, before: &State, state: &mut State) {
        let points =
            |i: usize| call.args.get(i).map_or_else(Points::default, |a| self.solved.points(site.frame, *a));
        match effect {
            Effect::Lock(i, mode, bytes) => {
                if let Some(lock) = self.lock_at(&points(i)) {
                    state.lock(lock, mode.into());
                }
                let Some(&pointer) = call.args.get(i) else { return };
                if let Some(key) = self.address(site.frame, pointer) {
                    let near = Near { held: mode.into(), bytes, lock: (site.frame, pointer) };
                    state.held_near.insert(key, near);
                }
            }
            Effect::Try(i, mode, _) => {
                let (lock, result) = (self.lock_at(&points(i)), call.results.first());
                if let Some(&result) = result {
                    state.tried.remove(&(site.frame, result));
                    if let Some(lock) = lock {
                        state.tried.insert((site.frame, result), (lock, mode.into()));
                    }
                }
            }
            Effect::Unlock(i) => state.unlock(self.solved, &points(i)),
            // What was held before is held again, and nothing is held that was not.
            Effect::Wait(_) => {
                state.locks = before.locks.clone();
                state.held_near = before.held_near.clone();
            }
            Effect::Join => {
                self.joining.insert(site.frame);
                self.join(&points(0), state);
            }
            Effect::Reset(_) | Effect::Create | Effect::Detach | Effect::DetachedAttributes => {}
        }
    }

    /// Where control goes from a block, with what holds there: a branch tells whether a lock was taken.
    fn edges(&self, frame: FrameId, terminator: &Terminator, state: &State) -> Vec<(BlockId, State)> {
        let mut edges = Vec::new();
        match terminator {
            Terminator::Branch { cond, then, otherwise } => {
                let is_open = !state.tried.is_empty();
                let tested = is_open.then(|| self.tested(frame, *cond)).flatten();
                let decided = |holds: bool| match tested {
                    Some(test) => decide(frame, state, test.register, test.is_zero_if == holds),
                    None => state.clone(),
                };
                edges.push((then.block, decided(true)));
                edges.push((otherwise.block, decided(false)));
            }
            Terminator::Switch(switch) => {
                let register = switch.value.as_reg();
                let decided = |is_zero: bool| match register {
                    Some(register) => decide(frame, state, register, is_zero),
                    None => state.clone(),
                };
                for (value, target) in &switch.cases {
                    edges.push((target.block, decided(*value == 0)));
                }
                // The other values: 0 is among them only if it has no case of its own, and others are in any case.
                edges.push((switch.default.block, decided(false)));
            }
            Terminator::Jump(target) => edges.push((target.block, state.clone())),
            Terminator::Return(_) | Terminator::Unreachable => {}
        }
        edges
    }

    fn tested(&self, frame: FrameId, cond: Operand) -> Option<Test> {
        let function = self.solved.frames.frame(frame).function;
        tested(self.solved.program, self.definitions.get(&function)?, cond)
    }

    /// How an address was computed, and in which frame: what is handed to a function was computed by its caller.
    pub fn address(&self, frame: FrameId, pointer: Operand) -> Option<(FrameId, Base, i64)> {
        let (mut frame, mut pointer, mut distance) = (frame, pointer, 0i64);
        loop {
            let function = self.solved.frames.frame(frame).function;
            let (base, offset) = address(self.solved.program, self.definitions.get(&function)?, pointer)?;
            distance = distance.checked_add(offset)?;
            match base.only_register().and_then(|reg| self.handed_over(frame, reg)) {
                Some(caller) => (frame, pointer) = caller,
                None => return Some((frame, base, distance)),
            }
        }
    }

    /// What the caller of a frame hands to it as this parameter, if there is one caller.
    fn handed_over(&self, frame: FrameId, reg: Reg) -> Option<(FrameId, Operand)> {
        let row = self.solved.frames.frame(frame);
        let [site] = row.callers[..] else { return None };
        let body = self.solved.program.functions[row.function].body.as_ref()?;
        let position = body.params.iter().position(|param| *param == reg)?;
        match &self.solved.inst(site).op {
            Op::Call(call) => Some((site.frame, *call.args.get(position)?)),
            _ => None,
        }
    }

    /// The lock that a pointer is to, if that is always the same one.
    pub fn lock_at(&self, points: &Points) -> Option<Lock> {
        points.only().filter(|(object, _)| self.facts.is_unique(self.solved, *object))
    }

    fn join(&self, points: &Points, state: &mut State) {
        let Some((id, 0)) = points.only() else { return };
        let joined = self
            .solved
            .frames
            .thread_ids()
            .find(|t| self.facts.id_of[t.0 as usize] == Some(id) && self.facts.is_single(*t));
        if let Some(thread) = joined {
            self.is_over(thread, state);
        }
    }

    /// All instances of a thread that were started have ended.
    fn is_over(&self, thread: ThreadId, state: &mut State) {
        for gone in &self.facts.family[thread.0 as usize] {
            state.alive.remove(gone);
        }
        if let Some(left) = &self.left[thread.0 as usize] {
            state.alive.extend(left);
        }
    }
}

/// Whether a call may be of a function that only writes text.
pub fn writes_text(solved: &Solved<'_>, site: Site, call: &Call) -> bool {
    let functions = solved.functions(site.frame, call);
    functions.into_iter().any(|f| solved.is_output(site.frame, call, f))
}

fn decide(frame: FrameId, state: &State, register: Reg, is_zero: bool) -> State {
    let mut state = state.clone();
    if let Some((lock, held)) = state.tried.remove(&(frame, register))
        && is_zero
    {
        state.lock(lock, held);
    }
    state
}
