//! The two accesses of a race, and why nothing orders them.

use crate::cause::{DataRace, FirstAccess, RacedObject, RacingAccess, Unordered};
use crate::finding::{Cause, End, Finding};
use crate::hindsight::{Atomic, EarlierAccess, HindsightQuestion};
use crate::known::line_of;
use crate::machine::{Machine, StepStop};
use crate::race::{Access, AccessKind, Earlier};
use crate::thread::Thread;
use crate::value::ObjectRef;
use tp_ir::{Function, ModelEffect, Property};

impl<'p> Machine<'p, '_> {
    fn racing(&self, t: &Thread<'p>, access: &Access) -> RacingAccess {
        let in_section = t.atomic_depth > 0 && self.in_user_code(t);
        RacingAccess { kind: access.kind, len: access.len, atomic: in_section || self.is_atomic(t, access) }
    }

    /// Whether the user's code makes it atomic. Atomic steps inside library functions do not count.
    fn is_atomic(&self, t: &Thread<'p>, access: &Access) -> bool {
        let called = self.called_by_user(t).map(|f| &self.program.functions[f.function]);
        let is_for_that = |f: &Function| f.does(ModelEffect::Atomic);
        access.order.is_atomic() && (self.made_at.is_some() || called.is_none_or(is_for_that))
    }

    /// An access of a repeated run: whether it is the earlier one of the race, and which locks guard such accesses.
    pub(crate) fn look_at(&mut self, t: &Thread<'p>, r: ObjectRef, access: &Access) {
        let at = self.state.memory.object(r).base + access.offset;
        let by_user = self.is_atomic(t, access);
        let Some(hindsight) = &mut self.watch.hindsight else { return };
        if access.order.is_atomic() {
            let atomic = Atomic { object: r, address: at, by_user };
            hindsight.atomic((t.entry, self.state.steps + 1), &t.clocks.now, atomic, access);
        }
        let HindsightQuestion::Race { step, address, len, write } = hindsight.question else { return };
        if at >= address + len || address >= at + access.len {
            return;
        }
        let is_now = step == self.state.steps + 1 || step == self.state.steps;
        let is_wanted = is_now && (access.kind != AccessKind::Read || !write);
        let is_first = hindsight.seen.earlier.is_none();
        let earlier = (is_wanted && is_first).then(|| EarlierAccess {
            entry: t.entry,
            at: self.moment(t),
            access: self.racing(t, access),
        });
        // Before there is another thread no lock is needed.
        let is_counted = self.state.next_number > 1 && t.atomic_depth == 0;
        let locks = is_counted.then(|| self.held_locks(t));
        let line = self.user_place(t).and_then(|place| line_of(self.program, place));
        let Some(hindsight) = &mut self.watch.hindsight else { return };
        if earlier.is_some() {
            hindsight.seen.earlier = earlier;
        }
        if let Some(locks) = locks {
            hindsight.count(line, locks);
        }
    }

    pub fn race(&mut self, t: &Thread<'p>, r: ObjectRef, access: &Access, earlier: Earlier) -> StepStop {
        self.note_racing(t, r, access);
        let object = self.state.memory.object(r);
        let address = object.base + earlier.offset;
        if self.watch.hindsight.is_none() {
            let Earlier { step, len, write, .. } = earlier;
            self.watch.question = Some(HindsightQuestion::Race { step, address, len, write });
        }
        let library = self.is_of_library(object.kind).then(|| self.called_by_user(t)).flatten();
        let object = match library {
            Some(f) => RacedObject::KeptBy(self.program.functions[f.function].name.to_string()),
            None => RacedObject::Object(self.part(r, earlier.offset.max(access.offset))),
        };
        let race = DataRace {
            object,
            second: self.racing(t, access),
            first_writes: earlier.write,
            first: self.first_access(t, earlier),
        };
        let cause = Cause::Race(Box::new(race));
        End::Violation(Box::new(Finding { property: Property::Race, at: self.moment(t), cause })).into()
    }

    /// The earlier access, if the run is being repeated.
    fn first_access(&self, t: &Thread<'p>, earlier: Earlier) -> Option<FirstAccess> {
        let hindsight = self.watch.hindsight.as_ref()?;
        let first = hindsight.seen.earlier.as_ref()?;
        let unordered = match hindsight.would_happen_before(t.entry, first.entry, earlier.step) {
            true => Unordered::TooWeak(hindsight.lost_at(t.entry).map(|(r, offset)| self.part(r, offset))),
            false => {
                Unordered::Unguarded { usual: hindsight.usual_locks(), lines: hindsight.seen.lines.len() }
            }
        };
        Some(FirstAccess { at: first.at.clone(), access: first.access, unordered })
    }
}
