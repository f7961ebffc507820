//! Threads that wait, and deadlocks.

use crate::finding::{End, Finding, Label};
use crate::hindsight::{CallKind, NotedCall};
use crate::machine::Machine;
use crate::report::cwe;
use crate::thread::{Frame, Thread, Waiting};
use crate::value::Value;
use tp_ir::cfg::Cfg;
use tp_ir::loops::LoopForest;
use tp_ir::{Effect, LockMode, Origin, Property, WaitKind};

/// The function that a thread has called is a lock's.
fn is_lock(kind: WaitKind) -> bool {
    matches!(kind, WaitKind::Mutex | WaitKind::ReadLock | WaitKind::WriteLock | WaitKind::SpinLock)
}

/// A thread holds a lock together with others.
fn reads(t: &Thread<'_>, lock: Value) -> bool {
    t.held.iter().any(|h| h.mode == LockMode::Shared && h.lock.bits == lock.bits)
}

impl<'p> Machine<'p, '_> {
    pub(crate) fn waiting_text(&self, t: &Thread<'p>, current: &Thread<'p>) -> String {
        let name = self.thread_name(t);
        let Some(Waiting { kind, object, owner }) = t.waiting else {
            return format!("thread `{name}` waits here");
        };
        let what = self.describe_pointer(object);
        let held = match owner {
            None => self.readers_text(t, object, current),
            Some(o) if o == t.number => ", which it holds itself".to_owned(),
            Some(o) if self.ended_holding.contains(&o) => {
                format!(", held by thread `{}`, which has ended", self.name_of(o, current))
            }
            Some(o) => format!(", held by thread `{}`", self.name_of(o, current)),
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

    /// A thread waits for another, or for itself: that is the owner of what it waits for, or holds it with others.
    fn waits_for(&self, t: &Thread<'p>, other: &Thread<'p>) -> bool {
        t.waiting.is_some_and(|w| w.owner == Some(other.number) || reads(other, w.object))
    }

    /// A way from a thread back to itself by threads that wait, each for the next.
    fn circle_of<'a>(&'a self, last: &'a Thread<'p>) -> Option<Vec<&'a Thread<'p>>> {
        let waiting = |t: &&Thread<'p>| !self.is_enabled(t.number);
        let mut others: Vec<&Thread<'p>> =
            self.threads.iter().flatten().map(|t| &**t).filter(waiting).collect();
        let mut ways = vec![vec![last]];
        while let Some(way) = ways.pop() {
            let t = *way.last()?;
            if self.waits_for(t, last) {
                return Some(way);
            }
            // Who was reached once need not be reached by another way.
            let (next, rest) = others.into_iter().partition(|other| self.waits_for(t, other));
            others = rest;
            ways.extend(next.into_iter().map(|other: &Thread<'p>| [&way[..], &[other]].concat()));
        }
        None
    }

    /// Who holds, together with others, what a thread waits for.
    fn readers_text(&self, t: &Thread<'p>, object: Value, current: &Thread<'p>) -> String {
        if reads(t, object) {
            return ", which it holds for reading itself".to_owned();
        }
        let threads = self.threads.iter().flatten().map(|t| &**t);
        let readers = threads.chain([current]).filter(|other| reads(other, object));
        let mut readers: Vec<_> = readers.map(|other| (other.number, self.thread_name(other))).collect();
        readers.sort();
        readers.dedup();
        let names: Vec<String> = readers.into_iter().map(|(_, name)| format!("`{name}`")).collect();
        match &names[..] {
            [] => String::new(),
            [one] => format!(", held for reading by thread {one}"),
            many => format!(", held for reading by threads {}", many.join(" and ")),
        }
    }

    /// The circle of threads that wait for each other which `last` has just closed.
    pub fn wait_cycle(&mut self, last: &Thread<'p>) -> Option<Finding> {
        if !self.config.checks.has(Property::Deadlock) {
            return None;
        }
        let cycle = self.circle_of(last)?;
        let others = self.threads.iter().flatten().any(|t| self.is_enabled(t.number));
        let message = match (cycle.len(), others) {
            (1, _) => format!("thread `{}` waits for itself", self.thread_name(last)),
            (n, false) => format!("{n} threads wait for each other"),
            (n, true) => format!("{n} threads wait for each other, while others go on"),
        };
        let finding = self.deadlock(message, &cycle, last);
        if self.is_known(&finding) {
            return None;
        }
        Some(finding)
    }

    pub(crate) fn deadlock(&self, message: String, threads: &[&Thread<'p>], current: &Thread<'p>) -> Finding {
        let label =
            |t: &&Thread<'p>| Label { text: self.waiting_text(t, current), moment: self.waiting_moment(t) };
        let mut notes: Vec<String> = threads.iter().filter_map(|t| self.held_text(t, |_| true)).collect();
        let in_the_way = threads.iter().filter_map(|t| self.lock_in_the_way(t, current));
        let mut help: Vec<String> = self.order_of_locks(threads).into_iter().chain(in_the_way).collect();
        for (note, remedy) in threads.iter().filter_map(|t| self.missed_signal(t)) {
            notes.push(note);
            help.extend(remedy);
        }
        help.dedup();
        let itself = |t: &Thread<'p>| {
            t.waiting.is_some_and(|w| is_lock(w.kind)) && self.waits_for(t, t) && threads.len() == 1
        };
        Finding {
            property: Property::Deadlock,
            cwe: cwe::of_deadlock(itself(current)),
            message,
            labels: threads.iter().map(label).collect(),
            notes,
            help,
        }
    }

    /// Which of some locks a thread holds, and since where.
    pub(crate) fn held_text(&self, t: &Thread<'p>, is_one: impl Fn(Value) -> bool) -> Option<String> {
        let locks = t.held.iter().filter(|h| is_one(h.lock)).map(|h| {
            let name = self.describe_pointer(h.lock);
            let since = h.at.map_or(String::new(), |at| format!(", taken at {}", self.place_text(at)));
            let mode = if h.mode == LockMode::Shared { " for reading" } else { "" };
            format!("`{name}`{mode}{since}")
        });
        let locks = locks.collect::<Vec<_>>().join(" and ");
        (!locks.is_empty()).then(|| format!("thread `{}` holds {locks}", self.thread_name(t)))
    }

    /// Threads each of which waits for a lock of the next: one order of these locks would do.
    fn order_of_locks(&self, circle: &[&Thread<'p>]) -> Option<String> {
        let mut wanted = Vec::new();
        for (i, t) in circle.iter().enumerate() {
            let waiting = t.waiting.filter(|w| is_lock(w.kind))?;
            let next = circle[(i + 1) % circle.len()];
            if circle.len() < 2 || !self.waits_for(t, next) {
                return None;
            }
            wanted.push(format!("`{}`", self.describe_pointer(waiting.object)));
        }
        wanted.sort();
        wanted.dedup();
        (wanted.len() > 1).then(|| {
            format!("take these locks in the same order everywhere, for example {}", wanted.join(" before "))
        })
    }

    /// A lock that will not be given back, because of how it was taken or of who has it.
    fn lock_in_the_way(&self, t: &Thread<'p>, current: &Thread<'p>) -> Option<String> {
        let Waiting { kind, object, owner } = t.waiting?;
        let name = self.describe_pointer(object);
        let own = t.held.iter().find(|h| h.lock.bits == object.bits && is_lock(kind));
        let joined = owner.and_then(|o| self.thread_numbered(o)).and_then(|o| o.waiting);
        match (own, owner) {
            (Some(own), _) if own.mode == LockMode::Shared => Some(format!(
                "unlock `{name}` before it is taken for writing, or take it for writing at first"
            )),
            (Some(_), _) if kind == WaitKind::Mutex => Some(format!(
                "do not lock `{name}` where it is held already, or make it a PTHREAD_MUTEX_RECURSIVE one"
            )),
            (Some(_), _) => Some(format!("do not lock `{name}` where it is held already")),
            (None, Some(o)) if self.ended_holding.contains(&o) => {
                let holder = self.name_of(o, current);
                Some(format!("unlock `{name}` on every way out of thread `{holder}`"))
            }
            (None, _) if is_lock(kind) && joined.is_some_and(|w| w.kind == WaitKind::Join) => {
                Some(format!("unlock `{name}` before joining threads that take it"))
            }
            (None, _) if is_lock(kind) && joined.is_some_and(|w| w.kind == WaitKind::Condition) => {
                Some(format!(
                    "unlock `{name}` before waiting for a signal: the wait gives back only its own mutex"
                ))
            }
            _ => None,
        }
    }

    /// Where the wait is in a loop already, what is waited for changes without the mutex, or is not what is tested.
    fn help_for_lost_signal(&self, t: &Thread<'p>) -> &'static str {
        let of_user = |f: &&Frame| self.program.functions[f.function].origin == Origin::User;
        match t.frames.iter().rev().find(of_user).is_some_and(is_in_loop) {
            true => {
                "change what the loop tests before the signal, and under the mutex that it is tested under"
            }
            false => {
                "wait in a loop, while a condition does not hold that is changed and tested under the mutex"
            }
        }
    }

    /// Why a thread that waits for a signal gets none, and what to do about it.
    fn missed_signal(&self, t: &Thread<'p>) -> Option<(String, Option<String>)> {
        let hindsight = self.hindsight.as_ref()?;
        let Waiting { object, .. } = t.waiting.filter(|w| w.kind == WaitKind::Condition)?;
        let (name, waiter) = (self.describe_pointer(object), self.thread_name(t));
        let Some(NotedCall { step, thread_name, place, .. }) = hindsight.last_call(CallKind::Wakes, object)
        else {
            return Some((format!("nobody has signalled `{name}` in this run"), None));
        };
        let at = place.map_or(String::new(), |place| format!(" at {}", self.place_text(place)));
        let signal = format!("the signal on `{name}` by thread `{thread_name}`{at}");
        let waits_since = hindsight.seen.last_steps.get(&t.number).copied().unwrap_or(0);
        Some(match *step < waits_since {
            true => (
                format!("{signal} came before thread `{waiter}` waited, and woke nobody"),
                Some(self.help_for_lost_signal(t).to_owned()),
            ),
            false => (
                format!("{signal} woke another thread than `{waiter}`"),
                Some(format!("wake all that wait on `{name}` with a broadcast, or signal once for each")),
            ),
        })
    }

    /// While a run is repeated: whether the step that was taken signals or destroys something.
    pub(crate) fn note_for_hindsight(&mut self, t: &Thread<'p>) {
        if self.hindsight.is_none() {
            return;
        }
        let Some(frame) = self.called_by_user(t) else { return };
        let noted = self.program.functions[frame.function].effects.iter().filter_map(|effect| match effect {
            Effect::Wake(i) => Some((CallKind::Wakes, *i)),
            Effect::Destroy(i) => Some((CallKind::Destroys, *i)),
            _ => None,
        });
        for (kind, i) in noted {
            let Some(param) = frame.body.params.get(i) else { continue };
            let call = NotedCall {
                kind,
                object: t.get(frame.base, &[], (*param).into()).bits,
                step: self.steps + 1,
                thread_name: self.thread_name(t),
                place: self.user_place(t),
            };
            if let Some(hindsight) = &mut self.hindsight {
                hindsight.seen.calls.push(call);
            }
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
        let finding = self.deadlock(message, &waiting, first);
        self.ended_by(finding)
    }
}

/// Whether a function can come again to where it is now.
fn is_in_loop(frame: &Frame) -> bool {
    LoopForest::new(&Cfg::new(frame.body)).is_in_loop(frame.block)
}
