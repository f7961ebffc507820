//! Which words a race gets, by its two accesses and the locks held.

use super::*;
use AccessKind::{Free, Read, Write};
use LockMode::{Exclusive, Shared};
use tp_ir::LockMode;
use tp_machine::NamedObject;

fn lock(name: &str) -> NamedObject {
    NamedObject::Variable { name: name.to_owned(), part: String::new() }
}

/// Locks are named by one letter.
fn address(name: &str) -> u64 {
    name.as_bytes()[0].into()
}

fn access(
    thread: &str,
    locks: &[(&str, LockMode)],
    kind: AccessKind,
    atomic: bool,
) -> (Moment, RacingAccess) {
    let held = |(name, mode): &(&str, LockMode)| HeldLock {
        lock: lock(name),
        address: address(name),
        mode: *mode,
        taken_at: None,
    };
    let at = Moment {
        thread: 1,
        thread_name: thread.to_owned(),
        stack: Vec::new(),
        locks: locks.iter().map(held).collect(),
        started: Vec::new(),
    };
    (at, RacingAccess { kind, len: 4, atomic })
}

/// `usual`: the locks that are held at most of the lines that access `x`, and at how many; one more line holds none.
fn check(
    first: (Moment, RacingAccess),
    second: (Moment, RacingAccess),
    usual: &[(&str, usize)],
    expect: [&str; 2],
) {
    let program = tp_ir::parse("program LP64 entry &main\nfunc &main()\n").expect("it is a program");
    let lines = usual.iter().map(|(_, lines)| lines).sum::<usize>() + 1;
    let guarding =
        |(name, lines): &(&str, usize)| Guarding { lock: lock(name), address: address(name), lines: *lines };
    let unordered = Unordered::Unguarded { usual: usual.iter().map(guarding).collect(), lines };
    let race = DataRace {
        object: RacedObject::Object(lock("x")),
        second: second.1,
        first_writes: first.1.kind != Read,
        first: Some(FirstAccess { at: first.0, access: first.1, unordered }),
    };
    let mut words = Wording { cwe: 0, message: String::new(), labels: vec![], notes: vec![], help: vec![] };
    words.race(Naming { program: &program }, &second.0, &race);
    assert_eq!([words.notes, words.help].concat(), expect);
}

#[test]
fn no_lock_at_all() {
    check(
        access("a", &[], Write, false),
        access("b", &[], Read, false),
        &[],
        [
            "nothing orders them: neither thread holds a lock, and no join, signal or atomic comes between",
            "guard `x` with one lock at every access, or make it atomic",
        ],
    );
    check(
        access("a", &[], Write, true),
        access("b", &[], Read, false),
        &[],
        ["nothing orders them: (1) is atomic, (2) is not", "make (2) atomic as well"],
    );
    check(
        access("a", &[], Read, false),
        access("b", &[], Free, false),
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
        access("a", &[("m", Exclusive)], Write, false),
        access("b", &[], Write, false),
        &[("m", 4)],
        [
            "nothing orders them: thread `a` holds `m`, thread `b` holds no lock",
            "hold `m` at (2) as well: 4 of 5 lines that access `x` in this run do",
        ],
    );
    check(
        access("a", &[("m", Exclusive)], Write, false),
        access("b", &[("n", Exclusive)], Write, false),
        &[("m", 1), ("n", 1)],
        [
            "nothing orders them: thread `a` holds `m`, thread `b` holds `n`, and no lock is held by both",
            "hold the same lock at both, `m` or `n`",
        ],
    );
    check(
        access("a", &[], Write, false),
        access("b", &[("n", Exclusive)], Write, false),
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
        access("a", &[("l", Shared)], Write, false),
        access("b", &[("l", Shared)], Write, false),
        &[("l", 4)],
        [
            "nothing orders them: thread `a` holds `l` for reading, thread `b` holds `l` for reading; a lock for \
             reading does not keep the other out",
            "take `l` for writing where `x` is written",
        ],
    );
}
