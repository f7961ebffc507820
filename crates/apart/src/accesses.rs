//! The accesses of a program to memory that threads may share, each with what holds when it happens.
//!
//! What counts as an access is what the machine counts: loads, stores, updates and copies; what functions that write text
//! read; and freeing, which is a write to all of the object. Accesses in an atomic step are atomic ones.

use crate::flow::{Flow, Watch, writes_text};
use crate::frames::{Site, ThreadId};
use crate::models::Effect;
use crate::objects::Object;
use crate::offset::Offset;
use crate::points::ObjectId;
use crate::solved::Solved;
use crate::state::{Hold, Lock, State};
use crate::threads::{ThreadFacts, Threads};
use crate::touched::{How, Touch, touched};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use tp_ir::{Call, Inst, Op, Order};

/// What holds when an access happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moment {
    pub locks: BTreeMap<Lock, Hold>,
    pub alive: Threads,
}

#[derive(Clone, Debug)]
pub struct Access {
    pub site: Site,
    pub thread: ThreadId,
    pub offset: Offset,
    pub len: u64,
    pub is_write: bool,
    pub is_atomic: bool,
    pub at: Rc<Moment>,
    /// The locks that are held so many bytes from the address, whatever that is.
    pub near: BTreeMap<i64, Hold>,
}

/// An access to all of an object.
const WHOLE: (Offset, u64) = (Offset::ANY, u64::MAX);

pub struct Accesses<'a, 'p> {
    solved: &'a Solved<'p>,
    facts: &'a ThreadFacts,
    escaped: &'a [bool],
    pub by_object: BTreeMap<ObjectId, Vec<Access>>,
    /// Locks that may be given back by who does not hold them, or made anew while threads run: that somebody holds
    /// one of these keeps nobody out.
    broken: BTreeSet<Broken>,
    /// How many bytes each lock consists of.
    locks: BTreeMap<Lock, u64>,
    last: Option<Rc<Moment>>,
}

/// Bytes that may belong to a lock.
type Broken = (ObjectId, Offset, u64);

impl<'a, 'p> Accesses<'a, 'p> {
    pub fn new(solved: &'a Solved<'p>, facts: &'a ThreadFacts, escaped: &'a [bool]) -> Self {
        let (by_object, broken, locks) = (BTreeMap::new(), BTreeSet::new(), BTreeMap::new());
        Accesses { solved, facts, escaped, by_object, broken, locks, last: None }
    }

    /// The locks that keep nobody out.
    pub fn broken_locks(&self) -> BTreeSet<Lock> {
        let is_broken =
            |&(&(object, at), &size): &(&Lock, &u64)| self.is_broken(object, Offset::exact(at), size);
        self.locks.iter().filter(is_broken).map(|(lock, _)| *lock).collect()
    }

    /// Whether a lock that lies here keeps nobody out.
    pub fn is_broken(&self, object: ObjectId, offset: Offset, bytes: u64) -> bool {
        self.broken.iter().any(|b| b.0 == object && b.1.overlaps(b.2, offset, bytes))
    }

    fn moment(&mut self, state: &State) -> Rc<Moment> {
        if let Some(last) = &self.last
            && last.locks == state.locks
            && last.alive == state.alive
        {
            return last.clone();
        }
        let moment = Rc::new(Moment { locks: state.locks.clone(), alive: state.alive.clone() });
        self.last = Some(moment.clone());
        moment
    }

    fn touch(
        &mut self,
        At { flow, site, state }: At<'_>,
        object: ObjectId,
        (offset, len): (Offset, u64),
        how: How,
        near: BTreeMap<i64, Hold>,
    ) {
        let is_shared = match self.solved.objects.get(object) {
            Object::Global(global) => !self.solved.program.globals[global].constant,
            Object::Function(_) => false,
            Object::ThreadLocal(..) | Object::Made(_) | Object::Outside => self.escaped[object.0 as usize],
        };
        if !is_shared || len == 0 {
            return;
        }
        let is_atomic = how.is_atomic() || state.atomic > 0;
        // Who writes over a lock may make it free; what the functions of locks do is known.
        if how.is_write() && !flow.is_of_locks(site.frame) && !self.is_alone(site, state) {
            self.broken.insert((object, offset, len));
        }
        let thread = self.solved.frames.frame(site.frame).thread;
        let at = self.moment(state);
        let access = Access { site, thread, offset, len, is_write: how.is_write(), is_atomic, at, near };
        self.by_object.entry(object).or_default().push(access);
    }

    fn each(&mut self, at: At<'_>, Touch { pointer, len, how }: Touch) {
        let At { flow, site, state } = at;
        let mut near = BTreeMap::new();
        if let Some(address) = flow.address(site.frame, pointer) {
            near.extend(state.near(address).map(|(apart, lock)| (apart, lock.hold)));
        }
        for (object, offset) in self.solved.points(site.frame, pointer).iter() {
            let mut near = near.clone();
            for (lock, &hold) in state.locks.iter().filter(|(lock, _)| lock.0 == object) {
                if let Some(apart) = offset.as_exact().and_then(|offset| lock.1.checked_sub(offset)) {
                    near.insert(apart, hold);
                }
            }
            match len {
                Some(len) => self.touch(at, object, (offset, len), how, near),
                None => self.touch(at, object, WHOLE, how, BTreeMap::new()),
            }
        }
    }

    /// No other thread runs.
    fn is_alone(&self, site: Site, state: &State) -> bool {
        self.solved.frames.frame(site.frame).thread == ThreadId::FIRST && state.alive.is_empty()
    }

    /// What a function that writes text may read: what its arguments point to, and what a list of arguments leads to.
    fn text(&mut self, at: At<'_>, call: &Call) {
        let mut found: BTreeSet<ObjectId> = BTreeSet::new();
        for arg in &call.args {
            found.extend(self.solved.points(at.site.frame, *arg).iter().map(|(object, _)| object));
        }
        for _ in 0..2 {
            for object in found.clone() {
                let contents = self.solved.memory[object.0 as usize].all();
                found.extend(contents.flat_map(|(_, _, points)| points.iter().map(|(object, _)| object)));
            }
        }
        for object in found {
            self.touch(at, object, WHOLE, How::Read(Order::Plain), BTreeMap::new());
        }
    }
}

/// Where control is, and what holds there.
#[derive(Copy, Clone)]
struct At<'f> {
    flow: &'f Flow<'f, 'f>,
    site: Site,
    state: &'f State,
}

impl Watch for Accesses<'_, '_> {
    fn inst(&mut self, flow: &Flow<'_, '_>, site: Site, inst: &Inst, state: &State) {
        let at = At { flow, site, state };
        for touch in touched(self.solved.program, &inst.op) {
            self.each(at, touch);
        }
        if let Op::Call(call) = &inst.op
            && writes_text(self.solved, site, call)
        {
            self.text(at, call);
        }
    }

    fn effect(&mut self, flow: &Flow<'_, '_>, site: Site, call: &Call, effect: Effect, state: &State) {
        if let Effect::Lock(i, _, size) | Effect::Try(i, _, size) = effect {
            let points = call.args.get(i).map(|arg| self.solved.points(site.frame, *arg));
            if let Some(lock) = points.and_then(|points| points.only()) {
                let known = self.locks.entry(lock).or_default();
                *known = size.max(*known);
            }
        }
        let (Effect::Unlock(i) | Effect::Wait(i) | Effect::Reset(i, _)) = effect else { return };
        let Some(&arg) = call.args.get(i) else { return };
        let points = self.solved.points(site.frame, arg);
        let is_fine = match effect {
            Effect::Reset(..) => self.is_alone(site, state),
            _ => {
                let address = flow.address(site.frame, arg);
                let near = |address| state.near(address).any(|(apart, _)| apart == 0);
                let is_named =
                    |lock: Lock| state.locks.contains_key(&lock) && self.facts.is_unique(self.solved, lock.0);
                points.only().is_some_and(is_named) || address.is_some_and(near)
            }
        };
        if !is_fine {
            self.broken.extend(points.iter().map(|(object, offset)| (object, offset, 1)));
        }
    }
}
