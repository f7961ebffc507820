//! Locksets: which locks are held at each instruction of each context. The same pass computes the nesting depth of
//! atomic sections and the threads that may be alive; `mhp` uses the latter.
//!
//! | module | what is in it |
//! |---|---|
//! | `state` | the facts at one program point |
//! | `transfer`, `tested` | what instructions, calls and branches do to them |
//! | `solver` | the fixpoint |
//!
//! A forward analysis over all contexts. Locks and atomic sections are must-facts: where paths meet, their intersection
//! holds. Live threads are a may-fact: where paths meet, their union holds. A call goes through its callees' contexts.

mod solver;
mod state;
mod tested;
mod transfer;

pub use state::{FlowState, Hold, HoldMode, Lock, NearbyLock};
pub use tested::tests;

use crate::address::{AddressBase, Definitions, address};
use crate::callgraph::{AbstractThreadId, ContextId, InstSite};
use crate::joins::{JoinLoop, Joins, joins};
use crate::models::of_locks;
use crate::pointsto::PointsTo;
use crate::threads::{AbstractThreads, ThreadFacts};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use tp_ir::SyncEffect;
use tp_ir::cfg::Cfg;
use tp_ir::{BlockId, Call, EntityRef, FuncId, Inst, Op, Operand, Reg};
use transfer::BlockPass;

/// The locks that are held, and the threads that may be alive, at each instruction of each context.
pub struct Locksets<'a, 'p> {
    points_to: &'a PointsTo<'p>,
    threads: &'a ThreadFacts,
    stop: &'a AtomicBool,
    /// By function: whether it is part of the implementation of locks.
    of_locks: Vec<bool>,
    /// Loops that join all threads of an array.
    joins: Joins,
    /// By context and block: the state at its beginning.
    entries: Vec<Vec<Option<FlowState>>>,
    /// By context: the state when it returns.
    exits: Vec<Option<FlowState>>,
    /// By thread: the threads that may be alive when it ends.
    left: Vec<Option<AbstractThreads>>,
    /// By thread: the threads that may be alive right before it is started.
    before_start: Vec<AbstractThreads>,
    /// By function: its reachable blocks in reverse postorder.
    orders: BTreeMap<FuncId, Rc<[BlockId]>>,
    definitions: BTreeMap<FuncId, Definitions<'p>>,
}

/// Is shown every reachable instruction with the state before it.
pub trait LocksetVisitor {
    fn inst(&mut self, locksets: &Locksets<'_, '_>, site: InstSite, inst: &Inst, state: &FlowState);
    /// A call of a function with an effect on locks or threads.
    fn effect(
        &mut self,
        locksets: &Locksets<'_, '_>,
        site: InstSite,
        call: &Call,
        effect: SyncEffect,
        state: &FlowState,
    );
    /// The end of a block.
    fn end(&mut self, _: ContextId, _: BlockId, _: &FlowState) {}
}

impl<'a, 'p> Locksets<'a, 'p> {
    /// Returns soon after `stop` is set from outside; the result is then meaningless.
    pub fn new(points_to: &'a PointsTo<'p>, threads: &'a ThreadFacts, stop: &'a AtomicBool) -> Self {
        let (program, calls) = (points_to.program(), points_to.call_graph());
        let joins = joins(points_to, threads, stop);
        let functions: BTreeSet<FuncId> = calls.contexts().map(|c| calls.function(c)).collect();
        let body = |f: FuncId| program.functions[f].body.as_ref();
        let bodies = || functions.iter().filter_map(|f| Some((*f, body(*f)?)));
        let blocks = |c: ContextId| body(calls.function(c)).map_or(0, |b| b.blocks.len());
        solver::solve(Locksets {
            points_to,
            threads,
            stop,
            of_locks: of_locks(program),
            joins,
            entries: calls.contexts().map(|c| vec![None; blocks(c)]).collect(),
            exits: vec![None; calls.context_count()],
            left: vec![None; calls.thread_count()],
            before_start: vec![AbstractThreads::new(); calls.thread_count()],
            orders: bodies().map(|(f, body)| (f, Rc::from(Cfg::new(body).order()))).collect(),
            definitions: bodies().map(|(f, body)| (f, Definitions::new(body))).collect(),
        })
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Shows every reachable instruction with the state before it.
    pub fn visit(&self, visitor: &mut dyn LocksetVisitor) {
        for context in self.points_to.call_graph().contexts() {
            let function = self.points_to.call_graph().function(context);
            let Some(body) = &self.points_to.program().functions[function].body else { continue };
            for &block in self.orders.get(&function).iter().flat_map(|order| order.iter()) {
                if self.is_stopped() {
                    return;
                }
                self.block(context, body, block, &mut BlockPass { visitor, updates: Vec::new() });
            }
        }
    }

    /// The state before an instruction. `None`: unreachable.
    pub fn before(&self, site: InstSite) -> Option<FlowState> {
        let function = self.points_to.call_graph().function(site.context);
        let body = self.points_to.program().functions[function].body.as_ref()?;
        let mut state = self.entries[site.context.index()][site.block.index()].clone()?;
        let mut pass = BlockPass { visitor: &mut solver::NoVisitor, updates: Vec::new() };
        for (i, inst) in body.blocks[site.block].insts[..site.inst].iter().enumerate() {
            state = self.after(InstSite { inst: i, ..site }, inst, state, &mut pass)?;
        }
        Some(state)
    }

    /// The threads that may be alive when a thread ends. `None`: it does not end.
    pub fn left(&self, thread: AbstractThreadId) -> Option<&AbstractThreads> {
        self.left[thread.index()].as_ref()
    }

    /// The threads that may be alive right before a thread is started.
    pub fn before_start(&self, thread: AbstractThreadId) -> &AbstractThreads {
        &self.before_start[thread.index()]
    }

    /// The joining loops that the edge between two blocks leaves.
    pub fn joins(&self, context: ContextId, from: BlockId, to: BlockId) -> &[JoinLoop] {
        self.joins.get(&(context, from, to)).map_or(&[], |waited| waited)
    }

    /// Where the registers of a function are defined, if it is called.
    pub fn definitions(&self, function: FuncId) -> Option<&Definitions<'p>> {
        self.definitions.get(&function)
    }

    /// Whether a context is part of the implementation of locks: the effects of lock functions cover all its writes.
    pub fn is_of_locks(&self, context: ContextId) -> bool {
        self.of_locks[self.points_to.call_graph().function(context).index()]
    }

    /// How an address was computed, and in which context: an argument was computed by the caller.
    pub fn address(&self, context: ContextId, pointer: Operand) -> Option<(ContextId, AddressBase, i64)> {
        let (mut context, mut pointer, mut distance) = (context, pointer, 0i64);
        loop {
            let function = self.points_to.call_graph().function(context);
            let (base, offset) = address(self.points_to.program(), self.definitions(function)?, pointer)?;
            distance = distance.checked_add(offset)?;
            match base.only_register().and_then(|reg| self.argument_of_only_caller(context, reg)) {
                Some(caller) => (context, pointer) = caller,
                None => return Some((context, base, distance)),
            }
        }
    }

    /// The argument that the only caller of a context passes for this parameter.
    fn argument_of_only_caller(&self, context: ContextId, reg: Reg) -> Option<(ContextId, Operand)> {
        let calls = self.points_to.call_graph();
        if calls.root(calls.thread_of(context)) == context {
            // The first activation gets its argument from the start of the thread.
            return None;
        }
        let [site] = calls.callers(context)[..] else { return None };
        let body = self.points_to.program().functions[calls.function(context)].body.as_ref()?;
        let position = body.params.iter().position(|param| *param == reg)?;
        match &self.points_to.inst(site).op {
            Op::Call(call) => Some((site.context, *call.args.get(position)?)),
            _ => None,
        }
    }
}

/// Whether a call may be to a function that only writes text.
pub fn writes_text(points_to: &PointsTo<'_>, site: InstSite, call: &Call) -> bool {
    let functions = points_to.functions(site.context, call);
    functions.into_iter().any(|f| points_to.is_output(site.context, call, f))
}
