//! Misuse of locks, as models report it: which lock it is, and who holds it since where.

use crate::finding::{Finding, Label};
use crate::hindsight::CallKind;
use crate::machine::{Machine, Stop};
use crate::report::cwe;
use crate::thread::Thread;
use crate::value::Value;
use tp_ir::{Effect, Property, SyncEffect, Type};

impl<'p> Machine<'p, '_> {
    pub(crate) fn lock_misused(&self, t: &Thread<'p>, message: String) -> Stop {
        let locks = self.locks_of_call(t);
        let message = match locks.iter().any(|lock| self.was_never_written(*lock)) {
            true => never_initialised(&message),
            false => message,
        };
        let names: Vec<String> = locks.iter().map(|l| format!("`{}`", self.describe_pointer(*l))).collect();
        let text =
            if names.is_empty() { "here".to_owned() } else { format!("called with {}", names.join(" and ")) };
        let mut notes = self.holders(t, &locks);
        if message.contains("destroyed") {
            notes.extend(self.destroyers(&locks));
        }
        let finding = Finding {
            property: Property::Lock,
            cwe: cwe::of(Property::Lock, &message),
            message,
            labels: vec![Label { text, moment: self.moment(t) }],
            notes,
            help: vec![],
        };
        self.ended_by(finding).into()
    }

    /// The locks that were given to the function that the user's code has called.
    fn locks_of_call(&self, t: &Thread<'p>) -> Vec<Value> {
        let Some(frame) = self.called_by_user(t) else { return Vec::new() };
        let mutex = self.program.functions[frame.function].effects.iter().find_map(|effect| match effect {
            Effect::Sync(SyncEffect::Wait(mutex)) => frame.body.params.get(*mutex),
            _ => None,
        });
        let params = frame.body.params.first().into_iter().chain(mutex);
        let pointers = params.filter(|p| frame.body.regs[**p].ty == Type::Ptr);
        pointers.map(|p| t.get(frame.base, &[], (*p).into())).collect()
    }

    /// This step has read something of the object that nobody has written.
    fn was_never_written(&self, lock: Value) -> bool {
        lock.object().is_some_and(|r| self.pending.settled.contains(&r))
    }

    /// Where locks were destroyed.
    fn destroyers(&self, locks: &[Value]) -> Vec<String> {
        let Some(hindsight) = &self.hindsight else { return Vec::new() };
        let calls =
            locks.iter().filter_map(|lock| Some((lock, hindsight.last_call(CallKind::Destroys, *lock)?)));
        calls
            .map(|(lock, call)| {
                let at = call.place.map_or(String::new(), |place| format!(" at {}", self.place_text(place)));
                let name = self.describe_pointer(*lock);
                format!("`{name}` was destroyed by thread `{}`{at}", call.thread_name)
            })
            .collect()
    }

    fn holders(&self, t: &Thread<'p>, locks: &[Value]) -> Vec<String> {
        let mut threads: Vec<&Thread<'p>> = self.threads.iter().flatten().map(|t| &**t).chain([t]).collect();
        threads.sort_by_key(|t| t.number);
        threads
            .into_iter()
            .filter_map(|t| self.held_text(t, |h| locks.iter().any(|l| l.bits == h.bits)))
            .collect()
    }
}

/// What a model says of a lock in some state is about one in no state at all.
fn never_initialised(message: &str) -> String {
    let what = message.split_once(" that ").map_or(message, |parts| parts.0);
    format!("{what} that is not initialised")
}
