//! Misuse of locks, as models report it: which lock, which threads hold it, and where they took it.

use crate::cause::{LockHolder, Misuse, NotedBy};
use crate::finding::{Cause, Finding};
use crate::hindsight::CallKind;
use crate::machine::{Machine, StepStop};
use crate::named::NamedObject;
use crate::thread::Thread;
use crate::value::Value;
use tp_ir::{ModelEffect, Property, SyncEffect, Type};

impl<'p> Machine<'p, '_> {
    /// A model says which rule was broken.
    pub(crate) fn lock_misused(&self, t: &Thread<'p>, rule: String) -> StepStop {
        let locks = self.locks_of_call(t);
        let misuse = Misuse {
            rule,
            uninitialised: locks.iter().any(|lock| self.was_never_written(*lock)),
            locks: locks.iter().map(|lock| self.pointed_to(*lock)).collect(),
            holders: self.holders(t, &locks),
            destroyed: self.destroyers(&locks),
        };
        let finding = Finding { property: Property::Lock, at: self.moment(t), cause: Cause::Misuse(misuse) };
        self.ended_by(finding).into()
    }

    /// The locks passed to the function that the user's code called.
    fn locks_of_call(&self, t: &Thread<'p>) -> Vec<Value> {
        let Some(frame) = self.doing_for_user(t) else { return Vec::new() };
        let mutex = self.program.functions[frame.function].effects.iter().find_map(|effect| match effect {
            ModelEffect::Sync(SyncEffect::Wait(mutex)) => frame.body.params.get(*mutex),
            _ => None,
        });
        let params = frame.body.params.first().into_iter().chain(mutex);
        let pointers = params.filter(|p| frame.body.regs[**p].ty == Type::Ptr);
        pointers.map(|p| t.get(frame.base, &[], (*p).into())).collect()
    }

    /// Whether this step has read memory of the lock that was never written.
    fn was_never_written(&self, lock: Value) -> bool {
        lock.object().is_some_and(|r| self.pending.settled.contains(&r))
    }

    /// Which of these locks were destroyed, by which thread, and where.
    fn destroyers(&self, locks: &[Value]) -> Vec<(NamedObject, NotedBy)> {
        let Some(hindsight) = &self.watch.hindsight else { return Vec::new() };
        let call = |lock: &Value| {
            Some((self.pointed_to(*lock), hindsight.last_call(CallKind::Destroys, *lock)?.by()))
        };
        locks.iter().filter_map(call).collect()
    }

    fn holders(&self, t: &Thread<'p>, locks: &[Value]) -> Vec<LockHolder> {
        let mut threads: Vec<&Thread<'p>> =
            self.state.threads.iter().flatten().map(|t| &**t).chain([t]).collect();
        threads.sort_by_key(|t| t.number);
        let holder = |t: &Thread<'p>| {
            let mut held = self.held_locks(t);
            held.retain(|h| locks.iter().any(|lock| lock.bits == h.address));
            (!held.is_empty()).then(|| LockHolder { thread_name: self.thread_name(t), locks: held })
        };
        threads.into_iter().filter_map(holder).collect()
    }
}
