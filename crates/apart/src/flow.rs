//! What holds whenever control is somewhere: locks that are held, whether it is in an atomic step, and which threads may
//! have been started and not been waited for.
//!
//! A forward analysis over all frames. Locks and steps must hold on every path, so paths meet in what they have in
//! common; threads may be alive, so they meet in all of them. A call goes through the frames it leads to.

use crate::frames::{FrameId, Site, ThreadId};
use crate::joins::Joins;
use crate::models::{Effect, of_locks};
use crate::offset::Offset;
use crate::points::Points;
use crate::solved::Solved;
use crate::state::{Hold, Lock, Near, State, meet_into};
use crate::tested::edges;
use crate::threads::{ThreadFacts, Threads};
use crate::touched::touched;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use tp_analysis::address::{Base, Definitions, address};
use tp_ir::cfg::Cfg;
use tp_ir::{BlockId, Body, Call, EntityRef, FuncId, Inst, Op, Operand, Reg, Terminator};

pub struct Flow<'a, 'p> {
    pub solved: &'a Solved<'p>,
    pub facts: &'a ThreadFacts,
    stop: &'a AtomicBool,
    effects: &'a [Option<Effect>],
    /// By function: it is one of those that taking and giving back locks consists of.
    of_locks: Vec<bool>,
    pub joins: Joins,
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
    pub definitions: Rc<BTreeMap<FuncId, Definitions<'p>>>,
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
    /// The end of a block.
    fn end(&mut self, _: FrameId, _: BlockId, _: &State) {}
}

struct Nobody;
impl Watch for Nobody {
    fn inst(&mut self, _: &Flow<'_, '_>, _: Site, _: &Inst, _: &State) {}
    fn effect(&mut self, _: &Flow<'_, '_>, _: Site, _: &Call, _: Effect, _: &State) {}
}

impl<'a, 'p> Flow<'a, 'p> {
    /// Nothing of it holds if it was stopped. `joins`: loops that wait for all threads of an array.
    pub fn new(
        solved: &'a Solved<'p>,
        facts: &'a ThreadFacts,
        effects: &'a [Option<Effect>],
        joins: Joins,
        stop: &'a AtomicBool,
    ) -> Self {
        let blocks = |f: FrameId| {
            let function = solved.frames.frame(f).function;
            solved.program.functions[function].body.as_ref().map_or(0, |b| b.blocks.len())
        };
        let threads = solved.frames.threads.len();
        let mut flow = Flow {
            solved,
            facts,
            stop,
            effects,
            of_locks: of_locks(solved.program),
            joins,
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
                if self.stop.load(Ordering::Relaxed) {
                    return;
                }
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
        watch.end(frame, block, &state);
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
        let function = self.solved.frames.frame(frame).function;
        let definitions = self.definitions.get(&function);
        for (target, mut state) in edges(self.solved.program, definitions, frame, terminator, &state) {
            body.blocks[target].params.iter().for_each(|reg| state.forget(frame, *reg));
            for waited in self.joins.get(&(frame, block, target)).into_iter().flatten() {
                self.joining.insert(frame);
                waited.over.iter().for_each(|thread| self.is_over(*thread, &mut state));
            }
            let changed = meet_into(&mut self.entries[frame.0 as usize][target.index()], &state);
            again |= changed;
        }
        again
    }

    /// What holds after an instruction; `None` if control does not come there, as far as is known yet.
    fn inst(&mut self, site: Site, inst: &Inst, mut state: State, watch: &mut dyn Watch) -> Option<State> {
        self.overwritten(site, &inst.op, &mut state);
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
            // Only what they write counts.
            Op::Binary { .. }
            | Op::Cmp { .. }
            | Op::FloatUnary { .. }
            | Op::FloatBinary { .. }
            | Op::FloatCmp { .. }
            | Op::Cast { .. }
            | Op::Select { .. }
            | Op::PtrAdd { .. }
            | Op::ThreadLocal { .. }
            | Op::Uninit { .. }
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::Rmw { .. }
            | Op::CmpXchg { .. }
            | Op::Fence { .. }
            | Op::Copy { .. }
            | Op::Set { .. }
            | Op::Alloca { .. }
            | Op::ScopeBegin { .. }
            | Op::ScopeEnd { .. }
            | Op::StackSave
            | Op::StackRestore { .. }
            | Op::HeapAlloc { .. }
            | Op::HeapFree { .. }
            | Op::HeapSize { .. }
            | Op::ThreadSelf
            | Op::Await { .. }
            | Op::Assume { .. }
            | Op::Input { .. }
            | Op::Assert { .. }
            | Op::Yield
            | Op::Output { .. }
            | Op::FormatFloat { .. }
            | Op::ParseFloat { .. }
            | Op::Acquired { .. }
            | Op::Released { .. }
            | Op::Waiting { .. }
            | Op::Unsupported { .. } => {}
        }
        Some(state)
    }

    /// Who writes over a lock that it holds does not hold it any more.
    fn overwritten(&self, site: Site, op: &Op, state: &mut State) {
        if !state.holds_something() || self.is_of_locks(site.frame) {
            return;
        }
        for touch in touched(self.solved.program, op).filter(|touch| touch.how.is_write()) {
            let points = self.solved.targets(site.frame, touch.pointer);
            match touch.len {
                Some(len) => state.lose(self.solved, &points, len),
                None => state.lose(self.solved, &points.map(|_| Offset::ANY), u64::MAX),
            }
        }
    }

    /// Whether a frame is of a function of a lock, so that all that it writes is known by the effect of that function.
    pub fn is_of_locks(&self, frame: FrameId) -> bool {
        self.of_locks[self.solved.frames.frame(frame).function.index()]
    }

    /// What may be alive when a thread ends.
    pub fn left(&self, thread: ThreadId) -> Option<&Threads> {
        self.left[thread.0 as usize].as_ref()
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
            |i: usize| call.args.get(i).map_or_else(Points::default, |a| self.solved.targets(site.frame, *a));
        match effect {
            Effect::Lock(i, mode, kind) => {
                let hold = Hold { held: mode.into(), bytes: kind.bytes() };
                if let Some(lock) = self.lock_at(&points(i)) {
                    state.lock(lock, hold);
                }
                let Some(&pointer) = call.args.get(i) else { return };
                if let Some(key) = self.address(site.frame, pointer) {
                    let near = Near { hold, lock: (site.frame, pointer) };
                    state.held_near.insert(key, near);
                }
            }
            Effect::Try(i, mode, kind) => {
                let (lock, result) = (self.lock_at(&points(i)), call.results.first());
                if let Some(&result) = result {
                    state.tried.remove(&(site.frame, result));
                    if let Some(lock) = lock {
                        let hold = Hold { held: mode.into(), bytes: kind.bytes() };
                        state.tried.insert((site.frame, result), (lock, hold));
                    }
                }
            }
            Effect::Unlock(i, _) => state.lose(self.solved, &points(i), 1),
            Effect::Reset(i, kind) => state.lose(self.solved, &points(i), kind.bytes()),
            // What was held before is held again, and nothing is held that was not.
            Effect::Wait(_) => {
                state.locks = before.locks.clone();
                state.held_near = before.held_near.clone();
            }
            Effect::Join => {
                self.joining.insert(site.frame);
                self.join(&points(0), state);
            }
            Effect::Create | Effect::Detach | Effect::DetachedAttributes => {}
        }
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
    pub fn is_over(&self, thread: ThreadId, state: &mut State) {
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
