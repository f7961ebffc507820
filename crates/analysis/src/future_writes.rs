//! What a thread may still write, from where it stands: whatever its code can reach from there on, in its present calls, in
//! functions that it may call, and in threads that it may start.
//!
//! Positions and objects are those of a run, so nothing here refers to contexts. A call chain of a run is followed in the
//! call graph. An object of the heap is known by the chain of calls that allocated it (`chain_hash`). Where the analysis
//! does not distinguish that chain from others (recursion, contexts that are merged), the object may be any.
//!
//! The sets hold up to the first undefined behaviour, as those of `pointsto`.

use crate::callgraph::{AbstractThreadId, ContextId, InstSite};
use crate::footprint::footprint;
use crate::pointsto::{AbstractObject, ObjectId, Offset, PointsTo};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use tp_ir::cfg::Cfg;
use tp_ir::{BlockId, FuncId, GlobalId, Op};

/// An instruction of a run.
pub type InstPosition = (FuncId, BlockId, usize);

/// A fingerprint of the calls that lead to an instruction, outermost first, and of the instruction, which comes last.
pub fn chain_hash(calls: impl Iterator<Item = InstPosition>) -> u64 {
    let mut hasher = DefaultHasher::new();
    calls.for_each(|call| call.hash(&mut hasher));
    hasher.finish()
}

/// An object of a run.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum RunObject {
    Global(GlobalId),
    ThreadLocal(GlobalId),
    /// A local, by its instruction.
    Local(InstPosition),
    /// Of the heap, by the `chain_hash` of the instruction that made it.
    Heap(u64),
    Function,
}

/// Bytes that an instruction may write; up to the end of the object if the length is not known.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Write {
    object: ObjectId,
    offset: Offset,
    len: Option<u64>,
}

/// What follows a point of a context.
#[derive(Default)]
struct CodeEffects {
    writes: BTreeSet<Write>,
    /// Contexts that are entered, by calls or as roots of threads.
    enters: BTreeSet<ContextId>,
}

/// A point of a context: the instruction comes next.
type Point = (ContextId, BlockId, usize);

/// The writes of every instruction of a program, and which objects of a run they can concern.
pub struct FutureWrites {
    effects: BTreeMap<InstSite, CodeEffects>,
    /// By context: for each block, its instructions and successors.
    blocks: Vec<BTreeMap<BlockId, (usize, Vec<BlockId>)>>,
    functions: Vec<FuncId>,
    /// By function: the contexts that a thread can begin with.
    roots: BTreeMap<FuncId, Vec<ContextId>>,
    calls: BTreeMap<InstSite, Vec<ContextId>>,
    objects: BTreeMap<AbstractObject, ObjectId>,
    made: BTreeMap<InstPosition, Vec<ObjectId>>,
    chains: BTreeMap<u64, Vec<ObjectId>>,
}

/// What some threads may still write.
pub struct WrittenPlaces(BTreeMap<ObjectId, BTreeSet<(Offset, Option<u64>)>>);

impl FutureWrites {
    pub fn new(points_to: &PointsTo<'_>) -> FutureWrites {
        let calls = points_to.call_graph();
        let mut facts = FutureWrites {
            effects: BTreeMap::new(),
            blocks: Vec::new(),
            functions: calls.contexts().map(|c| calls.function(c)).collect(),
            roots: BTreeMap::new(),
            calls: BTreeMap::new(),
            objects: BTreeMap::new(),
            made: BTreeMap::new(),
            chains: BTreeMap::new(),
        };
        for thread in calls.threads() {
            let root = calls.root(thread);
            facts.roots.entry(calls.function(root)).or_default().push(root);
        }
        calls.contexts().for_each(|context| facts.add_context(points_to, context));
        points_to.objects().ids().for_each(|id| facts.add_object(points_to, id));
        facts
    }

    fn add_context(&mut self, points_to: &PointsTo<'_>, context: ContextId) {
        let program = points_to.program();
        let mut blocks = BTreeMap::new();
        if let Some(body) = &program.functions[self.functions[context.index()]].body {
            let cfg = Cfg::new(body);
            for (block, row) in &body.blocks {
                blocks.insert(block, (row.insts.len(), cfg.succs(block).to_vec()));
                for (inst, row) in row.insts.iter().enumerate() {
                    self.add_inst(points_to, InstSite { context, block, inst }, &row.op);
                }
            }
        }
        self.blocks.push(blocks);
    }

    fn add_inst(&mut self, points_to: &PointsTo<'_>, site: InstSite, op: &Op) {
        let calls = points_to.call_graph();
        let callees: Vec<ContextId> = calls.callees(site).collect();
        let mut effects = CodeEffects::default();
        for access in footprint(points_to.program(), op).filter(|access| access.how.is_write()) {
            let places = points_to.targets(site.context, access.pointer);
            let write = |(object, offset)| Write { object, offset, len: access.len };
            effects.writes.extend(places.iter().map(write));
        }
        effects.enters.extend(callees.iter().copied());
        effects.enters.extend(calls.started(site).map(|thread: AbstractThreadId| calls.root(thread)));
        if !effects.writes.is_empty() || !effects.enters.is_empty() {
            self.effects.insert(site, effects);
        }
        if !callees.is_empty() {
            self.calls.insert(site, callees);
        }
    }

    fn add_object(&mut self, points_to: &PointsTo<'_>, id: ObjectId) {
        let object = points_to.objects().get(id);
        let AbstractObject::Made(site) = object else {
            self.objects.insert(object, id);
            return;
        };
        let at = (self.functions[site.context.index()], site.block, site.inst);
        self.made.entry(at).or_default().push(id);
        if let Some(chain) = points_to.call_graph().only_chain(site) {
            self.chains.entry(chain_hash(chain.into_iter())).or_default().push(id);
        }
    }

    /// What the threads that stand there may still write. Each position is the calls of a thread, outermost first: all but
    /// the last are instructions that have called, the last is the next one. `None`: the analysis does not know a position.
    pub fn of<'a>(&self, positions: impl Iterator<Item = &'a [InstPosition]>) -> Option<WrittenPlaces> {
        let mut points: Vec<Point> = Vec::new();
        for calls in positions {
            points.extend(self.points_of(calls)?);
        }
        let mut seen: BTreeSet<Point> = BTreeSet::new();
        let mut entered: BTreeSet<ContextId> = BTreeSet::new();
        let mut places = WrittenPlaces(BTreeMap::new());
        while let Some((context, block, first)) = points.pop() {
            if !seen.insert((context, block, first)) {
                continue;
            }
            let (count, successors) = self.blocks[context.index()].get(&block)?;
            for inst in first..*count {
                let Some(effects) = self.effects.get(&InstSite { context, block, inst }) else { continue };
                effects.writes.iter().for_each(|write| places.add(write));
                let new = effects.enters.iter().filter(|callee| entered.insert(**callee));
                points.extend(new.filter_map(|callee| self.entry(*callee)));
            }
            points.extend(successors.iter().map(|next| (context, *next, 0)));
        }
        Some(places)
    }

    fn entry(&self, context: ContextId) -> Option<Point> {
        let (block, _) = self.blocks[context.index()].first_key_value()?;
        Some((context, *block, 0))
    }

    /// Where the calls of a thread go on.
    fn points_of(&self, calls: &[InstPosition]) -> Option<Vec<Point>> {
        let (first, _) = calls.split_first()?;
        let mut contexts = self.roots.get(&first.0)?.clone();
        let mut points = Vec::new();
        for (i, &(_, block, inst)) in calls.iter().enumerate() {
            let Some(next) = calls.get(i + 1) else {
                points.extend(contexts.iter().map(|&context| (context, block, inst)));
                break;
            };
            points.extend(contexts.iter().map(|&context| (context, block, inst + 1)));
            let called = |context: &ContextId| self.calls.get(&InstSite { context: *context, block, inst });
            let callees = contexts.iter().filter_map(called).flatten().copied();
            contexts = callees.filter(|c| self.functions[c.index()] == next.0).collect();
            contexts.sort_unstable();
            contexts.dedup();
            if contexts.is_empty() {
                return None;
            }
        }
        Some(points)
    }

    /// Whether these bytes may be among the places. Also if the analysis does not know the object.
    pub fn may_be_written(&self, places: &WrittenPlaces, object: RunObject, offset: u64, len: u64) -> bool {
        let Some(candidates) = self.candidates(object) else { return true };
        let Ok(offset) = i64::try_from(offset) else { return true };
        candidates.iter().any(|id| places.overlap(*id, offset, len))
    }

    /// The objects of the analysis that an object of a run can be.
    fn candidates(&self, object: RunObject) -> Option<Vec<ObjectId>> {
        let known = |object| Some(self.objects.get(&object).copied().into_iter().collect());
        match object {
            RunObject::Function => Some(Vec::new()),
            RunObject::Global(global) => known(AbstractObject::Global(global)),
            RunObject::ThreadLocal(global) => {
                let of_it = |(object, id): (&AbstractObject, &ObjectId)| match object {
                    AbstractObject::ThreadLocal(g, _) if *g == global => Some(*id),
                    _ => None,
                };
                Some(self.objects.iter().filter_map(of_it).collect())
            }
            RunObject::Local(at) => self.made.get(&at).cloned(),
            RunObject::Heap(chain) => self.chains.get(&chain).cloned(),
        }
    }
}

impl WrittenPlaces {
    fn add(&mut self, write: &Write) {
        self.0.entry(write.object).or_default().insert((write.offset, write.len));
    }

    fn overlap(&self, object: ObjectId, offset: i64, len: u64) -> bool {
        let here = Offset::exact(offset);
        // Of a write whose length is not known, only the beginning is.
        let hits = |(at, length): &(Offset, Option<u64>)| match length {
            Some(length) => at.overlaps(*length, here, len),
            None => at.as_exact().is_none_or(|at| at < offset.saturating_add_unsigned(len)),
        };
        self.0.get(&object).is_some_and(|places| places.iter().any(hits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{points_to, program};
    use tp_ir::Program;

    const TEXT: &str = "program LP64 entry &main
global @x size 8 align 4 = zero
global @y size 4 align 4 = zero
func &set(%0: ptr) {
bb0:
  store i32 1, %0
  return
}
func &make() -> ptr {
bb0:
  %0 = heap_alloc i64 align i64 4, 16
  return %0
}
func &work(%0: ptr) {
bb0:
  call &set(%0)
  store i32 1, @y
  return
}
func &main() {
bb0:
  call &set(@x+4)
  %0: ptr = call &make()
  %1: ptr = call &make()
  %2 = thread_start &work, %1
  branch true, bb0, bb1
bb1:
  return
}
";

    fn function(program: &Program, name: &str) -> FuncId {
        let named = program.functions.iter().find(|(_, f)| &*f.name == name);
        named.map(|(id, _)| id).expect("the program has it")
    }

    fn at(program: &Program, name: &str, block: u32, inst: usize) -> InstPosition {
        (function(program, name), BlockId::from_u32(block), inst)
    }

    /// What may be written of `@x` (its two halves), `@y`, and the two objects of the heap, from where one thread stands.
    fn check(calls: &[(&str, u32, usize)], expect: [bool; 5]) {
        let program = program(TEXT);
        let facts = FutureWrites::new(&points_to(&program));
        let calls: Vec<_> =
            calls.iter().map(|&(name, block, inst)| at(&program, name, block, inst)).collect();
        let written = facts.of([&calls[..]].into_iter()).expect("the position is known");
        let [x, y] = [0, 1].map(|global| RunObject::Global(GlobalId::from_u32(global)));
        let [first, second] = [1, 2].map(|call| {
            let chain = [at(&program, "main", 0, call), at(&program, "make", 0, 0)];
            RunObject::Heap(chain_hash(chain.into_iter()))
        });
        let may = |object, offset| facts.may_be_written(&written, object, offset, 4);
        assert_eq!([may(x, 0), may(x, 4), may(y, 0), may(first, 0), may(second, 0)], expect, "{calls:?}");
    }

    #[test]
    fn only_what_comes_next_counts() {
        check(&[("work", 0, 0)], [false, false, true, false, true]);
        check(&[("work", 0, 1)], [false, false, true, false, false]);
        check(&[("work", 0, 2)], [false; 5]);
        check(&[("main", 1, 0)], [false; 5]);
    }

    #[test]
    fn callers_go_on_after_their_calls() {
        check(&[("work", 0, 0), ("set", 0, 1)], [false, false, true, false, false]);
        check(&[("work", 0, 0), ("set", 0, 0)], [false, false, true, false, true]);
    }

    #[test]
    fn loops_and_threads_that_may_be_started_count() {
        check(&[("main", 0, 3)], [false, true, true, false, true]);
    }

    #[test]
    fn what_the_analysis_does_not_know_may_be_written() {
        let program = program(TEXT);
        let facts = FutureWrites::new(&points_to(&program));
        let nowhere = [at(&program, "main", 1, 0), at(&program, "set", 0, 0)];
        assert!(facts.of([&nowhere[..]].into_iter()).is_none(), "no call leads there");
        let end = [at(&program, "main", 1, 0)];
        let written = facts.of([&end[..]].into_iter()).expect("the position is known");
        assert!(facts.may_be_written(&written, RunObject::Heap(7), 0, 4));
        assert!(!facts.may_be_written(&written, RunObject::Function, 0, 4));
    }
}
