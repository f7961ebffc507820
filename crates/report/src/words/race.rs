//! The two accesses of a race, why nothing orders them, and what would, as far as one run can tell.

use super::memory::HELP_FOR_FREE;
use super::{Naming, Wording};
use tp_machine::{
    AccessKind, DataRace, FirstAccess, Guarding, HeldLock, Moment, RacedObject, RacingAccess, Unordered,
};

/// A function of the library that remembers something for its next call.
const HELP_FOR_LIBRARY: &str =
    "hold one lock at every call of it, or call its reentrant form, whose name ends in _r";

/// One of the accesses of a race.
#[derive(Copy, Clone)]
struct RaceSide<'r> {
    number: &'static str,
    at: &'r Moment,
    access: RacingAccess,
}

impl RaceSide<'_> {
    fn holds(self, address: u64) -> bool {
        self.at.locks.iter().any(|held| held.address == address)
    }
}

impl<'f> Wording<'f> {
    pub(super) fn race(&mut self, names: Naming<'_>, at: &'f Moment, race: &'f DataRace) {
        let name = match &race.object {
            RacedObject::Object(object) => names.quoted(object),
            RacedObject::KeptBy(function) => format!("what `{function}` keeps between calls"),
        };
        let one = match (race.second.kind, race.first_writes) {
            (AccessKind::Free, _) => "one of them frees it",
            (AccessKind::Read, _) | (_, false) => "one of them writes",
            _ => "both write",
        };
        self.message = format!("two threads access {name} at the same time, {one}");
        let second = RaceSide { number: "(2)", at, access: race.second };
        self.label(access_text(names, second), at);
        let Some(FirstAccess { at, access, unordered }) = &race.first else { return };
        let first = RaceSide { number: "(1)", at, access: *access };
        self.label(access_text(names, first), at);
        match unordered {
            Unordered::TooWeak(atomic) => {
                let it =
                    atomic.as_ref().map_or("what is atomic between them".to_owned(), |a| names.quoted(a));
                self.notes.push(format!(
                    "nothing orders them: the memory order of {it} is too weak where a thread uses it"
                ));
                self.help.push(format!(
                    "use memory_order_release where {it} is written, and memory_order_acquire where it is read"
                ));
            }
            Unordered::Unguarded { usual, lines } => {
                self.notes.push(what_is_missing(names, first, second));
                self.help.push(match race.object {
                    RacedObject::KeptBy(_) if usual.is_empty() => HELP_FOR_LIBRARY.to_owned(),
                    _ => remedy(names, [first, second], (usual, *lines), &name),
                });
            }
        }
    }
}

fn access_text(names: Naming<'_>, side: RaceSide<'_>) -> String {
    let atomic = if side.access.atomic { "atomic " } else { "" };
    let verb = match side.access.kind {
        AccessKind::Read => "read",
        AccessKind::Write => "write",
        AccessKind::ReadWrite => "update",
        AccessKind::Free => "free",
    };
    let (number, thread, locks) = (side.number, &side.at.thread_name, names.locks(&side.at.locks));
    format!("{number} {atomic}{verb} by thread `{thread}`, holding {locks}")
}

/// Why nothing orders two accesses, in a sentence.
fn what_is_missing(names: Naming<'_>, first: RaceSide<'_>, second: RaceSide<'_>) -> String {
    let (of_first, of_second) = (&first.at.locks, &second.at.locks);
    if of_first.is_empty() && of_second.is_empty() {
        return match (first.access.atomic, second.access.atomic) {
            (true, false) => "nothing orders them: (1) is atomic, (2) is not",
            (false, true) => "nothing orders them: (2) is atomic, (1) is not",
            _ => {
                "nothing orders them: neither thread holds a lock, and no join, signal or atomic comes between"
            }
        }
        .to_owned();
    }
    let both = match of_first.iter().find(|held| second.holds(held.address)) {
        Some(_) => "; a lock for reading does not keep the other out",
        None if of_first.is_empty() || of_second.is_empty() => "",
        None => ", and no lock is held by both",
    };
    format!("nothing orders them: {}, {}{both}", holds(names, first), holds(names, second))
}

fn holds(names: Naming<'_>, side: RaceSide<'_>) -> String {
    let locks = match side.at.locks.is_empty() {
        true => "no lock".to_owned(),
        false => side.at.locks.iter().map(|h: &HeldLock| names.lock(h)).collect::<Vec<_>>().join(" and "),
    };
    format!("thread `{}` holds {locks}", side.at.thread_name)
}

/// How the accesses of a race to `what` could be ordered. `usual` are the locks that are held at most of the lines that
/// access it.
fn remedy(
    names: Naming<'_>,
    sides: [RaceSide<'_>; 2],
    (usual, all): (&[Guarding], usize),
    what: &str,
) -> String {
    if let [one, other, ..] = usual {
        let (one, other) = (names.name(&one.lock), names.name(&other.lock));
        return format!("hold the same lock at both, `{one}` or `{other}`");
    }
    if let [lock] = usual {
        let name = names.name(&lock.lock);
        let without = sides.iter().filter(|side| !side.holds(lock.address));
        let without: Vec<&str> = without.map(|side| side.number).collect();
        if without.is_empty() {
            return format!("take `{name}` for writing where {what} is written");
        }
        let others = match sides.iter().find(|side| side.holds(lock.address)) {
            Some(side) if lock.lines == 1 => format!(", as at {}", side.number),
            _ => format!(": {} of {all} lines that access {what} in this run do", lock.lines),
        };
        return format!("hold `{name}` at {} as well{others}", without.join(" and "));
    }
    if sides.iter().any(|side| side.access.kind == AccessKind::Free) {
        return HELP_FOR_FREE.to_owned();
    }
    let [first, second] = sides;
    match sides.iter().find(|side| !side.access.atomic) {
        Some(side) if first.access.atomic != second.access.atomic => {
            format!("make {} atomic as well", side.number)
        }
        _ => format!("guard {what} with one lock at every access, or make it atomic"),
    }
}

#[cfg(test)]
mod tests;
