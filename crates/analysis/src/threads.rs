//! Which threads and objects exist at most once in an execution.

use crate::callgraph::{AbstractThreadId, ContextId, InstSite};
use crate::models::effects;
use crate::pointsto::{AbstractObject, ObjectId, PointsTo};
use std::collections::BTreeSet;
use tp_ir::SyncEffect;
use tp_ir::cfg::Cfg;
use tp_ir::loops::LoopForest;
use tp_ir::{EntityRef, FuncId, Op};

/// A set of threads.
pub type AbstractThreads = BTreeSet<AbstractThreadId>;

/// How often threads and objects are created, and the descendants and ids of threads.
pub struct ThreadFacts {
    /// By function: what it does to locks and threads.
    effects: Vec<Option<SyncEffect>>,
    /// Whether a context is entered at most once in an instance of its thread.
    once: Vec<bool>,
    /// By function: its loops.
    loops: Vec<Option<LoopForest>>,
    /// Whether there is at most one instance of a thread in an execution.
    single: Vec<bool>,
    /// By thread: the thread and its descendants.
    family: Vec<AbstractThreads>,
    /// The object whose address is the id of the thread, and of no other.
    id_of: Vec<Option<ObjectId>>,
}

impl ThreadFacts {
    pub fn new(points_to: &PointsTo<'_>) -> ThreadFacts {
        let bodies = points_to.program().functions.values().map(|f| f.body.as_ref());
        let loops = bodies.map(|body| body.map(|body| LoopForest::new(&Cfg::new(body)))).collect();
        let mut facts = ThreadFacts {
            effects: effects(points_to.program()),
            once: Vec::new(),
            loops,
            single: Vec::new(),
            family: family(points_to),
            id_of: Vec::new(),
        };
        facts.once(points_to);
        // A thread is numbered after the one that starts it.
        for thread in points_to.call_graph().threads() {
            let calls = points_to.call_graph();
            let single = match (calls.parent(thread), calls.starts(thread)) {
                (None, []) => true,
                (Some(parent), [start]) => facts.single[parent.index()] && facts.is_once(points_to, *start),
                _ => false,
            };
            facts.single.push(single);
        }
        facts.ids(points_to);
        facts
    }

    /// Computes the least fixpoint, from the roots: the greatest would be wrong for contexts that call each other.
    fn once(&mut self, points_to: &PointsTo<'_>) {
        self.once = vec![false; points_to.call_graph().context_count()];
        let mut queue: Vec<ContextId> =
            points_to.call_graph().threads().map(|t| points_to.call_graph().root(t)).collect();
        let mut called: Vec<Vec<ContextId>> = vec![Vec::new(); points_to.call_graph().context_count()];
        for context in points_to.call_graph().contexts() {
            if let [site] = points_to.call_graph().callers(context)[..] {
                called[site.context.index()].push(context);
            }
        }
        while let Some(context) = queue.pop() {
            let is_root = points_to.call_graph().callers(context).is_empty();
            let is_called_once = match points_to.call_graph().callers(context)[..] {
                [site] => !self.is_cyclic(points_to, site) && self.once[site.context.index()],
                _ => is_root,
            };
            if is_called_once && !std::mem::replace(&mut self.once[context.index()], true) {
                queue.extend(&called[context.index()]);
            }
        }
    }

    fn is_cyclic(&self, points_to: &PointsTo<'_>, site: InstSite) -> bool {
        let function = points_to.call_graph().function(site.context);
        self.loops[function.index()].as_ref().is_none_or(|loops| loops.is_in_loop(site.block))
    }

    /// Whether an instance of the thread executes an instruction at most once.
    pub fn is_once(&self, points_to: &PointsTo<'_>, site: InstSite) -> bool {
        self.once[site.context.index()] && !self.is_cyclic(points_to, site)
    }

    /// Whether an instance of the thread enters a context at most once.
    pub fn is_entered_once(&self, context: ContextId) -> bool {
        self.once[context.index()]
    }

    /// What a function does to locks and threads, beyond its instructions.
    pub fn effect(&self, function: FuncId) -> Option<SyncEffect> {
        self.effects[function.index()]
    }

    /// The thread and its descendants.
    pub fn family(&self, thread: AbstractThreadId) -> &AbstractThreads {
        &self.family[thread.index()]
    }

    /// The object whose address is the id of the thread, and of no other.
    pub fn id_of(&self, thread: AbstractThreadId) -> Option<ObjectId> {
        self.id_of[thread.index()]
    }

    /// Whether there is at most one instance of a thread in an execution.
    #[inline]
    pub fn is_single(&self, thread: AbstractThreadId) -> bool {
        self.single[thread.index()]
    }

    /// Whether there is at most one such object in an execution.
    pub fn is_unique(&self, points_to: &PointsTo<'_>, object: ObjectId) -> bool {
        match points_to.objects().get(object) {
            AbstractObject::Global(_) => true,
            AbstractObject::ThreadLocal(_, thread) => self.is_single(thread),
            AbstractObject::Made(site) => {
                self.is_single(points_to.call_graph().thread_of(site.context))
                    && self.is_once(points_to, site)
            }
            AbstractObject::Function(_) | AbstractObject::Outside => false,
        }
    }

    fn ids(&mut self, points_to: &PointsTo<'_>) {
        let mut detached: BTreeSet<ObjectId> = BTreeSet::new();
        let mut attributes = false;
        for context in points_to.call_graph().contexts() {
            let function = points_to.call_graph().function(context);
            match self.effects[function.index()] {
                Some(SyncEffect::Detach) => {
                    let body = points_to.program().functions[function].body.as_ref();
                    if let Some(&id) = body.and_then(|b| b.params.first()) {
                        detached
                            .extend(points_to.targets(context, id.into()).iter().map(|(object, _)| object));
                    }
                }
                Some(SyncEffect::DetachedAttributes) => attributes = true,
                _ => {}
            }
        }
        self.id_of = points_to
            .call_graph()
            .threads()
            .map(|thread| {
                let [start] = points_to.call_graph().starts(thread)[..] else { return None };
                let Op::ThreadStart { arg, .. } = points_to.inst(start).op else { return None };
                let (object, offset) = points_to.targets(start.context, arg).only()?;
                let is_made_there = matches!(points_to.objects().get(object),
                    AbstractObject::Made(site) if site.context == start.context);
                let joinable = offset == 0 && is_made_there && !attributes && !detached.contains(&object);
                joinable.then_some(object)
            })
            .collect();
    }
}

fn family(points_to: &PointsTo<'_>) -> Vec<AbstractThreads> {
    let mut family: Vec<AbstractThreads> = Vec::new();
    for thread in points_to.call_graph().threads() {
        let of_thread =
            points_to.call_graph().threads().filter(|t| points_to.call_graph().leads_to(thread, *t));
        family.push(of_thread.collect());
    }
    family
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{contexts_of, points_to, program, variable};

    #[test]
    fn what_a_loop_starts_and_makes_there_may_be_many_of() {
        let program = program(
            "program LP64 entry &main
global @x size 4 align 4 = zero
func &work(%0: ptr) {
bb0:
  return
}
func &main() {
bb0:
  %0 = alloca i64 4 align 4
  %1 = thread_start &work, %0
  jump bb1
bb1:
  %2 = heap_alloc i64 align i32 8, 16
  %3 = thread_start &work, %2
  branch true, bb1, bb2
bb2:
  return
}
",
        );
        let points_to = points_to(&program);
        let facts = ThreadFacts::new(&points_to);
        let single: Vec<bool> = points_to.call_graph().threads().map(|t| facts.is_single(t)).collect();
        assert_eq!(single, [true, true, false]);
        assert!(facts.is_unique(&points_to, variable(&points_to, "x")));
        let made = |id: &ObjectId| matches!(points_to.objects().get(*id), AbstractObject::Made(_));
        let unique: Vec<bool> =
            points_to.objects().ids().filter(made).map(|id| facts.is_unique(&points_to, id)).collect();
        assert_eq!(unique, [true, false]);
        assert!(contexts_of(&points_to, "work").into_iter().all(|context| facts.is_entered_once(context)));
        assert_eq!(facts.family(AbstractThreadId::FIRST).len(), 3);
    }
}
