//! Threads that wait, and deadlocks.

use crate::cause::{BlockedOn, Deadlock, DeadlockForm, MissedSignal, Owner, WaitingThread};
use crate::finding::{Cause, End, Finding};
use crate::hindsight::{CallKind, NotedCall};
use crate::machine::Machine;
use crate::thread::{Frame, Thread, Waiting};
use crate::value::Value;
use tp_ir::cfg::Cfg;
use tp_ir::loops::LoopForest;
use tp_ir::{LockMode, ModelEffect, Origin, Property, WaitKind};

/// Whether a thread holds a lock in shared mode.
fn reads(t: &Thread<'_>, lock: Value) -> bool {
    t.held.iter().any(|h| h.mode == LockMode::Shared && h.lock.bits == lock.bits)
}

impl<'p> Machine<'p, '_> {
    pub(crate) fn waiting_thread(&self, t: &Thread<'p>, current: &Thread<'p>) -> WaitingThread {
        WaitingThread { at: self.waiting_moment(t), wait: self.wait_of(t, current) }
    }

    fn wait_of(&self, t: &Thread<'p>, current: &Thread<'p>) -> Option<BlockedOn> {
        let Waiting { kind, object, owner } = t.waiting?;
        let owner = owner.map(|thread| Owner {
            thread,
            thread_name: self.name_of(thread, current),
            has_ended: self.state.ended_holding.contains(&thread),
            waits: self.thread_numbered(thread).and_then(|o| o.waiting).map(|w| w.kind),
        });
        Some(BlockedOn {
            kind,
            object: self.pointed_to(object),
            address: object.bits,
            readers: if owner.is_none() { self.readers(object, current) } else { Vec::new() },
            owner,
            missed: if kind == WaitKind::Condition { self.missed_signal(t, object) } else { None },
        })
    }

    /// Whether a thread waits for another one, or for itself: for the owner of the object, or a holder in shared mode.
    fn waits_for(&self, t: &Thread<'p>, other: &Thread<'p>) -> bool {
        t.waiting.is_some_and(|w| w.owner == Some(other.number) || reads(other, w.object))
    }

    /// A cycle of waiting threads from `last` back to itself, each waiting for the next.
    fn wait_cycle_from<'a>(&'a self, last: &'a Thread<'p>) -> Option<Vec<&'a Thread<'p>>> {
        let waiting = |t: &&Thread<'p>| !self.is_enabled(t.number);
        let mut others: Vec<&Thread<'p>> =
            self.state.threads.iter().flatten().map(|t| &**t).filter(waiting).collect();
        let mut ways = vec![vec![last]];
        while let Some(way) = ways.pop() {
            let t = *way.last()?;
            if self.waits_for(t, last) {
                return Some(way);
            }
            // A thread that was reached once need not be reached again.
            let (next, rest) = others.into_iter().partition(|other| self.waits_for(t, other));
            others = rest;
            ways.extend(next.into_iter().map(|other: &Thread<'p>| [&way[..], &[other]].concat()));
        }
        None
    }

    /// The names of the threads that hold a lock in shared mode.
    fn readers(&self, object: Value, current: &Thread<'p>) -> Vec<String> {
        let threads = self.state.threads.iter().flatten().map(|t| &**t);
        let readers = threads.chain([current]).filter(|other| reads(other, object));
        let mut readers: Vec<_> = readers.map(|other| (other.number, self.thread_name(other))).collect();
        readers.sort();
        readers.dedup();
        readers.into_iter().map(|(_, name)| name).collect()
    }

    /// The wait cycle that `last` has just closed.
    pub fn wait_cycle(&mut self, last: &Thread<'p>) -> Option<Finding> {
        if !self.config.checks.has(Property::Deadlock) {
            return None;
        }
        let cycle = self.wait_cycle_from(last)?;
        let others_go_on = self.state.threads.iter().flatten().any(|t| self.is_enabled(t.number));
        let finding = self.deadlock(DeadlockForm::Cycle { others_go_on }, last, &cycle[1..]);
        if self.is_known(&finding) {
            return None;
        }
        Some(finding)
    }

    pub(crate) fn deadlock(&self, form: DeadlockForm, first: &Thread<'p>, others: &[&Thread<'p>]) -> Finding {
        let WaitingThread { at, wait } = self.waiting_thread(first, first);
        let others = others.iter().map(|t| self.waiting_thread(t, first)).collect();
        let cause = Cause::Deadlock(Deadlock { form, wait, others });
        Finding { property: Property::Deadlock, at, cause }
    }

    /// Why a thread that waits for a signal gets none.
    fn missed_signal(&self, t: &Thread<'p>, object: Value) -> Option<MissedSignal> {
        let hindsight = self.watch.hindsight.as_ref()?;
        let Some(call) = hindsight.last_call(CallKind::Wakes, object) else {
            return Some(MissedSignal::Never);
        };
        let waits_since = hindsight.seen.last_steps.get(&t.number).copied().unwrap_or(0);
        Some(match call.step < waits_since {
            true => {
                let of_user = |f: &&Frame| self.program.functions[f.function].origin == Origin::User;
                let waits_in_loop = t.frames.iter().rev().find(of_user).is_some_and(is_in_loop);
                MissedSignal::TooEarly { signal: call.by(), waits_in_loop }
            }
            false => MissedSignal::WokeOther(call.by()),
        })
    }

    /// While a run is repeated: notes whether the step signals or destroys something.
    pub(crate) fn note_for_hindsight(&mut self, t: &Thread<'p>) {
        if self.watch.hindsight.is_none() {
            return;
        }
        let Some(frame) = self.doing_for_user(t) else { return };
        let noted = self.program.functions[frame.function].effects.iter().filter_map(|effect| match effect {
            ModelEffect::Wake(i) => Some((CallKind::Wakes, *i)),
            ModelEffect::Destroy(i) => Some((CallKind::Destroys, *i)),
            _ => None,
        });
        for (kind, i) in noted {
            let Some(param) = frame.body.params.get(i) else { continue };
            let call = NotedCall {
                kind,
                object: t.get(frame.base, &[], (*param).into()).bits,
                step: self.state.steps + 1,
                thread_name: self.thread_name(t),
                place: self.user_place(t),
            };
            if let Some(hindsight) = &mut self.watch.hindsight {
                hindsight.seen.calls.push(call);
            }
        }
    }

    /// No thread can take a step.
    pub fn nobody_can_step(&mut self) -> End {
        if let Some(end) = &self.state.cut {
            // The threads that are left may wait for one that stopped.
            return end.clone();
        }
        let mut waiting: Vec<&Thread<'p>> = self.state.threads.iter().flatten().map(|t| &**t).collect();
        // A thread that only waits for another to end is seldom the one to look at first.
        waiting.sort_by_key(|t| (t.waits_to_join(), t.number));
        let Some(first) = waiting.first() else {
            return match self.leak(None) {
                Some(finding) => End::Violation(Box::new(finding)),
                None => End::Exited { status: 0 },
            };
        };
        if waiting.iter().any(|t| t.blocked_by_input) {
            return End::Assumption;
        }
        let finding = self.deadlock(DeadlockForm::AllWait, first, &waiting[1..]);
        self.ended_by(finding)
    }
}

/// Whether the current block of a frame is in a loop.
fn is_in_loop(frame: &Frame) -> bool {
    LoopForest::new(&Cfg::new(frame.body)).is_in_loop(frame.block)
}
