//! What is missing where threads get into each other's way, and what would mend it, as far as one run can tell.

use crate::hindsight::{HeldLock, Hindsight, Side};
use crate::race::AccessKind;
use tp_ir::LockMode;

/// Why nothing orders two accesses, in a sentence.
pub fn what_is_missing(first: &Side, second: &Side) -> String {
    if first.locks.is_empty() && second.locks.is_empty() {
        return match (first.atomic, second.atomic) {
            (true, false) => "nothing orders them: (1) is atomic, (2) is not",
            (false, true) => "nothing orders them: (2) is atomic, (1) is not",
            _ => {
                "nothing orders them: neither thread holds a lock, and no join, signal or atomic comes between"
            }
        }
        .to_owned();
    }
    let holds = |side: &Side| format!("thread `{}` holds {}", side.thread_name, locks(side));
    let is_of_both = |lock: &&HeldLock| second.locks.iter().any(|other| other.address == lock.address);
    let both = match first.locks.iter().find(is_of_both) {
        Some(_) => "; a lock for reading does not keep the other out".to_owned(),
        None if first.locks.is_empty() || second.locks.is_empty() => String::new(),
        None => ", and no lock is held by both".to_owned(),
    };
    format!("nothing orders them: {}, {}{both}", holds(first), holds(second))
}

fn locks(side: &Side) -> String {
    let name = |lock: &HeldLock| match lock.mode {
        LockMode::Exclusive => format!("`{}`", lock.name),
        LockMode::Shared => format!("`{}` for reading", lock.name),
    };
    match side.locks.is_empty() {
        true => "no lock".to_owned(),
        false => side.locks.iter().map(name).collect::<Vec<_>>().join(" and "),
    }
}

/// The earlier access came before an atomic write, and the later one after a read that has seen it; what is missing, and
/// what to do.
pub fn of_relaxed(atomic: Option<String>) -> (String, String) {
    let it = atomic.unwrap_or_else(|| "what is atomic between them".to_owned());
    (
        format!("nothing orders them: the memory order of {it} is too weak where a thread uses it"),
        format!("use memory_order_release where {it} is written, and memory_order_acquire where it is read"),
    )
}

/// A function of the library that remembers something for its next call.
pub fn of_library() -> String {
    "hold one lock at every call of it, or call its reentrant form, whose name ends in _r".to_owned()
}

/// Memory that one thread frees and another uses.
pub fn of_free() -> String {
    "free it when no other thread can use it any more: after a join, or as the last of its users".to_owned()
}

/// A variable of a function that another thread uses.
pub fn of_local() -> String {
    "let it live as long as others use it: make it static, take it from malloc, or join them before it ends"
        .to_owned()
}

/// How the accesses of a race to `what` could be ordered.
pub fn of_race(first: &Side, second: &Side, hindsight: &Hindsight, what: &str) -> String {
    let sides = [("(1)", first), ("(2)", second)];
    let usual = hindsight.usual_locks();
    if let [one, other, ..] = &usual[..] {
        return format!("hold the same lock at both, `{}` or `{}`", one.name, other.name);
    }
    if let Some(lock) = usual.first() {
        let holds = |side: &Side| side.locks.iter().any(|held| held.address == lock.address);
        let name = &lock.name;
        let without: Vec<&str> = sides.iter().filter(|(_, s)| !holds(s)).map(|(n, _)| *n).collect();
        if without.is_empty() {
            return format!("take `{name}` for writing where {what} is written");
        }
        let (held, all) = (lock.lines, hindsight.seen.lines.len());
        let others = match sides.iter().find(|(_, side)| holds(side)) {
            Some((number, _)) if held == 1 => format!(", as at {number}"),
            _ => format!(": {held} of {all} lines that access {what} in this run do"),
        };
        return format!("hold `{name}` at {} as well{others}", without.join(" and "));
    }
    if second.kind == AccessKind::Free || first.kind == AccessKind::Free {
        return of_free();
    }
    match sides.iter().find(|(_, side)| !side.atomic) {
        Some((number, _)) if first.atomic != second.atomic => format!("make {number} atomic as well"),
        _ => format!("guard {what} with one lock at every access, or make it atomic"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hindsight::Question;
    use tp_ir::FileId;

    /// Locks are named by one letter.
    fn held(name: &str, mode: LockMode) -> HeldLock {
        HeldLock { address: name.as_bytes()[0].into(), name: name.to_owned(), mode }
    }

    fn side(thread: &str, locks: &[(&str, LockMode)], kind: AccessKind, atomic: bool) -> Side {
        let locks = locks.iter().map(|(name, mode)| held(name, *mode)).collect();
        Side { entry: 1, thread_name: thread.to_owned(), locks, kind, atomic }
    }

    fn check(first: &Side, second: &Side, guarding: &[(&str, u64)], expect: [&str; 2]) {
        let mut hindsight = Hindsight::new(Question::Locks);
        for (name, lines) in guarding {
            for _ in 0..*lines {
                let line = hindsight.seen.lines.len() as u32;
                // Twice, for a line that reads and writes is one.
                let line = Some((FileId::from_u32(0), line));
                (0..2).for_each(|_| hindsight.count(line, vec![held(name, Exclusive)]));
            }
        }
        hindsight.count(None, Vec::new());
        let said = [what_is_missing(first, second), of_race(first, second, &hindsight, "`x`")];
        assert_eq!(said, expect);
    }

    use AccessKind::{Free, Read, Write};
    use LockMode::{Exclusive, Shared};

    #[test]
    fn no_lock_at_all() {
        check(
            &side("a", &[], Write, false),
            &side("b", &[], Read, false),
            &[],
            [
                "nothing orders them: neither thread holds a lock, and no join, signal or atomic comes between",
                "guard `x` with one lock at every access, or make it atomic",
            ],
        );
        check(
            &side("a", &[], Write, true),
            &side("b", &[], Read, false),
            &[],
            ["nothing orders them: (1) is atomic, (2) is not", "make (2) atomic as well"],
        );
        check(
            &side("a", &[], Read, false),
            &side("b", &[], Free, false),
            &[],
            [
                "nothing orders them: neither thread holds a lock, and no join, signal or atomic comes between",
                "free it when no other thread can use it any more: after a join, or as the last of its users",
            ],
        );
    }

    #[test]
    fn the_lock_of_the_others() {
        check(
            &side("a", &[("m", Exclusive)], Write, false),
            &side("b", &[], Write, false),
            &[("m", 4)],
            [
                "nothing orders them: thread `a` holds `m`, thread `b` holds no lock",
                "hold `m` at (2) as well: 4 of 5 lines that access `x` in this run do",
            ],
        );
        check(
            &side("a", &[("m", Exclusive)], Write, false),
            &side("b", &[("n", Exclusive)], Write, false),
            &[("m", 1), ("n", 2)],
            [
                "nothing orders them: thread `a` holds `m`, thread `b` holds `n`, and no lock is held by both",
                "hold `n` at (1) as well: 2 of 4 lines that access `x` in this run do",
            ],
        );
        check(
            &side("a", &[("m", Exclusive)], Write, false),
            &side("b", &[("n", Exclusive)], Write, false),
            &[("m", 1), ("n", 1)],
            [
                "nothing orders them: thread `a` holds `m`, thread `b` holds `n`, and no lock is held by both",
                "hold the same lock at both, `m` or `n`",
            ],
        );
        check(
            &side("a", &[], Write, false),
            &side("b", &[("n", Exclusive)], Write, false),
            &[("n", 1)],
            [
                "nothing orders them: thread `a` holds no lock, thread `b` holds `n`",
                "hold `n` at (1) as well, as at (2)",
            ],
        );
    }

    #[test]
    fn a_lock_for_reading() {
        check(
            &side("a", &[("l", Shared)], Write, false),
            &side("b", &[("l", Shared)], Write, false),
            &[("l", 4)],
            [
                "nothing orders them: thread `a` holds `l` for reading, thread `b` holds `l` for reading; a lock for \
                 reading does not keep the other out",
                "take `l` for writing where `x` is written",
            ],
        );
    }
}
