//! Known findings: a run that looks for further ones goes past them.
//!
//! A finding is recognised by its lines. A thread that reaches a known failure stops there, as at a failed assumption,
//! and the others go on. A known wait cycle goes on waiting. A known race is passed over: its accesses happen all the
//! same.

use crate::finding::Finding;
use crate::machine::{Machine, StepStop};
use crate::race::{Access, AccessKind, Earlier, StepNumber};
use crate::thread::Thread;
use crate::value::ObjectRef;
use std::collections::BTreeMap;
use tp_ir::{FileId, PlaceId, Program, Property};

/// A line of the source.
pub type Line = (FileId, u32);

/// What makes two findings the same one: the property and the lines, wherever they were reached from. For a race, the
/// lines of both accesses; for a deadlock, those of all threads that wait.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    pub property: Property,
    /// Ascending, each once.
    pub lines: Vec<Line>,
}

impl Identity {
    pub fn new(property: Property, mut lines: Vec<Line>) -> Identity {
        lines.sort();
        lines.dedup();
        Identity { property, lines }
    }

    pub fn of(program: &Program, finding: &Finding) -> Identity {
        let moments = match finding.property {
            Property::Race | Property::Deadlock => finding.moments(),
            _ => vec![&finding.at],
        };
        let lines = moments.into_iter().filter_map(|at| line_of(program, at.place()?)).collect();
        Identity::new(finding.property, lines)
    }

    /// Whether `other` is the same finding. A known wait cycle may be found again together with threads that wait for
    /// it.
    pub fn covers(&self, other: &Identity) -> bool {
        match self.property {
            Property::Deadlock => {
                other.property == Property::Deadlock && self.lines.iter().all(|l| other.lines.contains(l))
            }
            // A thread that loops for ever may keep others looping, so any livelock is the same finding.
            Property::Stuck => other.property == Property::Stuck,
            _ => self == other,
        }
    }
}

/// The line of a place, if the compiler has recorded one.
pub fn line_of(program: &Program, place: PlaceId) -> Option<Line> {
    let place = program.places.get(place)?;
    (place.line > 0).then_some((place.file, place.line))
}

/// An access that was made.
struct Made {
    address: u64,
    len: u64,
    write: bool,
    line: Option<Line>,
}

/// The known findings, and the accesses of this run with their lines, to recognise known races.
pub struct KnownFindings<'r> {
    known: &'r [Identity],
    knows_races: bool,
    /// By step.
    accesses: BTreeMap<StepNumber, Vec<Made>>,
}

impl<'r> KnownFindings<'r> {
    pub fn new(known: &'r [Identity]) -> KnownFindings<'r> {
        let knows_races = known.iter().any(|known| known.property == Property::Race);
        KnownFindings { known, knows_races, accesses: BTreeMap::new() }
    }

    /// Forgets the accesses so far: known races with them would be reported again.
    pub fn forget(&mut self) {
        self.accesses.clear();
    }

    fn covers(&self, identity: &Identity) -> bool {
        self.known.iter().any(|known| known.covers(identity))
    }

    /// The line of the access of a step to an address.
    fn line_of(&self, step: StepNumber, address: u64, write: bool) -> Option<Line> {
        // A further access of a step is noted after the step was counted.
        let steps = [step, step + 1].into_iter().filter_map(|step| self.accesses.get(&step));
        let meets = |m: &&Made| m.address <= address && address < m.address + m.len && (m.write || !write);
        steps.flatten().find(meets)?.line
    }
}

impl<'p> Machine<'p, '_> {
    /// Whether a known finding covers it.
    pub(crate) fn is_known(&self, finding: &Finding) -> bool {
        !self.watch.past.known.is_empty() && self.watch.past.covers(&Identity::of(self.program, finding))
    }

    /// Before a step is tried: accesses of other continuations from here did not happen.
    pub(crate) fn forget_later_accesses(&mut self) {
        if !self.watch.past.accesses.is_empty() {
            self.watch.past.accesses.split_off(&(self.state.steps + 1));
        }
    }

    #[inline]
    pub(crate) fn note_for_races(&mut self, t: &Thread<'p>, r: ObjectRef, access: &Access) {
        if self.watch.past.knows_races {
            self.note_made(t, r, access);
        }
    }

    #[cold]
    fn note_made(&mut self, t: &Thread<'p>, r: ObjectRef, access: &Access) {
        let line = self.user_place(t).and_then(|place| line_of(self.program, place));
        let address = self.state.memory.object(r).base + access.offset;
        let made = Made { address, len: access.len, write: access.kind != AccessKind::Read, line };
        self.watch.past.accesses.entry(self.state.steps + 1).or_default().push(made);
    }

    /// Records an access that races with earlier ones; an error with the first race that is not known.
    #[cold]
    pub(crate) fn pass_races(
        &mut self,
        t: &mut Thread<'p>,
        r: ObjectRef,
        access: &Access,
        step: StepNumber,
        first: Earlier,
    ) -> Result<(), StepStop> {
        if !self.watch.past.knows_races {
            return Err(self.race(t, r, access, first));
        }
        let object = self.state.memory.object(r);
        let (base, size) = (object.base, object.size);
        let here = self.made_at.or(self.user_place(t)).and_then(|place| line_of(self.program, place));
        for earlier in object.shadow.conflicts(access, size, &t.clocks) {
            let there = self.watch.past.line_of(earlier.step, base + earlier.offset, earlier.write);
            let lines = here.into_iter().chain(there).collect();
            if !self.watch.past.covers(&Identity::new(Property::Race, lines)) {
                return Err(self.race(t, r, access, earlier));
            }
        }
        self.state.memory.object_mut(r).shadow.force(access, size, t.entry, step, &mut t.clocks);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadlock_is_known_by_a_part_of_it() {
        let file = FileId::from_u32(0);
        let identity =
            |property, lines: &[u32]| Identity::new(property, lines.iter().map(|&l| (file, l)).collect());
        let check = |property, known: &[u32], found: &[u32], expect: bool| {
            assert_eq!(identity(property, known).covers(&identity(property, found)), expect, "{found:?}");
        };
        check(Property::Deadlock, &[3, 9], &[9, 3, 20], true);
        check(Property::Deadlock, &[3, 9], &[9, 20], false);
        check(Property::Race, &[3, 9], &[9, 3, 3], true);
        check(Property::Race, &[3, 9], &[9], false);
        check(Property::Assert, &[3], &[9], false);
        assert!(!identity(Property::Assert, &[3]).covers(&identity(Property::Lock, &[3])));
    }
}
