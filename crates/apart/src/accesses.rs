//! The accesses of a program to memory that threads may share, each with what holds when it happens.
//!
//! What counts as an access is what the machine counts: loads, stores, updates and copies; what functions that write text
//! read; and freeing, which is a write to all of the object. Accesses in an atomic step are atomic ones.

use crate::flow::{Lock, State, Watch, writes_text};
use crate::frames::{Site, ThreadId};
use crate::models::Effect;
use crate::objects::Object;
use crate::offset::Offset;
use crate::points::{ObjectId, Points};
use crate::solve::Solved;
use crate::threads::{ThreadFacts, Threads};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use tp_ir::{Call, Const, Inst, Op, Operand, Order};

/// What holds when an access happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moment {
    pub locks: BTreeMap<Lock, crate::flow::Held>,
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
        let is_broken = |&(&(object, at), &size): &(&Lock, &u64)| {
            let here = |b: &&Broken| b.0 == object && b.1.overlaps(b.2, Offset::exact(at), size);
            self.broken.iter().any(|b| here(&b))
        };
        self.locks.iter().filter(is_broken).map(|(lock, _)| *lock).collect()
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
        site: Site,
        state: &State,
        object: ObjectId,
        (offset, len): (Offset, u64),
        kind: Kind,
    ) {
        let is_shared = match self.solved.objects.get(object) {
            Object::Global(global) => !self.solved.program.globals[global].constant,
            Object::Function(_) => false,
            Object::ThreadLocal(..) | Object::Made(_) | Object::Outside => self.escaped[object.0 as usize],
        };
        if !is_shared || len == 0 {
            return;
        }
        let is_atomic = kind.order.is_atomic() || state.atomic > 0;
        if kind.is_write && !is_atomic && !self.is_alone(site, state) {
            // Who writes over a lock may make it free.
            self.broken.insert((object, offset, len));
        }
        let thread = self.solved.frames.frame(site.frame).thread;
        let at = self.moment(state);
        let access = Access { site, thread, offset, len, is_write: kind.is_write, is_atomic, at };
        self.by_object.entry(object).or_default().push(access);
    }

    fn each(&mut self, site: Site, state: &State, points: &Points, len: Option<u64>, kind: Kind) {
        for (object, offset) in points.iter() {
            let range = len.map_or(WHOLE, |len| (offset, len));
            self.touch(site, state, object, range, kind);
        }
    }

    /// No other thread runs.
    fn is_alone(&self, site: Site, state: &State) -> bool {
        self.solved.frames.frame(site.frame).thread == ThreadId::FIRST && state.alive.is_empty()
    }

    fn constant(&self, operand: Operand) -> Option<u64> {
        match self.solved.program.constants[operand.as_const()?] {
            Const::Int { bits, .. } => u64::try_from(bits).ok(),
            _ => None,
        }
    }

    /// What a function that writes text may read: what its arguments point to, and what a list of arguments leads to.
    fn text(&mut self, site: Site, state: &State, call: &Call) {
        let mut found: BTreeSet<ObjectId> = BTreeSet::new();
        for arg in &call.args {
            found.extend(self.solved.points(site.frame, *arg).iter().map(|(object, _)| object));
        }
        for _ in 0..2 {
            for object in found.clone() {
                let contents = self.solved.memory[object.0 as usize].all();
                found.extend(contents.flat_map(|(_, _, points)| points.iter().map(|(object, _)| object)));
            }
        }
        for object in found {
            self.touch(site, state, object, WHOLE, READ);
        }
    }
}

#[derive(Copy, Clone)]
struct Kind {
    is_write: bool,
    order: Order,
}

const READ: Kind = Kind { is_write: false, order: Order::Plain };
const WRITE: Kind = Kind { is_write: true, order: Order::Plain };

impl Watch for Accesses<'_, '_> {
    fn inst(&mut self, site: Site, inst: &Inst, state: &State) {
        let bytes = |ty: tp_ir::Type| Some(u64::from(ty.bytes(self.solved.program.data_model)));
        let at = |p: Operand| self.solved.points(site.frame, p);
        match &inst.op {
            Op::Load { ty, ptr, order } => {
                let (points, len) = (at(*ptr), bytes(*ty));
                self.each(site, state, &points, len, Kind { is_write: false, order: *order });
            }
            Op::Store { ty, ptr, order, .. }
            | Op::Rmw { ty, ptr, order, .. }
            | Op::CmpXchg { ty, ptr, success: order, .. } => {
                let (points, len) = (at(*ptr), bytes(*ty));
                self.each(site, state, &points, len, Kind { is_write: true, order: *order });
            }
            Op::Copy { dst, src, len, .. } => {
                let (to, from, len) = (at(*dst), at(*src), self.constant(*len));
                self.each(site, state, &from, len, READ);
                self.each(site, state, &to, len, WRITE);
            }
            Op::Set { dst, len, .. } => {
                let (to, len) = (at(*dst), self.constant(*len));
                self.each(site, state, &to, len, WRITE);
            }
            Op::HeapFree { ptr } => {
                let points = at(*ptr);
                self.each(site, state, &points, None, WRITE);
            }
            Op::Output { ptr, .. } => {
                let points = at(*ptr);
                self.each(site, state, &points, None, READ);
            }
            Op::FormatFloat { buffer, .. } => {
                let points = at(*buffer);
                self.each(site, state, &points, None, WRITE);
            }
            Op::ParseFloat { text, consumed } => {
                let (text, consumed) = (at(*text), at(*consumed));
                self.each(site, state, &text, None, READ);
                self.each(site, state, &consumed, Some(4), WRITE);
            }
            Op::Call(call) if writes_text(self.solved, site, call) => {
                self.text(site, state, call);
            }
            _ => {}
        }
    }

    fn effect(&mut self, site: Site, call: &Call, effect: Effect, state: &State) {
        if let Effect::Lock(i, _, size) | Effect::Try(i, _, size) = effect {
            let points = call.args.get(i).map(|arg| self.solved.points(site.frame, *arg));
            if let Some(lock) = points.and_then(|points| points.only()) {
                let known = self.locks.entry(lock).or_default();
                *known = size.max(*known);
            }
        }
        let (Effect::Unlock(i) | Effect::Wait(i) | Effect::Reset(i)) = effect else { return };
        let Some(arg) = call.args.get(i) else { return };
        let points = self.solved.points(site.frame, *arg);
        let is_fine = match effect {
            Effect::Reset(_) => self.is_alone(site, state),
            _ => points.only().is_some_and(|lock| {
                state.locks.contains_key(&lock) && self.facts.is_unique(self.solved, lock.0)
            }),
        };
        if !is_fine {
            self.broken.extend(points.iter().map(|(object, offset)| (object, offset, 1)));
        }
    }
}
