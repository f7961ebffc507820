//! What instructions, calls and edges do to a [`FlowState`].

use super::state::{FlowState, Hold, Lock, NearbyLock, meet_into};
use super::tested::edges;
use super::{LocksetVisitor, Locksets, writes_text};
use crate::callgraph::{AbstractThreadId, ContextId, InstSite};
use crate::footprint::footprint;
use crate::pointsto::{Offset, PointsToSet};
use crate::threads::AbstractThreads;
use tp_ir::SyncEffect;
use tp_ir::{BlockId, Body, Call, EntityRef, Inst, Op, Terminator};

/// What a block contributes to other contexts and threads.
pub(super) enum Update {
    /// A context is entered.
    Enter(ContextId, FlowState),
    /// A thread is started while these may be alive.
    Start(AbstractThreadId, AbstractThreads),
    /// A thread ends while these may be alive.
    End(AbstractThreadId, AbstractThreads),
    /// A context joins threads.
    Join(ContextId),
}

/// One pass over a block: its visitor, and the updates it makes.
pub(super) struct BlockPass<'v> {
    pub(super) visitor: &'v mut dyn LocksetVisitor,
    pub(super) updates: Vec<Update>,
}

/// How a block is left, with the states there.
pub(super) enum BlockEnd {
    /// The end is unreachable, as far as is known yet.
    Unreached,
    Returns(FlowState),
    Goes(Vec<(BlockId, FlowState)>),
}

impl Locksets<'_, '_> {
    pub(super) fn block(
        &self,
        context: ContextId,
        body: &Body,
        block: BlockId,
        pass: &mut BlockPass<'_>,
    ) -> BlockEnd {
        let Some(mut state) = self.entries[context.index()][block.index()].clone() else {
            return BlockEnd::Unreached;
        };
        for (i, inst) in body.blocks[block].insts.iter().enumerate() {
            let site = InstSite { context, block, inst: i };
            pass.visitor.inst(self, site, inst, &state);
            match self.after(site, inst, state, pass) {
                Some(after) => state = after,
                None => return BlockEnd::Unreached,
            }
        }
        pass.visitor.end(context, block, &state);
        let terminator = &body.blocks[block].terminator;
        if let Terminator::Return(_) = terminator {
            return BlockEnd::Returns(state);
        }
        let definitions = self.definitions(self.points_to.call_graph().function(context));
        let mut edges = edges(self.points_to.program(), definitions, context, terminator, &state);
        for (target, state) in &mut edges {
            body.blocks[*target].params.iter().for_each(|reg| state.forget(context, *reg));
            for waited in self.joins(context, block, *target) {
                pass.updates.push(Update::Join(context));
                waited.over.iter().for_each(|thread| self.is_over(*thread, state));
            }
        }
        BlockEnd::Goes(edges)
    }

    /// The state after an instruction and its assignments; `None` if unreachable, as far as is known yet.
    pub(super) fn after(
        &self,
        site: InstSite,
        inst: &Inst,
        state: FlowState,
        pass: &mut BlockPass<'_>,
    ) -> Option<FlowState> {
        let mut state = self.inst(site, inst, state, pass)?;
        inst.results().for_each(|reg| state.forget(site.context, reg));
        Some(state)
    }

    /// The state after an instruction; `None` if unreachable, as far as is known yet.
    fn inst(
        &self,
        site: InstSite,
        inst: &Inst,
        mut state: FlowState,
        pass: &mut BlockPass<'_>,
    ) -> Option<FlowState> {
        self.overwritten(site, &inst.op, &mut state);
        match &inst.op {
            Op::AtomicBegin => state.atomic += 1,
            Op::AtomicEnd => state.atomic = state.atomic.saturating_sub(1),
            Op::ThreadStart { .. } => {
                for thread in self.points_to.call_graph().started(site) {
                    pass.updates.push(Update::Start(thread, state.alive.clone()));
                    state.alive.extend(self.threads.family(thread));
                }
            }
            Op::ThreadExit => {
                let thread = self.points_to.call_graph().thread_of(site.context);
                pass.updates.push(Update::End(thread, state.alive));
                return None;
            }
            Op::Exit { .. } => return None,
            Op::Call(call) => return self.call(site, call, state, pass),
            // `overwritten` covers their writes; nothing else counts.
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
            | Op::Rest { .. }
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

    /// A thread that overwrites a lock no longer holds it.
    fn overwritten(&self, site: InstSite, op: &Op, state: &mut FlowState) {
        if !state.holds_something() || self.is_of_locks(site.context) {
            return;
        }
        for touch in footprint(self.points_to.program(), op).filter(|touch| touch.how.is_write()) {
            let points = self.points_to.targets(site.context, touch.pointer);
            match touch.len {
                Some(len) => state.lose(self.points_to, &points, len),
                None => state.lose(self.points_to, &points.map(|_| Offset::ANY), u64::MAX),
            }
        }
    }

    fn call(
        &self,
        site: InstSite,
        call: &Call,
        state: FlowState,
        pass: &mut BlockPass<'_>,
    ) -> Option<FlowState> {
        let mut after: Option<FlowState> = None;
        // Functions that only write text are not followed.
        if writes_text(self.points_to, site, call) {
            after = Some(state.clone());
        }
        for callee in self.points_to.call_graph().callees(site) {
            let mut inside = state.clone();
            inside.leave(callee);
            pass.updates.push(Update::Enter(callee, inside));
            let Some(mut exit) = self.exits[callee.index()].clone() else { continue };
            exit.leave(callee);
            let function = self.points_to.call_graph().function(callee);
            if let Some(effect) = self.threads.effect(function) {
                pass.visitor.effect(self, site, call, effect, &state);
                if effect == SyncEffect::Join {
                    pass.updates.push(Update::Join(site.context));
                }
                self.apply(site, call, effect, &state, &mut exit);
            }
            meet_into(&mut after, &exit);
        }
        after
    }

    fn apply(
        &self,
        site: InstSite,
        call: &Call,
        effect: SyncEffect,
        before: &FlowState,
        state: &mut FlowState,
    ) {
        let points = |i: usize| {
            call.args.get(i).map_or_else(PointsToSet::default, |a| self.points_to.targets(site.context, *a))
        };
        match effect {
            SyncEffect::Lock(i, mode, kind) => {
                let hold = Hold { held: mode.into(), bytes: kind.bytes() };
                if let Some(lock) = self.lock_at(&points(i)) {
                    state.lock(lock, hold);
                }
                let Some(&pointer) = call.args.get(i) else { return };
                if let Some(key) = self.address(site.context, pointer) {
                    let near = NearbyLock { hold, lock: (site.context, pointer) };
                    state.held_near.insert(key, near);
                }
            }
            SyncEffect::Try(i, mode, kind) => {
                let (lock, result) = (self.lock_at(&points(i)), call.results.first());
                if let Some(&result) = result {
                    state.tried.remove(&(site.context, result));
                    if let Some(lock) = lock {
                        let hold = Hold { held: mode.into(), bytes: kind.bytes() };
                        state.tried.insert((site.context, result), (lock, hold));
                    }
                }
            }
            SyncEffect::Unlock(i, _) => state.lose(self.points_to, &points(i), 1),
            SyncEffect::Reset(i, kind) => state.lose(self.points_to, &points(i), kind.bytes()),
            // After the wait, the same locks are held as before.
            SyncEffect::Wait(_) => {
                state.locks = before.locks.clone();
                state.held_near = before.held_near.clone();
            }
            SyncEffect::Join => self.join(&points(0), state),
            SyncEffect::Create | SyncEffect::Detach | SyncEffect::DetachedAttributes => {}
        }
    }

    /// The lock that a pointer points to, if that is always the same one.
    fn lock_at(&self, points: &PointsToSet) -> Option<Lock> {
        points.only().filter(|(object, _)| self.threads.is_unique(self.points_to, *object))
    }

    fn join(&self, points: &PointsToSet, state: &mut FlowState) {
        let Some((id, 0)) = points.only() else { return };
        let is_joined =
            |t: &AbstractThreadId| self.threads.id_of(*t) == Some(id) && self.threads.is_single(*t);
        let joined = self.points_to.call_graph().threads().find(is_joined);
        if let Some(thread) = joined {
            self.is_over(thread, state);
        }
    }

    /// All started instances of a thread have ended.
    pub fn is_over(&self, thread: AbstractThreadId, state: &mut FlowState) {
        for gone in self.threads.family(thread) {
            state.alive.remove(gone);
        }
        if let Some(left) = &self.left[thread.index()] {
            state.alive.extend(left);
        }
    }
}
