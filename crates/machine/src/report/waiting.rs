//! Threads that wait, and deadlocks.

use crate::finding::{End, Finding, Label};
use crate::machine::Machine;
use crate::thread::{Thread, Waiting};
use tp_ir::{Property, WaitKind};

impl<'p> Machine<'p, '_> {
    pub(crate) fn waiting_text(&self, t: &Thread<'p>, current: &Thread<'p>) -> String {
        let name = self.thread_name(t);
        let Some(Waiting { kind, object, owner }) = t.waiting else {
            return format!("thread `{name}` waits here");
        };
        let what = self.describe_pointer(object);
        let held = match owner {
            Some(o) if o == t.number => ", which it holds itself".to_owned(),
            Some(o) if self.ended_holding.contains_key(&o) => {
                format!(", held by thread `{}`, which has ended", self.name_of(o, current))
            }
            Some(o) => format!(", held by thread `{}`", self.name_of(o, current)),
            None => String::new(),
        };
        match kind {
            WaitKind::Mutex => format!("thread `{name}` waits for mutex `{what}`{held}"),
            WaitKind::ReadLock => format!("thread `{name}` waits to read-lock `{what}`{held}"),
            WaitKind::WriteLock => format!("thread `{name}` waits to write-lock `{what}`{held}"),
            WaitKind::SpinLock => format!("thread `{name}` spins on `{what}`{held}"),
            WaitKind::Condition => format!("thread `{name}` waits for a signal on `{what}`"),
            WaitKind::Join => {
                let other =
                    owner.map_or("a thread".to_owned(), |o| format!("thread `{}`", self.name_of(o, current)));
                format!("thread `{name}` waits for {other} to end")
            }
            WaitKind::Barrier => format!("thread `{name}` waits for others at barrier `{what}`"),
            WaitKind::Semaphore => format!("thread `{name}` waits for semaphore `{what}`"),
            WaitKind::Once => format!("thread `{name}` waits for the initialisation `{what}`{held}"),
        }
    }

    /// The circle of threads that wait for each other which `last` has just closed.
    pub fn wait_cycle(&self, last: &Thread<'p>) -> Option<Finding> {
        if !self.config.checks.has(Property::Deadlock) {
            return None;
        }
        let mut cycle = vec![last];
        loop {
            let owner = cycle.last()?.waiting?.owner?;
            if owner == last.number {
                break;
            }
            let next = self.thread_numbered(owner)?;
            if self.is_enabled(owner) || cycle.iter().any(|t| t.number == owner) {
                return None;
            }
            cycle.push(next);
        }
        let others = self.threads.iter().flatten().any(|t| self.is_enabled(t.number));
        let message = match (cycle.len(), others) {
            (1, _) => format!("thread `{}` waits for itself", self.thread_name(last)),
            (n, false) => format!("{n} threads wait for each other"),
            (n, true) => format!("{n} threads wait for each other, while others go on"),
        };
        Some(self.deadlock(message, &cycle, last))
    }

    pub(crate) fn deadlock(&self, message: String, threads: &[&Thread<'p>], current: &Thread<'p>) -> Finding {
        let label =
            |t: &&Thread<'p>| Label { text: self.waiting_text(t, current), moment: self.waiting_moment(t) };
        let notes = threads.iter().filter(|t| !t.held.is_empty()).map(|t| {
            let locks: Vec<String> =
                t.held.iter().map(|h| format!("`{}`", self.describe_pointer(h.lock))).collect();
            format!("thread `{}` holds {}", self.thread_name(t), locks.join(" and "))
        });
        Finding {
            property: Property::Deadlock,
            message,
            labels: threads.iter().map(label).collect(),
            notes: notes.collect(),
        }
    }

    /// No thread can take a step.
    pub fn nobody_can_step(&mut self) -> End {
        if let Some(end) = &self.cut {
            // They may wait for a thread that stopped.
            return end.clone();
        }
        let mut waiting: Vec<&Thread<'p>> = self.threads.iter().flatten().map(|t| &**t).collect();
        // A thread that only waits for another to end is seldom the one to look at first.
        waiting.sort_by_key(|t| (t.waiting.is_some_and(|w| w.kind == WaitKind::Join), t.number));
        let Some(first) = waiting.first() else {
            return match self.leak(None) {
                Some(finding) => End::Violation(Box::new(finding)),
                None => End::Exited { status: 0 },
            };
        };
        if waiting.iter().any(|t| t.blocked_by_input) {
            return End::Assumption;
        }
        let message = match waiting.len() {
            1 => {
                format!("thread `{}` waits, and no other thread is left to wake it", self.thread_name(first))
            }
            2 => "both threads wait, and none is left to wake them".to_owned(),
            n => format!("all {n} threads wait, and none is left to wake them"),
        };
        self.ended_by(self.deadlock(message, &waiting, first))
    }
}
