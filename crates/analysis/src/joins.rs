//! Loops that join all threads whose ids are in an array.
//!
//! When a loop that joins `t[i]` for all `i` of a range is left, every thread whose id is in one of these elements has
//! ended. Either a loop with the same range started these threads and stored their ids, or separate calls did, each for
//! one element, and the joining loop has a constant range. Nothing else may write to the array.

use crate::address::constant;
use crate::callgraph::{AbstractThreadId, ContextId, InstSite};
use crate::counting::{CountingLoop, CountingLoops, Element};
use crate::footprint::{AccessMode, footprint};
use crate::pointsto::{ObjectId, PointsTo};
use crate::threads::ThreadFacts;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use tp_ir::SyncEffect;
use tp_ir::{BlockId, Body, Call, Callee, CmpOp, Op, Operand, Origin, Type};

/// The loops that join threads, by the edge that leaves them.
pub(crate) type Joins = BTreeMap<(ContextId, BlockId, BlockId), Vec<JoinLoop>>;

/// A loop that joins the threads whose ids are in an array.
#[derive(Clone, Debug)]
pub struct JoinLoop {
    /// The array, or an address inside it.
    pub base: Operand,
    /// The bytes from one element to the next.
    pub scale: u32,
    pub rounds: Rounds,
    /// The calls that store ids there.
    pub creates: Vec<InstSite>,
    /// The threads that have ended when it is left.
    pub over: BTreeSet<AbstractThreadId>,
}

/// Which elements a loop visits.
#[derive(Copy, Clone, Debug)]
pub enum Rounds {
    /// Those with an index from the first number up to, but not including, the second.
    Range(i64, i64),
    /// The same as the loop that contains the only creating call.
    Alike,
}

pub(crate) fn joins(points_to: &PointsTo<'_>, facts: &ThreadFacts, stop: &AtomicBool) -> Joins {
    let mut finder = Finder { points_to, facts, creates: BTreeMap::new(), found: Joins::new() };
    finder.creates();
    let contexts: BTreeSet<ContextId> = finder.creates.keys().map(|site| site.context).collect();
    for context in contexts {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let function = points_to.call_graph().function(context);
        let is_single = facts.is_single(points_to.call_graph().thread_of(context));
        if let Some(body) = &points_to.program().functions[function].body
            && is_single
            && facts.is_entered_once(context)
        {
            finder.context(context, body);
        }
    }
    finder.found
}

struct Finder<'a, 'p> {
    points_to: &'a PointsTo<'p>,
    facts: &'a ThreadFacts,
    /// The threads that each call in the user's code starts.
    creates: BTreeMap<InstSite, Vec<AbstractThreadId>>,
    found: Joins,
}

impl Finder<'_, '_> {
    fn creates(&mut self) {
        for thread in self.points_to.call_graph().threads() {
            if let [start] = self.points_to.call_graph().starts(thread)[..]
                && self.facts.id_of(thread).is_some()
                && let Some(site) = called_at(self.points_to, start)
                && let Op::Call(call) = &self.points_to.inst(site).op
                && self.effect(call) == Some(SyncEffect::Create)
            {
                self.creates.entry(site).or_default().push(thread);
            }
        }
    }

    fn context(&mut self, context: ContextId, body: &Body) {
        let loops = CountingLoops::new(self.points_to.program(), body);
        for counted in loops.iter().filter(|c| loops.is_complete(c)) {
            for (block, call) in calls(body, loops.blocks(counted)) {
                if self.effect(call) == Some(SyncEffect::Join)
                    && loops.is_in_every_iteration(counted, block)
                    && let Some(id) = call.args.first().and_then(|id| loops.loaded_from(*id))
                    && let Some(element) = loops.element(counted, id)
                {
                    let waited = self.waited_for(context, body, &loops, counted, element);
                    let key = (context, counted.header(), counted.exit());
                    self.found.entry(key).or_default().extend(waited);
                }
            }
        }
    }

    fn effect(&self, call: &Call) -> Option<SyncEffect> {
        match call.callee {
            Callee::Direct(f) => self.facts.effect(f),
            Callee::Indirect(_) => None,
        }
    }

    /// The threads whose ids are in the elements that a loop visits. `None`: not known.
    fn waited_for(
        &self,
        context: ContextId,
        body: &Body,
        loops: &CountingLoops<'_>,
        counted: &CountingLoop,
        element: Element,
    ) -> Option<JoinLoop> {
        let (array, first) = self.points_to.targets(context, element.base()).only()?;
        let id_bytes = Type::Ptr.bytes(self.points_to.program().data_model);
        if !self.facts.is_unique(self.points_to, array) || element.scale() < id_bytes {
            return None;
        }
        let writers = self.writers(array)?;
        if writers.iter().any(|w| w.context != context || !self.creates.contains_key(w)) {
            return None;
        }
        let waited = |rounds, over| {
            let (base, scale) = (element.base(), element.scale());
            Some(JoinLoop { base, scale, rounds, creates: writers.iter().copied().collect(), over })
        };
        let is_only = writers.len() == 1;
        let mut slots: Vec<(i64, InstSite)> = Vec::new();
        for &site in &writers {
            let pointer = id_pointer(body, site);
            let place = pointer.and_then(|p| self.points_to.targets(context, p).only());
            match place.and_then(|(object, at)| slot(at, first, element.scale()).filter(|_| object == array))
            {
                Some(slot) => slots.push((slot, site)),
                None if is_only && self.fills(body, loops, counted, element, site) => {
                    return waited(Rounds::Alike, self.creates[&site].iter().copied().collect());
                }
                None => return None,
            }
        }
        let is_apart = slots.iter().map(|(slot, _)| slot).collect::<BTreeSet<_>>().len() == slots.len();
        let range = counted.range();
        let end = constant(self.points_to.program(), range.end).filter(|_| is_apart)?;
        let start = range.start;
        if start < 0 || end < start || range.compare == CmpOp::Ult && end < 0 {
            return None;
        }
        let covered = slots.iter().filter(|(slot, _)| (start..end).contains(slot));
        let threads = covered.flat_map(|(_, site)| &self.creates[site]);
        let over = threads.copied().filter(|t| self.facts.is_single(*t)).collect();
        waited(Rounds::Range(start, end), over)
    }

    /// Whether `site` is in a loop that creates threads and stores their ids to the elements that `join` visits.
    fn fills(
        &self,
        body: &Body,
        loops: &CountingLoops<'_>,
        join: &CountingLoop,
        element: Element,
        site: InstSite,
    ) -> bool {
        let Some(pointer) = id_pointer(body, site) else { return false };
        let fills = |create: &&CountingLoop| {
            create.header() != site.block
                && create.range() == join.range()
                && loops.element(create, pointer) == Some(element)
                && loops.is_once_per_iteration(create, site.block)
        };
        loops.iter().any(|create| fills(&create))
    }

    /// The calls in the user's code that may write to an object; `None` if something else may.
    fn writers(&self, object: ObjectId) -> Option<BTreeSet<InstSite>> {
        let mut writers = BTreeSet::new();
        for context in self.points_to.call_graph().contexts() {
            let function = self.points_to.call_graph().function(context);
            let Some(body) = &self.points_to.program().functions[function].body else { continue };
            for (block, row) in &body.blocks {
                for (inst, row) in row.insts.iter().enumerate() {
                    // Freeing the object is no write here: using it later is undefined.
                    let mut writes = footprint(self.points_to.program(), &row.op)
                        .filter(|touch| touch.how.is_write() && touch.how != AccessMode::End);
                    let is_hit = writes.any(|touch| {
                        self.points_to.targets(context, touch.pointer).iter().any(|(o, _)| o == object)
                    });
                    if is_hit {
                        writers.insert(called_at(self.points_to, InstSite { context, block, inst })?);
                    }
                }
            }
        }
        Some(writers)
    }
}

/// The call in the user's code that leads to an instruction of a model.
pub fn called_at(points_to: &PointsTo<'_>, site: InstSite) -> Option<InstSite> {
    let mut at = site;
    loop {
        let function = points_to.call_graph().function(at.context);
        if points_to.program().functions[function].origin == Origin::User {
            return Some(at);
        }
        match points_to.call_graph().callers(at.context)[..] {
            [caller] => at = caller,
            _ => return None,
        }
    }
}

/// The index of the element at an offset.
fn slot(at: i64, first: i64, scale: u32) -> Option<i64> {
    let distance = at.checked_sub(first)?;
    (scale != 0 && distance % i64::from(scale) == 0).then(|| distance / i64::from(scale))
}

/// The calls in these blocks, in the order of the blocks' numbers.
fn calls<'b>(body: &'b Body, blocks: &[BlockId]) -> impl Iterator<Item = (BlockId, &'b Call)> + use<'b> {
    let mut blocks = blocks.to_vec();
    blocks.sort_unstable();
    let insts = blocks.into_iter().flat_map(|b| body.blocks[b].insts.iter().map(move |i| (b, i)));
    insts.filter_map(|(block, inst)| match &inst.op {
        Op::Call(call) => Some((block, &**call)),
        _ => None,
    })
}

/// The pointer through which a creating call stores the id of the thread.
fn id_pointer(body: &Body, site: InstSite) -> Option<Operand> {
    match &body.blocks[site.block].insts[site.inst].op {
        Op::Call(call) => call.args.first().copied(),
        _ => None,
    }
}
