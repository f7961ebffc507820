//! The accesses of each thread's last transaction, and the instructions that are visible because others conflict with
//! them.

use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use tp_ir::{BlockId, FuncId, LockKind, MemoryOrder, ModelEffect, Op, Origin, Program, SyncEffect};
use tp_machine::{Session, ThreadNumber, Touch, TrackedBytes};

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
    /// The threads that were started since, as bits: it happens before everything that they do.
    pub known: u64,
}

/// The accesses of the last transaction of each thread.
#[derive(Clone, Default)]
pub struct Recent {
    threads: Vec<Rc<Vec<Tracked>>>,
}

impl Recent {
    pub fn set(&mut self, thread: ThreadNumber, accesses: Vec<Tracked>) {
        let slot = thread as usize;
        if self.threads.len() <= slot {
            self.threads.resize(slot + 1, Rc::default());
        }
        self.threads[slot] = Rc::new(accesses);
    }

    /// The thread `child` was started by `parent`: what happened before the parent happens before the child.
    pub fn started(&mut self, parent: ThreadNumber, child: ThreadNumber) {
        let (Some(knows), Some(learns)) = (bit(parent), bit(child)) else { return };
        for accesses in &mut self.threads {
            if accesses.iter().any(|a| a.known & knows != 0) {
                let accesses = Rc::make_mut(accesses);
                accesses.iter_mut().filter(|a| a.known & knows != 0).for_each(|a| a.known |= learns);
            }
        }
    }

    /// The accesses of other threads with which a step of this thread conflicts.
    pub fn conflicts<'a>(
        &'a self,
        thread: ThreadNumber,
        touches: &'a [Touch],
    ) -> impl Iterator<Item = (&'a Tracked, &'a Touch)> {
        let others = self.threads.iter().enumerate().filter(move |(of, _)| *of != thread as usize);
        let accesses = others.flat_map(|(_, accesses)| accesses.iter());
        let unknown = accesses.filter(move |a| bit(thread).is_none_or(|bit| a.known & bit == 0));
        unknown.flat_map(move |a| touches.iter().filter(|t| t.conflicts(&a.touch)).map(move |t| (a, t)))
    }

    /// As parts of the state.
    pub fn bytes(&self) -> Vec<(ThreadNumber, Vec<TrackedBytes>)> {
        let as_bytes = |a: &Tracked| a.bytes.tagged(a.known << 1 | u64::from(a.is_first));
        let bytes = |accesses: &Rc<Vec<Tracked>>| accesses.iter().map(as_bytes).collect::<Vec<_>>();
        let threads = self.threads.iter().enumerate().filter(|(_, accesses)| !accesses.is_empty());
        threads.map(|(thread, accesses)| (thread as ThreadNumber, bytes(accesses))).collect()
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
    /// Everything else that synchronises.
    Other,
}

/// The next step of a thread.
#[derive(Copy, Clone, Debug)]
pub struct Upcoming {
    pub kind: StepKind,
    pub site: Site,
}

pub fn upcoming(program: &Program, session: &Session<'_, '_>, thread: ThreadNumber) -> Option<Upcoming> {
    let (function, block, index, op) = session.upcoming(thread)?;
    let at = (function, block, index);
    let user = session.positions(thread).rev().find(|p| program.functions[p.0].origin == Origin::User);
    let site = [at, user.unwrap_or(at)];
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
            // Functions that call a model inside their own, such as a wait, have effects of their own.
            let models = session.positions(thread).rev();
            let models = models.map_while(|p| Some(&program.functions[p.0]).filter(|f| f.origin == Origin::Model));
            let syncs = models.flat_map(|f| f.trusted_effects()).filter_map(|effect| match effect {
                ModelEffect::Sync(sync) => Some(*sync),
                _ => None,
            });
            match syncs.last() {
                Some(SyncEffect::Unlock(_, LockKind::Mutex | LockKind::Spin)) => StepKind::Unlock,
                Some(SyncEffect::Lock(_, _, LockKind::Mutex | LockKind::Spin)) => StepKind::Lock,
                Some(SyncEffect::Wait(_)) => StepKind::Wait,
                _ => StepKind::Other,
            }
        }
        _ => StepKind::Other,
    };
    Some(Upcoming { kind, site })
}

/// Four bytes of an object.
type Granule = (u64, u64);

fn granules(touches: &[Touch]) -> impl Iterator<Item = Granule> {
    touches.iter().flat_map(|t| (t.offset / 4..(t.offset + t.len).div_ceil(4)).map(|i| (t.key, i)))
}

/// The instructions that are visible, and what is known about mutexes.
pub struct Visible {
    pub is_race_free: bool,
    sites: FxHashSet<Site>,
    /// The threads, as bits, that have released a mutex here inside a transaction.
    releasers: FxHashMap<Granule, u64>,
    /// The threads that were alive when another one probed what is here.
    alive: FxHashMap<Granule, u64>,
    /// Mutexes whose release is visible.
    probed: FxHashSet<Granule>,
    /// Threads that have started others.
    starters: FxHashSet<ThreadNumber>,
}

impl Visible {
    pub fn new(is_race_free: bool) -> Visible {
        Visible {
            is_race_free,
            sites: FxHashSet::default(),
            releasers: FxHashMap::default(),
            alive: FxHashMap::default(),
            probed: FxHashSet::default(),
            starters: FxHashSet::default(),
        }
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

    /// Whether an access has to be kept.
    pub fn tracks(&self, touch: &Touch) -> bool {
        !touch.plain || touch.is_scoped || !self.is_race_free
    }

    /// A thread has released a mutex with these touches.
    pub fn release(&mut self, thread: ThreadNumber, touches: &[Touch]) -> Release {
        let Some(bit) = bit(thread) else { return Release::Visible };
        if granules(touches).any(|g| self.probed.contains(&g)) {
            return Release::Visible;
        }
        let mut release = Release::Invisible;
        for granule in granules(touches) {
            *self.releasers.entry(granule).or_default() |= bit;
            if self.alive.get(&granule).is_some_and(|alive| alive & bit != 0) {
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
        for granule in granules(touches).filter(|_| others != 0) {
            *self.alive.entry(granule).or_default() |= others;
            if self.releasers.get(&granule).is_some_and(|releasers| releasers & others != 0) {
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
