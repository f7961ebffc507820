//! The two accesses of a race, and why nothing orders them.

use crate::finding::{End, Finding, Label};
use crate::hindsight::{Atomic, HeldLock, Question, Side};
use crate::known::line_of;
use crate::machine::{Machine, Stop};
use crate::race::{Access, AccessKind, Earlier};
use crate::report::{held, remedy};
use crate::thread::Thread;
use crate::value::ObjectRef;
use tp_ir::{Effect, Function, Property};

impl<'p> Machine<'p, '_> {
    fn access_text(&self, t: &Thread<'p>, access: &Access) -> String {
        let locks: Vec<String> = t.held.iter().map(|h| self.describe_pointer(h.lock)).collect();
        let atomic = if self.is_atomic(t, access) { "atomic " } else { "" };
        let verb = match access.kind {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
            AccessKind::ReadWrite => "update",
            AccessKind::Free => "free",
        };
        format!("{atomic}{verb} by thread `{}`, holding {}", self.thread_name(t), held(&locks))
    }

    /// The user's code makes it atomic. What a function of the library does in one step is not meant.
    fn is_atomic(&self, t: &Thread<'p>, access: &Access) -> bool {
        let called = self.called_by_user(t).map(|f| &self.program.functions[f.function]);
        let is_for_that = |f: &Function| f.does(Effect::Atomic);
        access.order.is_atomic() && (self.made_at.is_some() || called.is_none_or(is_for_that))
    }

    fn held_locks(&self, t: &Thread<'p>) -> Vec<HeldLock> {
        let held = t.held.iter();
        held.map(|h| HeldLock { address: h.lock.bits, name: self.describe_pointer(h.lock), mode: h.mode })
            .collect()
    }

    fn side(&self, t: &Thread<'p>, access: &Access) -> Side {
        Side {
            entry: t.entry,
            thread_name: self.thread_name(t),
            locks: self.held_locks(t),
            kind: access.kind,
            atomic: self.is_atomic(t, access),
        }
    }

    /// An access of a run that is repeated: is it the one that is looked for, and which locks guard such accesses?
    pub(crate) fn look_at(&mut self, t: &Thread<'p>, r: ObjectRef, access: &Access) {
        let at = self.memory.object(r).base + access.offset;
        let by_user = self.is_atomic(t, access);
        let Some(hindsight) = &mut self.hindsight else { return };
        if access.order.is_atomic() {
            let atomic = Atomic { object: r, address: at, by_user };
            hindsight.atomic((t.entry, self.steps + 1), &t.clocks.now, atomic, access);
        }
        let Question::Race { step, address, len, write } = hindsight.question else { return };
        if at >= address + len || address >= at + access.len {
            return;
        }
        let is_now = step == self.steps + 1 || step == self.steps;
        let is_wanted = is_now && (access.kind != AccessKind::Read || !write);
        let is_first = hindsight.seen.earlier.is_none();
        let earlier = (is_wanted && is_first).then(|| {
            let label =
                Label { text: format!("(1) {}", self.access_text(t, access)), moment: self.moment(t) };
            (self.side(t, access), label)
        });
        // Before there is another thread no lock is needed.
        let is_counted = self.next_number > 1 && t.atomic_depth == 0;
        let locks = is_counted.then(|| self.held_locks(t));
        let line = self.user_place(t).and_then(|place| line_of(self.program, place));
        let Some(hindsight) = &mut self.hindsight else { return };
        if earlier.is_some() {
            hindsight.seen.earlier = earlier;
        }
        if let Some(locks) = locks {
            hindsight.count(line, locks);
        }
    }

    pub fn race(&mut self, t: &Thread<'p>, r: ObjectRef, access: &Access, earlier: Earlier) -> Stop {
        self.note_racing(t, r, access);
        let object = self.memory.object(r);
        let address = object.base + earlier.offset;
        if self.hindsight.is_none() {
            let Earlier { step, len, write, .. } = earlier;
            self.question = Some(Question::Race { step, address, len, write });
        }
        let library = self.is_of_library(object.kind).then(|| self.called_by_user(t)).flatten();
        let name = match library.map(|f| &self.program.functions[f.function].name) {
            Some(function) => format!("what `{function}` keeps between calls"),
            None => self.quoted(r, earlier.offset.max(access.offset)),
        };
        let one = match (access.kind, earlier.write) {
            (AccessKind::Free, _) => "one of them frees it",
            (AccessKind::Read, _) | (_, false) => "one of them writes",
            _ => "both write",
        };
        let mut finding = Finding {
            property: Property::Race,
            cwe: Property::Race.cwe(),
            message: format!("two threads access {name} at the same time, {one}"),
            labels: vec![Label {
                text: format!("(2) {}", self.access_text(t, access)),
                moment: self.moment(t),
            }],
            notes: vec![],
            help: vec![],
        };
        if let Some(hindsight) = &self.hindsight
            && let Some((first, label)) = &hindsight.seen.earlier
        {
            let second = self.side(t, access);
            finding.labels.push(label.clone());
            let (note, help) = match hindsight.would_know(t.entry, first.entry, earlier.step) {
                true => {
                    let atomic = hindsight.lost_at(t.entry);
                    remedy::of_relaxed(atomic.map(|(r, offset)| self.quoted(r, offset)))
                }
                false => {
                    let missing = remedy::what_is_missing(first, &second);
                    let help = match library {
                        Some(_) if hindsight.usual_locks().is_empty() => remedy::of_library(),
                        _ => remedy::of_race(first, &second, hindsight, &name),
                    };
                    (missing, help)
                }
            };
            finding.notes.push(note);
            finding.help.push(help);
        }
        Stop::from(End::Violation(Box::new(finding)))
    }
}
