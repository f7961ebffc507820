//! Thread symmetry: threads that the rest of the program cannot tell apart.
//!
//! One thread starts them all, with the same routine and the same argument. Their ids are used only to join them, each at
//! most once, and between the first of these joins and the last one the thread that joins does nothing else that others
//! can observe.
//!
//! Why that is enough. In an execution, let two such threads exchange everything that they do. This is an execution as
//! well, if the joins are put off until the last of the threads has been joined in the original one: other threads do
//! not notice joins, and the thread that joins does nothing else meanwhile. It fails if the original one fails. A thread
//! that is started earlier is ordered after less than one that is started later, so a race stays a race.
//!
//! So it is no restriction that such threads take their first step after the start in the order in which they were
//! started.

use crate::address::Definitions;
use crate::callgraph::{AbstractThreadId, ContextId, InstSite};
use crate::footprint::{AccessMode, footprint};
use crate::joins::called_at;
use crate::lockset::Locksets;
use crate::pointsto::{PointsTo, PointsToSet};
use crate::threads::ThreadFacts;
use std::collections::{BTreeMap, BTreeSet};
use tp_ir::cfg::Cfg;
use tp_ir::loops::LoopForest;
use tp_ir::{
    BinOp, Block, BlockId, Body, Call, Callee, CastOp, CmpOp, Const, ModelEffect, Op, Operand, Program, Reg,
    SyncEffect, Terminator, Type,
};

/// A set of calls: the threads that they start are interchangeable.
pub type Interchangeable = BTreeSet<InstSite>;

/// Functions with these effects look at ids or numbers of threads, or change threads from outside.
const DISTINGUISH: [ModelEffect; 6] = [
    ModelEffect::ThreadId,
    ModelEffect::ThreadNumber,
    ModelEffect::Cancel,
    ModelEffect::Signals,
    ModelEffect::Handlers,
    ModelEffect::SendsSignals,
];

/// The calls that start interchangeable threads.
pub fn interchangeable(
    points_to: &PointsTo<'_>,
    threads: &ThreadFacts,
    locksets: &Locksets<'_, '_>,
) -> Vec<Interchangeable> {
    if distinguishes_threads(points_to.program()) {
        return Vec::new();
    }
    let finder = Finder { points_to, threads, locksets };
    let mut sets = finder.candidates();
    sets.retain(|candidate| finder.is_interchangeable(candidate));
    sets.into_iter().map(|candidate| candidate.creates.into_keys().collect()).collect()
}

fn distinguishes_threads(program: &Program) -> bool {
    let numbers = |body: &Body| {
        body.blocks.values().flat_map(|b| &b.insts).any(|inst| matches!(inst.op, Op::ThreadSelf))
    };
    DISTINGUISH.iter().any(|effect| program.has_effect(*effect))
        || program.functions.values().any(|f| !f.embedded && f.body.as_ref().is_some_and(numbers))
}

/// The joins of some threads, by the instruction that loads the id.
type Joins = BTreeMap<InstSite, InstSite>;

/// Calls in one context that start threads with the same routine and argument.
struct Candidate {
    context: ContextId,
    creates: BTreeMap<InstSite, AbstractThreadId>,
}

impl Candidate {
    fn is_any_alive(&self, alive: &BTreeSet<AbstractThreadId>) -> bool {
        self.creates.values().any(|thread| alive.contains(thread))
    }
}

struct Finder<'a, 'p> {
    points_to: &'a PointsTo<'p>,
    threads: &'a ThreadFacts,
    locksets: &'a Locksets<'a, 'p>,
}

impl<'p> Finder<'_, 'p> {
    fn body(&self, context: ContextId) -> Option<&'p Body> {
        self.points_to.program().functions[self.points_to.call_graph().function(context)].body.as_ref()
    }

    fn effect(&self, call: &Call) -> Option<SyncEffect> {
        match call.callee {
            Callee::Direct(function) => self.threads.effect(function),
            Callee::Indirect(_) => None,
        }
    }

    fn call(&self, site: InstSite) -> Option<&'p Call> {
        match &self.points_to.inst(site).op {
            Op::Call(call) => Some(call),
            _ => None,
        }
    }

    fn candidates(&self) -> Vec<Candidate> {
        let calls = self.points_to.call_graph();
        let mut by_arguments: BTreeMap<(ContextId, String), Candidate> = BTreeMap::new();
        for thread in calls.threads() {
            if let [start] = calls.starts(thread)[..]
                && self.threads.id_of(thread).is_some()
                && let Some(site) = called_at(self.points_to, start)
                && let Some(call) = self.call(site)
                && self.effect(call) == Some(SyncEffect::Create)
                && self.threads.is_single(calls.thread_of(site.context))
                && self.threads.is_entered_once(site.context)
                && call.args[1..].iter().all(|arg| self.is_fixed(site.context, *arg))
            {
                // Operands with the same text are the same constant, or the same register.
                let key = (site.context, format!("{:?}", &call.args[1..]));
                let new = Candidate { context: site.context, creates: BTreeMap::new() };
                by_arguments.entry(key).or_insert(new).creates.insert(site, thread);
            }
        }
        let mut sets: Vec<Candidate> = by_arguments.into_values().collect();
        sets.retain(|c| c.creates.len() > 1 || c.creates.values().any(|t| !self.threads.is_single(*t)));
        sets
    }

    /// Whether an operand has one value in the only activation of this context.
    fn is_fixed(&self, context: ContextId, operand: Operand) -> bool {
        let (Some(reg), Some(body)) = (operand.as_reg(), self.body(context)) else {
            return operand.as_const().is_some();
        };
        let loops = LoopForest::new(&Cfg::new(body));
        let of_block = body.blocks.iter().find(|(_, b)| b.params.contains(&reg)).map(|(block, _)| block);
        let block = Definitions::new(body).block(reg).or(of_block);
        block.map_or(body.params.contains(&reg), |block| !loops.is_in_loop(block))
    }

    fn is_interchangeable(&self, candidate: &Candidate) -> bool {
        // Another function may start threads with the same call.
        let calls = self.points_to.call_graph();
        let place = |site: InstSite| (calls.function(site.context), site.block, site.inst);
        let places: BTreeSet<_> = candidate.creates.keys().map(|site| place(*site)).collect();
        let others = calls.threads().filter(|t| !candidate.creates.values().any(|own| own == t));
        let starts = others.flat_map(|thread| calls.starts(thread));
        let is_shared = |start: &InstSite| {
            called_at(self.points_to, *start).is_none_or(|site| places.contains(&place(site)))
        };
        if starts.copied().any(|start| is_shared(&start)) {
            return false;
        }
        let joins = self.joins(candidate);
        joins.is_some_and(|joins| joins.values().all(|join| self.only_joins_after(candidate, &joins, *join)))
    }

    /// The calls that join these threads. `None`: their ids are used otherwise, or one may be joined twice.
    fn joins(&self, candidate: &Candidate) -> Option<Joins> {
        let mut joins = Joins::new();
        for (&site, &thread) in &candidate.creates {
            let ids = self.points_to.targets(candidate.context, *self.call(site)?.args.first()?);
            let of_thread = self.uses(&ids, candidate)?;
            let [join] = of_thread.values().copied().collect::<Vec<_>>()[..] else { return None };
            if self.threads.is_single(thread) && !self.threads.is_once(self.points_to, join) {
                return None;
            }
            joins.extend(of_thread);
        }
        Some(joins)
    }

    /// The joins that get an id from one of these places. `None`: something else reads or writes there.
    fn uses(&self, ids: &PointsToSet, candidate: &Candidate) -> Option<Joins> {
        let program = self.points_to.program();
        let id_bytes = u64::from(Type::Ptr.bytes(program.data_model));
        let is_hit = |at: &PointsToSet, len: u64| {
            at.iter().any(|(object, offset)| {
                ids.iter().any(|(id, at)| id == object && offset.overlaps(len, at, id_bytes))
            })
        };
        let mut joins = Joins::new();
        for context in self.points_to.call_graph().contexts() {
            let Some(body) = self.body(context) else { continue };
            for (block, inst, op) in insts(body) {
                let site = InstSite { context, block, inst };
                for access in footprint(program, op).filter(|a| a.how != AccessMode::End) {
                    let at = self.points_to.targets(context, access.pointer);
                    if !is_hit(&at, access.len.unwrap_or(u64::MAX >> 1)) {
                        continue;
                    }
                    if access.how.is_write() {
                        candidate.creates.get(&called_at(self.points_to, site)?)?;
                    } else {
                        let join = self.only_join(context, body, site);
                        joins.insert(site, join.filter(|_| context == candidate.context)?);
                    }
                }
            }
        }
        Some(joins)
    }

    /// The join that is the only use of what this instruction loads.
    fn only_join(&self, context: ContextId, body: &Body, load: InstSite) -> Option<InstSite> {
        let inst = &body.blocks[load.block].insts[load.inst];
        let (Op::Load { .. }, Some(id)) = (&inst.op, inst.result) else { return None };
        let mut joins = Vec::new();
        for (block, inst, op) in insts(body) {
            if uses(op, id) > 0 {
                joins.push(InstSite { context, block, inst });
            }
        }
        let [join] = joins[..] else { return None };
        let is_in_end = body.blocks.values().any(|block| {
            let mut found = false;
            block.terminator.each_operand(|operand, _| found |= operand.as_reg() == Some(id));
            block.terminator.each_target(|t| found |= t.args.iter().any(|arg| arg.as_reg() == Some(id)));
            found
        });
        let call = self.call(join)?;
        let is_join = self.effect(call) == Some(SyncEffect::Join) && self.drops_result(call);
        (is_join && !is_in_end && uses(&self.points_to.inst(join).op, id) == 1).then_some(join)
    }

    /// Whether a join stores the result of the thread nowhere.
    fn drops_result(&self, call: &Call) -> bool {
        let is_null = |c| matches!(self.points_to.program().constants[c], Const::Null);
        call.args.get(1).and_then(|arg| arg.as_const()).is_some_and(is_null)
    }

    /// Whether the thread only joins others from this call on, until none of the threads can be alive.
    fn only_joins_after(&self, candidate: &Candidate, joins: &Joins, join: InstSite) -> bool {
        let Some(body) = self.body(join.context) else { return false };
        let failures = self.failures(body, joins, join.context);
        let mut open = vec![(join.block, join.inst + 1)];
        let mut seen: BTreeSet<(BlockId, usize)> = BTreeSet::new();
        while let Some((block, mut inst)) = open.pop() {
            if !seen.insert((block, inst)) {
                continue;
            }
            loop {
                let site = InstSite { inst, block, context: join.context };
                let Some(state) = self.locksets.before(site) else { break };
                if !candidate.is_any_alive(&state.alive) {
                    break;
                }
                let Some(row) = body.blocks[block].insts.get(inst) else {
                    let mut has_targets = false;
                    body.blocks[block].terminator.each_target(|target| {
                        has_targets = true;
                        if !failures.contains(&(block, target.block)) {
                            open.push((target.block, 0));
                        }
                    });
                    if !has_targets {
                        return false;
                    }
                    break;
                };
                if !joins.contains_key(&site) && !self.is_unobserved(&row.op) {
                    return false;
                }
                inst += 1;
            }
        }
        true
    }

    /// The branches that are taken if one of these joins fails: none of them does.
    fn failures(&self, body: &Body, joins: &Joins, context: ContextId) -> BTreeSet<(BlockId, BlockId)> {
        let results: BTreeSet<Reg> = joins
            .values()
            .filter(|join| join.context == context)
            .filter_map(|join| self.call(*join)?.results.first().copied())
            .collect();
        let is_zero = |operand: Operand| {
            let is_it = |c| matches!(self.points_to.program().constants[c], Const::Int { bits: 0, .. });
            operand.as_const().is_some_and(is_it)
        };
        // Whether a register is 1 if the join has failed, or if it has not.
        let mut says: BTreeMap<Reg, bool> = BTreeMap::new();
        for inst in body.blocks.values().flat_map(|block| &block.insts) {
            if let (Op::Cmp { op: op @ (CmpOp::Ne | CmpOp::Eq), a, b, .. }, Some(reg)) =
                (&inst.op, inst.result)
                && a.as_reg().is_some_and(|a| results.contains(&a))
                && is_zero(*b)
            {
                says.insert(reg, *op == CmpOp::Ne);
            }
        }
        let failure = |(block, row): (BlockId, &Block)| match &row.terminator {
            Terminator::Branch { cond, then, otherwise } if then.block != otherwise.block => {
                let has_failed = says.get(&cond.as_reg()?)?;
                Some((block, if *has_failed { then.block } else { otherwise.block }))
            }
            _ => None,
        };
        body.blocks.iter().filter_map(failure).collect()
    }

    /// Whether an instruction joins a thread, or only computes and cannot fail.
    fn is_unobserved(&self, op: &Op) -> bool {
        match op {
            Op::Call(call) => self.effect(call) == Some(SyncEffect::Join) && self.drops_result(call),
            Op::Cast { op, .. } => matches!(op, CastOp::SExt | CastOp::ZExt | CastOp::Trunc),
            Op::Binary { op, .. } => *op == BinOp::Add,
            Op::Cmp { .. } | Op::PtrAdd { .. } | Op::ScopeEnd { .. } => true,
            _ => false,
        }
    }
}

fn insts(body: &Body) -> impl Iterator<Item = (BlockId, usize, &Op)> {
    body.blocks
        .iter()
        .flat_map(|(block, row)| row.insts.iter().enumerate().map(move |(i, inst)| (block, i, &inst.op)))
}

/// How often an instruction uses a register.
fn uses(op: &Op, reg: Reg) -> usize {
    let mut count = 0;
    op.each_operand(|operand, _| count += usize::from(operand.as_reg() == Some(reg)));
    count
}
