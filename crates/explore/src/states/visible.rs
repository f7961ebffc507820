//! The instructions before which threads are interrupted, because others conflict with them, and what is known about
//! mutexes. It grows during a search, and is kept for the next pass.

use super::StateFacts;
use super::conflicts::{Tracked, bit};
use super::merged::{Added, Granule, Merged, granules};
use super::upcoming::Site;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::HashMap;
use std::rc::Rc;
use tp_ir::{BlockId, Body, FuncId, Op, Program};
use tp_machine::{LockKey, ThreadNumber, Touch};

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
            locks: merged.common_locks(touch.key, locks),
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
    /// Every instruction is visible: threads are interrupted before each step.
    pub is_everything: bool,
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
    /// Locals that other threads have touched, by their keys: a change of one is an effect.
    shared_locals: FxHashSet<u64>,
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
            is_everything: false,
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
            shared_locals: FxHashSet::default(),
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
        self.is_everything || self.sites.contains(site)
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

    /// From now on, no threads are interchangeable. `false`: none were.
    pub fn stop_exchanging(&mut self) -> bool {
        self.stop_merging();
        let were = !self.interchangeable.is_empty();
        self.interchangeable.clear();
        were
    }

    /// The set of interchangeable threads to which those belong that this call starts.
    pub fn set_of(&self, site: &Site) -> Option<u32> {
        self.interchangeable.get(&site[1]).copied()
    }

    /// Whether an access has to be kept.
    pub fn tracks(&self, touch: &Touch) -> bool {
        !touch.plain || touch.is_scoped || !self.is_race_free
    }

    pub fn is_shared_local(&self, key: u64) -> bool {
        self.shared_locals.contains(&self.merged.key(key))
    }

    /// A thread has touched a local of another one. `true`: none has done so before.
    pub fn share_local(&mut self, key: u64) -> bool {
        self.shared_locals.insert(self.merged.key(key))
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
