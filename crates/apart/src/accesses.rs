//! The accesses of a program to memory that threads may share, each with the facts at its program point.
//!
//! Accesses are those of the machine: loads, stores, updates and copies; the reads of functions that write text; and
//! freeing, which is a write to the whole object. Accesses in an atomic section are atomic.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use tp_analysis::address::constant;
use tp_analysis::callgraph::{AbstractThreadId, InstSite};
use tp_analysis::escape::Escape;
use tp_analysis::footprint::{AccessMode, MemoryAccess, footprint};
use tp_analysis::lockset::{FlowState, Hold, Lock};
use tp_analysis::lockset::{LocksetVisitor, Locksets, writes_text};
use tp_analysis::mhp::Running;
use tp_analysis::pointsto::{ObjectId, Offset, PointsTo};
use tp_analysis::threads::{AbstractThreads, ThreadFacts};
use tp_ir::{Call, Inst, MemoryOrder, Op};
use tp_ir::{LockKind, SyncEffect};

/// The facts at the program point of an access.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AccessContext {
    pub locks: BTreeMap<Lock, Hold>,
    pub alive: AbstractThreads,
}

#[derive(Clone, Debug)]
pub struct AbstractAccess {
    pub site: InstSite,
    pub thread: AbstractThreadId,
    pub offset: Offset,
    pub len: u64,
    pub is_write: bool,
    pub is_atomic: bool,
    pub at: Rc<AccessContext>,
    /// The locks that are held, by their distance in bytes from the address, whatever the address is.
    pub near: BTreeMap<i64, Hold>,
}

impl AbstractAccess {
    /// Its thread at this point.
    pub fn running(&self) -> Running<'_> {
        Running { thread: self.thread, alive: &self.at.alive }
    }
}

/// An access to all of an object.
const WHOLE: (Offset, u64) = (Offset::ANY, u64::MAX);

pub struct Accesses<'a, 'p> {
    points_to: &'a PointsTo<'p>,
    threads: &'a ThreadFacts,
    escape: &'a Escape,
    pub by_object: BTreeMap<ObjectId, Vec<AbstractAccess>>,
    /// Locks that may be released by a thread that does not hold them, or be overwritten or initialised while threads
    /// run: holding one of these excludes no other thread.
    broken: BTreeSet<Broken>,
    /// The size of each lock in bytes.
    locks: BTreeMap<Lock, u64>,
    /// Where locks are used, and as which kind.
    used: BTreeSet<(ObjectId, Offset, LockKind)>,
    last: Option<Rc<AccessContext>>,
}

/// Bytes that may belong to a lock.
type Broken = (ObjectId, Offset, u64);

impl<'a, 'p> Accesses<'a, 'p> {
    pub fn new(points_to: &'a PointsTo<'p>, threads: &'a ThreadFacts, escape: &'a Escape) -> Self {
        let (by_object, broken, locks) = (BTreeMap::new(), BTreeSet::new(), BTreeMap::new());
        Accesses { points_to, threads, escape, by_object, broken, locks, used: BTreeSet::new(), last: None }
    }

    /// Breaks locks that overlap, unless they have the same kind and offset: taking one may overwrite the state of the
    /// other, so neither excludes other threads. To be called when all accesses are known.
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

    /// The locks that exclude no other thread.
    pub fn broken_locks(&self) -> BTreeSet<Lock> {
        let is_broken =
            |&(&(object, at), &size): &(&Lock, &u64)| self.is_broken(object, Offset::exact(at), size);
        self.locks.iter().filter(is_broken).map(|(lock, _)| *lock).collect()
    }

    /// Whether a lock at this place excludes no other thread.
    pub fn is_broken(&self, object: ObjectId, offset: Offset, bytes: u64) -> bool {
        self.broken.iter().any(|b| b.0 == object && b.1.overlaps(b.2, offset, bytes))
    }

    fn moment(&mut self, state: &FlowState) -> Rc<AccessContext> {
        if let Some(last) = &self.last
            && last.locks == state.locks
            && last.alive == state.alive
        {
            return last.clone();
        }
        let moment = Rc::new(AccessContext { locks: state.locks.clone(), alive: state.alive.clone() });
        self.last = Some(moment.clone());
        moment
    }

    fn access(
        &mut self,
        At { locksets, site, state }: At<'_>,
        object: ObjectId,
        (offset, len): (Offset, u64),
        how: AccessMode,
        near: BTreeMap<i64, Hold>,
    ) {
        if !self.escape.is_shared(self.points_to, object) || len == 0 {
            return;
        }
        let is_atomic = how.is_atomic() || state.atomic > 0;
        // Overwriting a lock may release it; the effects of lock functions are known.
        let makes = !self.is_alone(site, state) || is_number(self.points_to, site);
        if how.is_write() && !locksets.is_of_locks(site.context) && makes {
            self.broken.insert((object, offset, len));
        }
        let thread = self.points_to.call_graph().thread_of(site.context);
        let at = self.moment(state);
        let access =
            AbstractAccess { site, thread, offset, len, is_write: how.is_write(), is_atomic, at, near };
        self.by_object.entry(object).or_default().push(access);
    }

    fn each(&mut self, at: At<'_>, MemoryAccess { pointer, len, how }: MemoryAccess) {
        let At { locksets, site, state } = at;
        let mut near = BTreeMap::new();
        if let Some(address) = locksets.address(site.context, pointer) {
            near.extend(state.near(address).map(|(apart, lock)| (apart, lock.hold)));
        }
        for (object, offset) in self.points_to.targets(site.context, pointer).iter() {
            let mut near = near.clone();
            for (lock, &hold) in state.locks.iter().filter(|(lock, _)| lock.0 == object) {
                if let Some(apart) = offset.as_exact().and_then(|offset| lock.1.checked_sub(offset)) {
                    near.insert(apart, hold);
                }
            }
            match len {
                Some(len) => self.access(at, object, (offset, len), how, near),
                None => self.access(at, object, WHOLE, how, BTreeMap::new()),
            }
        }
    }

    /// Whether no other thread runs.
    fn is_alone(&self, site: InstSite, state: &FlowState) -> bool {
        self.points_to.call_graph().thread_of(site.context) == AbstractThreadId::FIRST
            && state.alive.is_empty()
    }

    /// What a function that writes text may read: what its arguments point to, and what is reachable from a `va_list`.
    fn text(&mut self, at: At<'_>, call: &Call) {
        let mut found: BTreeSet<ObjectId> = BTreeSet::new();
        for arg in &call.args {
            found.extend(self.points_to.targets(at.site.context, *arg).iter().map(|(object, _)| object));
        }
        for _ in 0..2 {
            for object in found.clone() {
                let contents = self.points_to.memory(object).all();
                found.extend(contents.flat_map(|(_, _, points)| points.iter().map(|(object, _)| object)));
            }
        }
        for object in found {
            self.access(at, object, WHOLE, AccessMode::Read(MemoryOrder::Plain), BTreeMap::new());
        }
    }
}

/// Whether a computed value, or a constant other than 0, is stored: no initial state of a lock.
pub fn is_number(points_to: &PointsTo<'_>, site: InstSite) -> bool {
    match &points_to.inst(site).op {
        Op::Store { value, .. } => constant(points_to.program(), *value) != Some(0),
        Op::Rmw { .. } | Op::CmpXchg { .. } => true,
        _ => false,
    }
}

/// A program point and its state.
#[derive(Copy, Clone)]
struct At<'f> {
    locksets: &'f Locksets<'f, 'f>,
    site: InstSite,
    state: &'f FlowState,
}

impl LocksetVisitor for Accesses<'_, '_> {
    fn inst(&mut self, locksets: &Locksets<'_, '_>, site: InstSite, inst: &Inst, state: &FlowState) {
        let at = At { locksets, site, state };
        for access in footprint(self.points_to.program(), &inst.op) {
            self.each(at, access);
        }
        if let Op::Call(call) = &inst.op
            && writes_text(self.points_to, site, call)
        {
            self.text(at, call);
        }
    }

    fn effect(
        &mut self,
        locksets: &Locksets<'_, '_>,
        site: InstSite,
        call: &Call,
        effect: SyncEffect,
        state: &FlowState,
    ) {
        let Some((i, kind)) = effect.lock() else { return };
        let Some(&arg) = call.args.get(i) else { return };
        let points = self.points_to.targets(site.context, arg);
        self.used.extend(points.iter().map(|(object, offset)| (object, offset, kind)));
        if let SyncEffect::Lock(..) | SyncEffect::Try(..) = effect {
            if let Some(lock) = points.only() {
                let known = self.locks.entry(lock).or_default();
                *known = kind.bytes().max(*known);
            }
            return;
        }
        let is_fine = match effect {
            SyncEffect::Reset(..) => self.is_alone(site, state),
            _ => {
                let address = locksets.address(site.context, arg);
                let near = |address| state.near(address).any(|(apart, _)| apart == 0);
                let is_named = |lock: Lock| {
                    state.locks.contains_key(&lock) && self.threads.is_unique(self.points_to, lock.0)
                };
                points.only().is_some_and(is_named) || address.is_some_and(near)
            }
        };
        if !is_fine {
            self.broken.extend(points.iter().map(|(object, offset)| (object, offset, 1)));
        }
    }
}
