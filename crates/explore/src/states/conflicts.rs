//! The accesses of each thread's last transaction, and the instructions that are visible because others conflict with
//! them.

use super::StateFacts;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::HashMap;
use std::rc::Rc;
use tp_ir::{BlockId, Body, FuncId, LockKind, MemoryOrder, Op, Origin, Program, SyncEffect};
use tp_machine::{LockKey, Session, ThreadNumber, Touch, TrackedAccess, TrackedBytes, maker};

/// An instruction, and where the user's code calls the model that it is in.
pub type Site = [(FuncId, BlockId, usize); 2];

/// An access of a thread's last transaction.
#[derive(Clone, Debug)]
pub struct Tracked {
    pub touch: Touch,
    pub bytes: TrackedBytes,
    pub site: Site,
    /// Of the first step of the transaction.
    pub is_first: bool,
    /// The locks that the thread held before the step.
    pub locks: Rc<[LockKey]>,
    /// The threads that were started since, as bits: it happens before everything that they do.
    pub known: u64,
}

impl Tracked {
    fn in_state(&self) -> TrackedAccess<'_> {
        let Tracked { bytes, is_first, known, locks, .. } = self;
        TrackedAccess { bytes: *bytes, is_first: *is_first, known: *known, locks }
    }
}

/// The accesses of the last transaction of each thread.
#[derive(Clone, Default)]
pub struct Recent {
    threads: Vec<Rc<Vec<Tracked>>>,
    /// Threads that have taken a step, as bits.
    moved: u64,
    /// Threads that have taken no step but the first, as bits.
    young: u64,
    /// For each thread, the set of interchangeable threads that it belongs to.
    sets: Rc<Vec<Option<u32>>>,
    /// Threads that have ended and were not joined. Both follow from the state.
    ended: u64,
    /// What their ends have touched.
    ends: Rc<Vec<(u64, Touch)>>,
}

impl Recent {
    /// A thread begins a transaction.
    pub fn clear(&mut self, thread: ThreadNumber) {
        let slot = thread as usize;
        if self.threads.len() <= slot {
            self.threads.resize(slot + 1, Rc::default());
        }
        self.threads[slot] = Rc::default();
    }

    /// The thread has ended it after this many steps, with these accesses.
    pub fn set(&mut self, thread: ThreadNumber, accesses: Vec<Tracked>, steps: usize) {
        self.threads[thread as usize] = Rc::new(accesses);
        let bit = bit(thread).unwrap_or(0);
        self.young = if self.moved & bit == 0 && steps == 1 { self.young | bit } else { self.young & !bit };
        self.moved |= bit;
    }

    /// Whether a thread has to wait until an interchangeable one, which was started earlier, has taken its first step after
    /// the start.
    pub fn is_held_back(&self, thread: ThreadNumber) -> bool {
        let set_of = |t: ThreadNumber| self.sets.get(t as usize).copied().flatten();
        let is_waiting =
            |t: ThreadNumber| bit(t).is_some_and(|bit| self.moved & bit == 0 || self.young & bit != 0);
        set_of(thread).is_some_and(|set| {
            is_waiting(thread)
                && (0..thread).any(|earlier| set_of(earlier) == Some(set) && is_waiting(earlier))
        })
    }

    /// Whether a thread has not taken a step.
    pub fn is_fresh(&self, thread: ThreadNumber) -> bool {
        bit(thread).is_some_and(|bit| self.moved & bit == 0)
    }

    /// The thread `child` was started by `parent`: what happened before the parent happens before the child.
    pub fn started(&mut self, parent: ThreadNumber, child: ThreadNumber, set: Option<u32>) {
        if set.is_some() {
            let sets = Rc::make_mut(&mut self.sets);
            sets.resize(child as usize + 1, None);
            sets[child as usize] = set;
        }
        let (Some(knows), Some(learns)) = (bit(parent), bit(child)) else { return };
        for accesses in &mut self.threads {
            if accesses.iter().any(|a| a.known & knows != 0) {
                let accesses = Rc::make_mut(accesses);
                accesses.iter_mut().filter(|a| a.known & knows != 0).for_each(|a| a.known |= learns);
            }
        }
    }

    /// A thread has ended with a step that has these touches.
    pub fn end(&mut self, thread: ThreadNumber, touches: &[Touch]) {
        let Some(bit) = bit(thread) else { return };
        self.ended |= bit;
        Rc::make_mut(&mut self.ends).extend(touches.iter().filter(|t| t.writes).map(|t| (bit, *t)));
    }

    /// A join with these touches was taken.
    pub fn join(&mut self, touches: &[Touch]) {
        let joined = self.ends.iter().filter(|(_, end)| touches.iter().any(|t| t.reads && t.overlaps(end)));
        let joined = joined.fold(0, |bits, (bit, _)| bits | bit);
        self.ended &= !joined;
        Rc::make_mut(&mut self.ends).retain(|(bit, _)| joined & bit == 0);
    }

    /// Threads that have ended and were not joined.
    pub fn ended(&self) -> u64 {
        self.ended
    }

    /// The accesses of other threads with which a step of this thread conflicts, that begins with these locks held. Where both
    /// threads hold a lock, neither step can be taken while the other thread stands before its own.
    pub fn conflicts<'a>(
        &'a self,
        thread: ThreadNumber,
        touches: &'a [Touch],
        locks: &'a [LockKey],
    ) -> impl Iterator<Item = (&'a Tracked, &'a Touch)> {
        let others = self.threads.iter().enumerate().filter(move |(of, _)| *of != thread as usize);
        let accesses = others.flat_map(|(_, accesses)| accesses.iter());
        let unknown = accesses.filter(move |a| {
            bit(thread).is_none_or(|bit| a.known & bit == 0) && !a.locks.iter().any(|l| locks.contains(l))
        });
        unknown.flat_map(move |a| touches.iter().filter(|t| t.conflicts(&a.touch)).map(move |t| (a, t)))
    }

    /// As parts of the state.
    pub fn accesses(&self) -> Vec<(ThreadNumber, Vec<TrackedAccess<'_>>)> {
        let threads = self.threads.iter().enumerate().filter(|(_, accesses)| !accesses.is_empty());
        threads
            .map(|(thread, accesses)| {
                (thread as ThreadNumber, accesses.iter().map(Tracked::in_state).collect())
            })
            .collect()
    }

    /// By thread, the set of interchangeable threads that it belongs to.
    pub fn sets(&self) -> &[Option<u32>] {
        &self.sets
    }
}

pub fn bit(thread: ThreadNumber) -> Option<u64> {
    1u64.checked_shl(thread)
}

/// What the next step of a thread is, as far as its instruction tells.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum StepKind {
    /// It ends the program.
    Exit,
    /// A plain access, or nothing that others can observe.
    Plain,
    /// It releases a mutex or a spin lock.
    Unlock,
    /// It locks one, and waits for that if necessary.
    Lock,
    /// It waits on a condition variable: the thread holds the mutex, or waits for it.
    Wait,
    /// It waits for the end of a thread.
    Join,
    /// It ends the thread.
    End,
    /// Everything else that synchronises.
    Other,
}

/// The next step of a thread.
#[derive(Copy, Clone, Debug)]
pub struct Upcoming {
    pub kind: StepKind,
    pub site: Site,
    /// It takes or releases a lock of any kind.
    pub relocks: bool,
}

pub fn upcoming(program: &Program, session: &Session<'_, '_>, thread: ThreadNumber) -> Option<Upcoming> {
    let (function, block, index, op) = session.upcoming(thread)?;
    let at = (function, block, index);
    let user = session.positions(thread).rev().find(|p| program.functions[p.0].origin == Origin::User);
    let site = [at, user.unwrap_or(at)];
    let mut relocks = false;
    let kind = match op {
        Op::Exit { .. } => StepKind::Exit,
        Op::Load { order: MemoryOrder::Plain, .. }
        | Op::Store { order: MemoryOrder::Plain, .. }
        | Op::Copy { .. }
        | Op::Set { .. }
        | Op::HeapFree { .. }
        | Op::ScopeBegin { .. }
        | Op::Yield
        | Op::Output { .. } => StepKind::Plain,
        Op::AtomicBegin => {
            relocks =
                matches!(session.upcoming_sync(thread), Some(SyncEffect::Lock(..) | SyncEffect::Unlock(..)));
            let ends = || program.functions[function].body.as_ref().is_some_and(ends_thread);
            match session.upcoming_sync(thread) {
                Some(SyncEffect::Unlock(_, LockKind::Mutex | LockKind::Spin)) => StepKind::Unlock,
                Some(SyncEffect::Lock(_, _, LockKind::Mutex | LockKind::Spin)) => StepKind::Lock,
                Some(SyncEffect::Wait(_)) => StepKind::Wait,
                Some(SyncEffect::Join) => StepKind::Join,
                None if ends() => StepKind::End,
                _ => StepKind::Other,
            }
        }
        _ => StepKind::Other,
    };
    Some(Upcoming { kind, site, relocks })
}

/// Whether a section that begins in this function ends with the thread.
fn ends_thread(body: &Body) -> bool {
    let has = |is_it: fn(&Op) -> bool| body.blocks.values().flat_map(|b| &b.insts).any(|i| is_it(&i.op));
    has(|op| matches!(op, Op::ThreadExit)) && !has(|op| matches!(op, Op::AtomicEnd))
}

/// Four bytes of an object.
type Granule = (u64, u64);

fn granules<'t>(
    merged: &'t Merged,
    touches: impl IntoIterator<Item = &'t Touch>,
) -> impl Iterator<Item = Granule> {
    touches.into_iter().flat_map(|t| {
        let key = merged.key(t.key);
        (t.offset / 4..(t.offset + t.len).div_ceil(4)).map(move |i| (key, i))
    })
}

/// Interchangeable threads. States in which they have exchanged their parts count as one, so what is noted about one of
/// them holds for all, and what is noted about an object of one of them, for the same object of each.
#[derive(Default)]
struct Merged {
    /// As bits, by set.
    threads: FxHashMap<u32, u64>,
    /// Whose record has this key.
    records: FxHashMap<u64, ThreadNumber>,
}

/// Whether a thread belonged to its set before.
enum Added {
    Before,
    Now,
    /// In another execution its number or the key of its record stands for another thread: threads cannot be merged.
    Never,
}

/// No thread has this number or a larger one. Objects of interchangeable threads get keys as if such threads had made them.
const NO_THREAD: u64 = 1 << 30;

/// Added to the key of an object for the thread that it belongs to.
const OWN: u64 = 1 << 63;

impl Merged {
    fn set_of(&self, thread: ThreadNumber) -> Option<u32> {
        let bit = bit(thread)?;
        self.threads.iter().find(|(_, threads)| *threads & bit != 0).map(|(set, _)| *set)
    }

    /// A thread of a set was started. What was noted so far is not about it if it is new, or if its record has another key
    /// than in other executions.
    fn add(&mut self, set: u32, thread: ThreadNumber, record: Option<u64>) -> Added {
        let (Some(bit), Some(record)) = (bit(thread), record) else { return Added::Never };
        if self.threads.iter().any(|(other, threads)| *other != set && threads & bit != 0) {
            return Added::Never;
        }
        let threads = self.threads.entry(set).or_default();
        let is_new = *threads & bit == 0;
        *threads |= bit;
        match self.records.insert(record, thread) {
            Some(known) if known != thread => Added::Never,
            Some(_) if !is_new => Added::Before,
            _ => Added::Now,
        }
    }

    /// These threads, and those that are interchangeable with them.
    fn with_others(&self, threads: u64) -> u64 {
        self.threads.values().filter(|set| *set & threads != 0).fold(threads, |all, set| all | set)
    }

    /// The interchangeable thread that an object belongs to, which has made it, or whose record it is.
    fn owner(&self, key: u64) -> Option<ThreadNumber> {
        if self.threads.is_empty() {
            return None;
        }
        let maker = maker(key).filter(|thread| self.set_of(*thread).is_some());
        maker.or_else(|| self.records.get(&key).copied())
    }

    /// One key for the same object of each thread of a set.
    fn key(&self, key: u64) -> u64 {
        let Some(owner) = self.owner(key) else { return key };
        let set = NO_THREAD + 2 * u64::from(self.set_of(owner).unwrap_or_default());
        match self.records.contains_key(&key) {
            true => (set + 1) << 32,
            false => set << 32 | key & u64::from(u32::MAX),
        }
    }

    /// The keys by which these threads know an object: the owner by another one than the rest.
    fn keys_for(&self, key: u64, threads: u64) -> impl Iterator<Item = u64> {
        let owner = self.owner(key).map_or(0, |owner| bit(owner).unwrap_or(0));
        let common = self.key(key);
        let own = (threads & owner != 0).then_some(common | OWN);
        own.into_iter().chain((threads & !owner != 0).then_some(common))
    }

    /// What these threads touch.
    fn granules_for<'t>(
        &'t self,
        threads: u64,
        touches: impl IntoIterator<Item = &'t Touch>,
    ) -> impl Iterator<Item = Granule> {
        touches.into_iter().flat_map(move |t| {
            let granules = t.offset / 4..(t.offset + t.len).div_ceil(4);
            self.keys_for(t.key, threads).flat_map(move |key| granules.clone().map(move |i| (key, i)))
        })
    }
}

/// An access that was dropped when its thread released a mutex.
#[derive(PartialEq, Eq, Debug)]
struct Dropped {
    thread: ThreadNumber,
    site: Site,
    writes: bool,
    is_first: bool,
    /// The object belongs to the thread; see `Merged`.
    is_own: bool,
    locks: Rc<[LockKey]>,
}

impl Dropped {
    fn new(thread: ThreadNumber, access: &Tracked, merged: &Merged) -> Dropped {
        let Tracked { touch, site, is_first, locks, .. } = access;
        let is_own = merged.owner(touch.key) == Some(thread);
        Dropped {
            thread,
            site: *site,
            writes: touch.writes,
            is_first: *is_first,
            is_own,
            locks: locks.clone(),
        }
    }

    /// Whether another thread may have to be let in before one of the two. `is_merged`: the thread is interchangeable with
    /// another one. Then that may have done the same in an execution that led to the same state. But the thread that an object
    /// belongs to is one thread.
    fn conflicts(&self, other: &Dropped, is_merged: bool) -> bool {
        let is_same = self.thread == other.thread && !is_merged || is_merged && self.is_own && other.is_own;
        !is_same
            && (self.writes || other.writes)
            && !(self.is_first && other.is_first)
            && !self.locks.iter().any(|lock| other.locks.contains(lock))
    }
}

/// The instructions that are visible, and what is known about mutexes.
pub struct Visible {
    pub is_race_free: bool,
    interchangeable: HashMap<(FuncId, BlockId, usize), u32>,
    /// States in which interchangeable threads have exchanged their parts count as one.
    pub merges: bool,
    merged: Merged,
    sites: FxHashSet<Site>,
    /// The threads, as bits, that have released a mutex here inside a transaction.
    releasers: FxHashMap<Granule, u64>,
    /// The threads that were alive when another one probed what is here.
    alive: FxHashMap<Granule, u64>,
    /// Mutexes whose release is visible.
    probed: FxHashSet<Granule>,
    /// Threads that have started others.
    starters: FxHashSet<ThreadNumber>,
    /// A thread may release a mutex that another one holds: holding one excludes nobody.
    pub ignores_locks: bool,
    /// What a thread has read before it had to wait.
    awaited: FxHashSet<Granule>,
    /// What was accessed under a lock and dropped when that was released.
    dropped: FxHashMap<Granule, Vec<Dropped>>,
    /// The keys of the objects that the fields above are about. Executions may lead to the same state with other keys. So
    /// these keys are part of the state; otherwise what one execution tells would be missed in another one.
    keys: FxHashSet<u64>,
}

impl Visible {
    pub fn new(program: &Program, facts: &StateFacts) -> Visible {
        // What a user's model says of a lock need not be true.
        let claims_locks = |body: &Body| {
            let mut insts = body.blocks.values().flat_map(|b| &b.insts);
            insts.any(|i| matches!(i.op, Op::Acquired { .. }))
        };
        let others = program.functions.values().filter(|f| !f.embedded);
        let ignores_locks = others.filter_map(|f| f.body.as_ref()).any(claims_locks);
        Visible {
            is_race_free: facts.is_race_free,
            interchangeable: facts.interchangeable.clone(),
            merges: !facts.interchangeable.is_empty(),
            merged: Merged::default(),
            sites: FxHashSet::default(),
            releasers: FxHashMap::default(),
            alive: FxHashMap::default(),
            probed: FxHashSet::default(),
            starters: FxHashSet::default(),
            ignores_locks,
            awaited: FxHashSet::default(),
            dropped: FxHashMap::default(),
            keys: FxHashSet::default(),
        }
    }

    /// Whether the key of this object is part of the state.
    pub fn has_key(&self, key: u64) -> bool {
        self.keys.contains(&self.merged.key(key))
    }

    fn note<'t>(&mut self, touches: impl IntoIterator<Item = &'t Touch>) {
        let merged = &self.merged;
        self.keys.extend(touches.into_iter().map(|t| merged.key(t.key)));
    }

    pub fn contains(&self, site: &Site) -> bool {
        self.sites.contains(site)
    }

    /// Whether it was not visible before.
    pub fn insert(&mut self, site: Site) -> bool {
        self.sites.insert(site)
    }

    /// A thread has started another inside a transaction. `false`: that has to be visible from now on. Threads are numbered in
    /// the order of their starts, which matters if several threads start others.
    pub fn start(&mut self, thread: ThreadNumber, site: Site) -> bool {
        self.starters.insert(thread);
        self.starters.len() == 1 || !self.sites.insert(site)
    }

    /// The same, for the thread that was started; its record has this key. `false`: which states are merged has changed.
    pub fn started(&mut self, child: ThreadNumber, record: Option<u64>, site: &Site) -> bool {
        if !self.merges {
            return true;
        }
        let added = match self.set_of(site) {
            _ if self.starters.len() > 1 => Added::Never,
            Some(set) => self.merged.add(set, child, record),
            None if self.merged.set_of(child).is_some() => Added::Never,
            None => Added::Before,
        };
        if let Added::Never = added {
            self.stop_merging();
        }
        matches!(added, Added::Before)
    }

    /// From now on, states are the same only if each thread does the same.
    pub fn stop_merging(&mut self) {
        self.merges = false;
        self.merged = Merged::default();
    }

    /// The set of interchangeable threads to which those belong that this call starts.
    pub fn set_of(&self, site: &Site) -> Option<u32> {
        self.interchangeable.get(&site[1]).copied()
    }

    /// Whether an access has to be kept.
    pub fn tracks(&self, touch: &Touch) -> bool {
        !touch.plain || touch.is_scoped || !self.is_race_free
    }

    /// A thread locks a mutex: accesses under it are known by its key.
    pub fn lock(&mut self, touches: &[Touch]) {
        self.note(touches);
    }

    /// A thread had to wait after it had read this. `false`: what it waits for is written inside a transaction, and that is
    /// visible from now on.
    pub fn wait(&mut self, touches: &[Touch]) -> bool {
        let mut is_fine = true;
        self.note(touches.iter().filter(|t| t.reads));
        for granule in granules(&self.merged, touches.iter().filter(|t| t.reads)) {
            self.awaited.insert(granule);
            for dropped in self.dropped.get(&granule).into_iter().flatten().filter(|d| d.writes) {
                is_fine &= !self.sites.insert(dropped.site);
            }
        }
        is_fine
    }

    /// An access is dropped. `false`: a thread may wait for it, or one under other locks conflicts with it and was dropped
    /// as well, so that neither is found among the accesses of a last transaction. They are visible from now on.
    pub fn drop(&mut self, thread: ThreadNumber, access: &Tracked) -> bool {
        let mut is_fine = true;
        let dropped = Dropped::new(thread, access, &self.merged);
        let is_merged = self.merged.set_of(thread).is_some();
        self.note(Some(&access.touch));
        for granule in granules(&self.merged, Some(&access.touch)) {
            if access.touch.writes && self.awaited.contains(&granule) {
                is_fine &= !self.sites.insert(access.site);
            }
            let here = self.dropped.entry(granule).or_default();
            for other in here.iter().filter(|other| other.conflicts(&dropped, is_merged)) {
                for one in [other, &dropped].into_iter().filter(|one| !one.is_first) {
                    is_fine &= !self.sites.insert(one.site);
                }
            }
            if !here.contains(&dropped) {
                here.push(Dropped::new(thread, access, &self.merged));
            }
        }
        is_fine
    }

    /// A thread has released a mutex, or has ended, with these touches.
    pub fn release(&mut self, thread: ThreadNumber, touches: &[Touch]) -> Release {
        let Some(bit) = bit(thread) else { return Release::Visible };
        self.note(touches.iter().filter(|t| t.writes));
        let with_others = self.merged.with_others(bit);
        let writes = || self.merged.granules_for(bit, touches.iter().filter(|t| t.writes));
        if writes().any(|g| self.probed.contains(&g)) {
            return Release::Visible;
        }
        let mut release = Release::Invisible;
        for granule in writes() {
            *self.releasers.entry(granule).or_default() |= bit;
            if self.alive.get(&granule).is_some_and(|alive| alive & with_others != 0) {
                self.probed.insert(granule);
                release = Release::VisibleNow;
            }
        }
        release
    }

    /// A step that can look at a mutex that another thread holds, while these threads are alive. `false`: it looks at one
    /// that one of them releases inside transactions.
    pub fn probe(&mut self, touches: &[Touch], others: u64) -> bool {
        let mut is_fine = true;
        self.note(touches.iter().filter(|_| others != 0));
        let with_others = self.merged.with_others(others);
        for granule in self.merged.granules_for(others, touches) {
            *self.alive.entry(granule).or_default() |= others;
            if self.releasers.get(&granule).is_some_and(|releasers| releasers & with_others != 0) {
                is_fine &= !self.probed.insert(granule);
            }
        }
        is_fine
    }
}

/// How a mutex is released.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Release {
    /// Inside a transaction.
    Invisible,
    /// At the beginning of a transaction.
    Visible,
    /// From now on visibly.
    VisibleNow,
}
