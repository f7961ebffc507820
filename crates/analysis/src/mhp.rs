//! May happen in parallel: whether two instructions can be executed by different threads without a thread start or a
//! join that orders them. Locks are ignored.
//!
//! They can if one thread is an ancestor of the other, which may be alive then; if both have a common ancestor, and
//! neither branch ended before the other began; or if one thread has several instances.

use crate::callgraph::{AbstractThreadId, CallGraph, InstSite};
use crate::lockset::Locksets;
use crate::pointsto::PointsTo;
use crate::threads::{AbstractThreads, ThreadFacts};
use std::collections::BTreeMap;

/// What may happen in parallel.
pub struct Mhp<'a, 'p> {
    calls: &'a CallGraph<'p>,
    threads: &'a ThreadFacts,
    locksets: &'a Locksets<'a, 'p>,
}

/// A thread at a program point.
#[derive(Copy, Clone)]
pub struct Running<'s> {
    pub thread: AbstractThreadId,
    /// Its descendants that may be alive then.
    pub alive: &'s AbstractThreads,
}

impl<'a, 'p> Mhp<'a, 'p> {
    pub fn new(
        points_to: &'a PointsTo<'p>,
        threads: &'a ThreadFacts,
        locksets: &'a Locksets<'a, 'p>,
    ) -> Self {
        Mhp { calls: points_to.call_graph(), threads, locksets }
    }

    /// Whether two instructions may happen in parallel.
    pub fn are_parallel(&self, a: InstSite, b: InstSite) -> bool {
        let (Some(at_a), Some(at_b)) = (self.locksets.before(a), self.locksets.before(b)) else {
            return false;
        };
        let (of_a, of_b) = (self.calls.thread_of(a.context), self.calls.thread_of(b.context));
        self.may_happen_in_parallel(
            Running { thread: of_a, alive: &at_a.alive },
            Running { thread: of_b, alive: &at_b.alive },
        )
    }

    /// Whether two threads may be at these points without an order between them.
    #[inline]
    pub fn may_happen_in_parallel(&self, a: Running<'_>, b: Running<'_>) -> bool {
        if a.thread == b.thread {
            return !self.threads.is_single(a.thread);
        }
        if self.calls.leads_to(a.thread, b.thread) {
            return !self.threads.is_single(a.thread) || a.alive.contains(&b.thread);
        }
        if self.calls.leads_to(b.thread, a.thread) {
            return !self.threads.is_single(b.thread) || b.alive.contains(&a.thread);
        }
        let Some((common, of_a, of_b)) = self.fork(a.thread, b.thread) else { return true };
        // Ordered only if one of the two branches ended before the other began.
        !self.threads.is_single(common)
            || self.locksets.before_start(of_b).contains(&a.thread)
            || self.locksets.before_start(of_a).contains(&b.thread)
    }

    /// The nearest common ancestor, and the threads it started that lead to each.
    fn fork(
        &self,
        a: AbstractThreadId,
        b: AbstractThreadId,
    ) -> Option<(AbstractThreadId, AbstractThreadId, AbstractThreadId)> {
        let mut of_a: BTreeMap<AbstractThreadId, AbstractThreadId> = BTreeMap::new();
        let mut at = a;
        while let Some(parent) = self.calls.parent(at) {
            of_a.insert(parent, at);
            at = parent;
        }
        let mut at = b;
        while let Some(parent) = self.calls.parent(at) {
            if let Some(&started) = of_a.get(&parent) {
                return Some((parent, started, at));
            }
            at = parent;
        }
        None
    }
}
