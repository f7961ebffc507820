//! The fixpoint: contexts are visited again until their states no longer change.

use super::state::{FlowState, meet_into};
use super::transfer::{BlockEnd, BlockPass, Update};
use super::{LocksetVisitor, Locksets};
use crate::callgraph::{AbstractThreadId, ContextId, InstSite};
use crate::threads::AbstractThreads;
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;
use tp_ir::SyncEffect;
use tp_ir::{BlockId, Body, Call, EntityRef, Inst};

/// Ignores everything.
pub(super) struct NoVisitor;

impl LocksetVisitor for NoVisitor {
    fn inst(&mut self, _: &Locksets<'_, '_>, _: InstSite, _: &Inst, _: &FlowState) {}
    fn effect(&mut self, _: &Locksets<'_, '_>, _: InstSite, _: &Call, _: SyncEffect, _: &FlowState) {}
}

pub(super) struct LocksetSolver<'a, 'p> {
    locksets: Locksets<'a, 'p>,
    /// The contexts that join threads.
    joining: BTreeSet<ContextId>,
    queue: VecDeque<ContextId>,
    queued: BTreeSet<ContextId>,
}

/// Starts with the entry of the program as the only reachable point.
pub(super) fn solve<'a, 'p>(locksets: Locksets<'a, 'p>) -> Locksets<'a, 'p> {
    let (joining, queue, queued) = (BTreeSet::new(), VecDeque::new(), BTreeSet::new());
    let mut solver = LocksetSolver { locksets, joining, queue, queued };
    solver.enter(ContextId::ENTRY, &FlowState::default());
    while let Some(context) = solver.queue.pop_front() {
        solver.queued.remove(&context);
        solver.visit(context);
    }
    solver.locksets
}

impl LocksetSolver<'_, '_> {
    fn enqueue(&mut self, context: ContextId) {
        if self.queued.insert(context) {
            self.queue.push_back(context);
        }
    }

    fn enter(&mut self, context: ContextId, state: &FlowState) {
        if let Some(entry) = self.locksets.entries[context.index()].first_mut()
            && meet_into(entry, state)
        {
            self.enqueue(context);
        }
    }

    fn visit(&mut self, context: ContextId) {
        let function = self.locksets.points_to.call_graph().function(context);
        let Some(body) = &self.locksets.points_to.program().functions[function].body else { return };
        let Some(order) = self.locksets.orders.get(&function).map(Rc::clone) else { return };
        loop {
            let mut again = false;
            for &block in order.iter() {
                if self.locksets.is_stopped() {
                    return;
                }
                again |= self.block(context, body, block);
            }
            if !again {
                return;
            }
        }
    }

    /// Returns whether the state at the beginning of a successor has changed.
    fn block(&mut self, context: ContextId, body: &Body, block: BlockId) -> bool {
        let mut pass = BlockPass { visitor: &mut NoVisitor, updates: Vec::new() };
        let end = self.locksets.block(context, body, block, &mut pass);
        pass.updates.into_iter().for_each(|update| self.update(update));
        let mut again = false;
        match end {
            BlockEnd::Unreached => {}
            BlockEnd::Returns(state) => self.returns(context, state),
            BlockEnd::Goes(edges) => {
                for (target, state) in edges {
                    let entry = &mut self.locksets.entries[context.index()][target.index()];
                    again |= meet_into(entry, &state);
                }
            }
        }
        again
    }

    fn update(&mut self, update: Update) {
        match update {
            Update::Enter(context, state) => self.enter(context, &state),
            Update::Start(thread, alive) => {
                self.locksets.before_start[thread.index()].extend(alive);
                self.enter(self.locksets.points_to.call_graph().root(thread), &FlowState::default());
            }
            Update::End(thread, alive) => self.thread_ends(thread, &alive),
            Update::Join(context) => {
                self.joining.insert(context);
            }
        }
    }

    fn returns(&mut self, context: ContextId, state: FlowState) {
        let calls = self.locksets.points_to.call_graph();
        let thread = calls.thread_of(context);
        if calls.root(thread) == context {
            self.thread_ends(thread, &state.alive);
        }
        if meet_into(&mut self.locksets.exits[context.index()], &state) {
            calls.callers(context).iter().for_each(|caller| self.enqueue(caller.context));
        }
    }

    fn thread_ends(&mut self, thread: AbstractThreadId, alive: &AbstractThreads) {
        let left = &mut self.locksets.left[thread.index()];
        let before = left.as_ref().map(|l| l.len());
        left.get_or_insert_default().extend(alive);
        if before != left.as_ref().map(|l| l.len()) {
            for context in self.joining.clone() {
                self.enqueue(context);
            }
        }
    }
}
