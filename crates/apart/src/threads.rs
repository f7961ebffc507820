//! Which threads there can be several of, and which objects.

use crate::frames::{FrameId, Site, ThreadId};
use crate::models::Effect;
use crate::objects::Object;
use crate::points::ObjectId;
use crate::solved::Solved;
use std::collections::BTreeSet;
use tp_ir::cfg::Cfg;
use tp_ir::loops::LoopForest;
use tp_ir::{EntityRef, Op};

/// A set of threads.
pub type Threads = BTreeSet<ThreadId>;

pub struct ThreadFacts {
    /// Whether a frame is entered at most once in an instance of its thread.
    once: Vec<bool>,
    /// By function: its loops.
    loops: Vec<Option<LoopForest>>,
    /// Whether there is at most one instance of a thread in an execution.
    pub single: Vec<bool>,
    /// The thread and all that it leads to.
    pub family: Vec<Threads>,
    /// The object whose address is the id of the thread, and of no other.
    pub id_of: Vec<Option<ObjectId>>,
}

impl ThreadFacts {
    pub fn new(solved: &Solved<'_>, effects: &[Option<Effect>]) -> ThreadFacts {
        let bodies = solved.program.functions.values().map(|f| f.body.as_ref());
        let loops = bodies.map(|body| body.map(|body| LoopForest::new(&Cfg::new(body)))).collect();
        let mut facts = ThreadFacts {
            once: Vec::new(),
            loops,
            single: Vec::new(),
            family: family(solved),
            id_of: Vec::new(),
        };
        facts.once(solved);
        // A thread is numbered after the one that starts it.
        for thread in solved.frames.thread_ids() {
            let row = solved.frames.thread(thread);
            let single = match (row.parent, &row.starts[..]) {
                (None, []) => true,
                (Some(parent), [start]) => facts.single[parent.0 as usize] && facts.is_once(solved, *start),
                _ => false,
            };
            facts.single.push(single);
        }
        facts.ids(solved, effects);
        facts
    }

    /// The greatest solution would be wrong for frames that call each other; so the least is computed, from the roots.
    fn once(&mut self, solved: &Solved<'_>) {
        self.once = vec![false; solved.frames.frames.len()];
        let mut queue: Vec<FrameId> =
            solved.frames.thread_ids().map(|t| solved.frames.thread(t).root).collect();
        let mut called: Vec<Vec<FrameId>> = vec![Vec::new(); solved.frames.frames.len()];
        for frame in solved.frames.ids() {
            if let [site] = solved.frames.frame(frame).callers[..] {
                called[site.frame.0 as usize].push(frame);
            }
        }
        while let Some(frame) = queue.pop() {
            let is_root = solved.frames.frame(frame).callers.is_empty();
            let is_called_once = match solved.frames.frame(frame).callers[..] {
                [site] => !self.is_cyclic(solved, site) && self.once[site.frame.0 as usize],
                _ => is_root,
            };
            if is_called_once && !std::mem::replace(&mut self.once[frame.0 as usize], true) {
                queue.extend(&called[frame.0 as usize]);
            }
        }
    }

    fn is_cyclic(&self, solved: &Solved<'_>, site: Site) -> bool {
        let function = solved.frames.frame(site.frame).function;
        self.loops[function.index()].as_ref().is_none_or(|loops| loops.is_in_loop(site.block))
    }

    /// Whether an instance of the thread comes here at most once.
    pub fn is_once(&self, solved: &Solved<'_>, site: Site) -> bool {
        self.once[site.frame.0 as usize] && !self.is_cyclic(solved, site)
    }

    /// Whether an instance of the thread comes to a frame at most once.
    pub fn is_entered_once(&self, frame: FrameId) -> bool {
        self.once[frame.0 as usize]
    }

    pub fn is_single(&self, thread: ThreadId) -> bool {
        self.single[thread.0 as usize]
    }

    /// Whether there is at most one such object in an execution.
    pub fn is_unique(&self, solved: &Solved<'_>, object: ObjectId) -> bool {
        match solved.objects.get(object) {
            Object::Global(_) => true,
            Object::ThreadLocal(_, thread) => self.is_single(thread),
            Object::Made(site) => {
                self.is_single(solved.frames.frame(site.frame).thread) && self.is_once(solved, site)
            }
            Object::Function(_) | Object::Outside => false,
        }
    }

    fn ids(&mut self, solved: &Solved<'_>, effects: &[Option<Effect>]) {
        let mut detached: BTreeSet<ObjectId> = BTreeSet::new();
        let mut attributes = false;
        for frame in solved.frames.ids() {
            let row = solved.frames.frame(frame);
            match effects[row.function.index()] {
                Some(Effect::Detach) => {
                    let body = solved.program.functions[row.function].body.as_ref();
                    if let Some(&id) = body.and_then(|b| b.params.first()) {
                        detached.extend(solved.targets(frame, id.into()).iter().map(|(object, _)| object));
                    }
                }
                Some(Effect::DetachedAttributes) => attributes = true,
                _ => {}
            }
        }
        let starts = |t: &ThreadId| solved.frames.thread(*t).starts.clone();
        self.id_of = solved
            .frames
            .thread_ids()
            .map(|thread| {
                let [start] = starts(&thread)[..] else { return None };
                let Op::ThreadStart { arg, .. } = solved.inst(start).op else { return None };
                let (object, offset) = solved.targets(start.frame, arg).only()?;
                let is_made_there = matches!(solved.objects.get(object),
                    Object::Made(site) if site.frame == start.frame);
                let joinable = offset == 0 && is_made_there && !attributes && !detached.contains(&object);
                joinable.then_some(object)
            })
            .collect();
    }
}

fn family(solved: &Solved<'_>) -> Vec<Threads> {
    let mut family: Vec<Threads> = Vec::new();
    for thread in solved.frames.thread_ids() {
        let of_thread = solved.frames.thread_ids().filter(|t| solved.frames.leads_to(thread, *t));
        family.push(of_thread.collect());
    }
    family
}
