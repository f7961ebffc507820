//! The accesses of a program to memory that threads may share, each with what holds when it happens.
//!
//! What counts as an access is what the machine counts: loads, stores, updates and copies; what functions that write text
//! read; and freeing, which is a write to all of the object. Accesses in an atomic step are atomic ones.

use crate::flow::{Flow, Watch, writes_text};
use crate::frames::{Site, ThreadId};
use crate::models::{Effect, Kind};
use crate::objects::Object;
use crate::offset::Offset;
use crate::points::ObjectId;
use crate::solved::Solved;
use crate::state::{Hold, Lock, State};
use crate::threads::{ThreadFacts, Threads};
use crate::touched::{How, Touch, touched};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use tp_analysis::address::constant;
use tp_ir::{Call, Inst, MemoryOrder, Op};

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
    /// Where locks are used, and as which kind.
    used: BTreeSet<(ObjectId, Offset, Kind)>,
    last: Option<Rc<Moment>>,
}

/// Bytes that may belong to a lock.
type Broken = (ObjectId, Offset, u64);

impl<'a, 'p> Accesses<'a, 'p> {
    pub fn new(solved: &'a Solved<'p>, facts: &'a ThreadFacts, escaped: &'a [bool]) -> Self {
        let (by_object, broken, locks) = (BTreeMap::new(), BTreeSet::new(), BTreeMap::new());
        Accesses { solved, facts, escaped, by_object, broken, locks, used: BTreeSet::new(), last: None }
    }

    /// Memory that is used as two locks, of two kinds or one over a part of the other: who takes one of them may write
    /// over what the other says, so neither keeps anybody out. When all has been watched.
    pub fn break_shared_memory(&mut self) {
        let mut shared: Vec<Broken> = Vec::new();
        for (i, &(object, offset, kind)) in self.used.iter().enumerate() {
            let others = self.used.iter().skip(i + 1).take_while(|other| other.0 == object);
            for &(_, other, other_kind) in others {
                let (len, other_len) = (kind.bytes(), other_kind.bytes());
                let is_one = kind == other_kind && offset.is_same_if_overlaps(len, other, other_len);
                if offset.overlaps(len, other, other_len) && !is_one {
                    shared.extend([(object, offset, len), (object, other, other_len)]);
                }
            }
        }
        self.broken.extend(shared);
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
        let makes = !self.is_alone(site, state) || is_number(self.solved, site);
        if how.is_write() && !flow.is_of_locks(site.frame) && makes {
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
        for (object, offset) in self.solved.targets(site.frame, pointer).iter() {
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
            found.extend(self.solved.targets(at.site.frame, *arg).iter().map(|(object, _)| object));
        }
        for _ in 0..2 {
            for object in found.clone() {
                let contents = self.solved.memory[object.0 as usize].all();
                found.extend(contents.flat_map(|(_, _, points)| points.iter().map(|(object, _)| object)));
            }
        }
        for object in found {
            self.touch(at, object, WHOLE, How::Read(MemoryOrder::Plain), BTreeMap::new());
        }
    }
}

/// A number is stored that no lock begins with.
pub fn is_number(solved: &Solved<'_>, site: Site) -> bool {
    match &solved.inst(site).op {
        Op::Store { value, .. } => constant(solved.program, *value) != Some(0),
        Op::Rmw { .. } | Op::CmpXchg { .. } => true,
        _ => false,
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
        let Some((i, kind)) = effect.lock() else { return };
        let Some(&arg) = call.args.get(i) else { return };
        let points = self.solved.targets(site.frame, arg);
        self.used.extend(points.iter().map(|(object, offset)| (object, offset, kind)));
        if let Effect::Lock(..) | Effect::Try(..) = effect {
            if let Some(lock) = points.only() {
                let known = self.locks.entry(lock).or_default();
                *known = kind.bytes().max(*known);
            }
            return;
        }
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
