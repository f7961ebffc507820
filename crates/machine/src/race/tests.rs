//! Accesses one after the other, and which of them races.

use super::*;

/// Runs accesses `(thread, kind, order, offset)` in this order on one object; the index of the first that races.
fn first_race(threads: usize, accesses: &[(usize, AccessKind, MemoryOrder, u64)]) -> Option<usize> {
    let mut shadow = Shadow::default();
    let mut clocks = vec![Clocks::default(); threads];
    for (i, &(t, kind, order, offset)) in accesses.iter().enumerate() {
        let step = i as u64 + 1;
        clocks[t].now.set(t, step);
        let access = Access::new(offset, 4, kind, order);
        if shadow.access(&access, 16, t, step, &mut clocks[t]).is_err() {
            return Some(i);
        }
    }
    None
}

use AccessKind::{Read, ReadWrite, Write};
use MemoryOrder::{Acquire, Plain, Relaxed, Release};

#[test]
fn accesses_of_different_sizes_meet() {
    let mut shadow = Shadow::default();
    let mut clocks = vec![Clocks::default(); 2];
    let mut go = |t: usize, step, offset, len, kind| {
        clocks[t].now.set(t, step);
        shadow.access(&Access::new(offset, len, kind, Plain), 1003, t, step, &mut clocks[t]).is_ok()
    };
    assert!(go(0, 1, 8, 8, Write));
    assert!(go(1, 2, 16, 4, Write));
    assert!(!go(1, 3, 11, 1, Read), "one byte of the eight");
    assert!(go(1, 4, 1002, 1, Write));
    assert!(!go(0, 5, 1000, 3, Read), "across the written byte at the end");
    assert!(go(0, 6, 20, 980, Read));
}

#[test]
fn unordered_writes_race() {
    assert_eq!(first_race(2, &[(0, Write, Plain, 0), (1, Write, Plain, 0)]), Some(1));
    assert_eq!(first_race(2, &[(0, Write, Plain, 0), (1, Write, Plain, 4)]), None);
    assert_eq!(first_race(2, &[(0, Read, Plain, 0), (1, Read, Plain, 0)]), None);
}

#[test]
fn two_readers_are_both_remembered() {
    assert_eq!(
        first_race(
            3,
            &[
                (0, Read, Plain, 0),
                (1, Read, Plain, 0),
                (1, Write, Release, 8),
                (2, Read, Acquire, 8),
                (2, Write, Plain, 0)
            ]
        ),
        Some(4)
    );
}

#[test]
fn release_and_acquire_order() {
    let publish =
        |w, r| first_race(2, &[(0, Write, Plain, 0), (0, Write, w, 8), (1, Read, r, 8), (1, Read, Plain, 0)]);
    assert_eq!(publish(Release, Acquire), None);
    assert_eq!(publish(Relaxed, Acquire), Some(3));
    assert_eq!(publish(Release, Relaxed), Some(3));
}

#[test]
fn a_read_modify_write_continues_the_release_sequence() {
    let through = |kind| {
        first_race(
            3,
            &[
                (0, Write, Plain, 0),
                (0, Write, Release, 8),
                (1, kind, Relaxed, 8),
                (2, Read, Acquire, 8),
                (2, Read, Plain, 0),
            ],
        )
    };
    assert_eq!(through(ReadWrite), None);
    assert_eq!(through(Write), Some(4));
}

#[test]
fn the_same_thread_continues_its_release_sequence() {
    let second = |thread| {
        let accesses = [
            (0, Write, Plain, 0),
            (0, Write, Release, 8),
            (thread, Write, Relaxed, 8),
            (2, Read, Acquire, 8),
            (2, Read, Plain, 0),
        ];
        first_race(3, &accesses)
    };
    assert_eq!(second(0), None);
    assert_eq!(second(1), Some(4));
}

#[test]
fn a_store_ends_the_release_sequences_of_other_threads() {
    let last_store_by = |thread| {
        let accesses = [
            (0, Write, Release, 8),
            (1, Write, Plain, 0),
            (1, ReadWrite, Release, 8),
            (thread, Write, Relaxed, 8),
            (2, Read, Acquire, 8),
            (2, Read, Plain, 0),
        ];
        first_race(3, &accesses)
    };
    assert_eq!(last_store_by(1), None, "its own continues");
    assert_eq!(last_store_by(0), Some(5), "the sequence of thread 0 continues, that of thread 1 ends");
}

#[test]
fn a_thread_in_the_place_of_another_does_not_continue_its_release_sequence() {
    let last_race = |since| {
        let (mut shadow, mut clocks) = (Shadow::default(), vec![Clocks::default(); 2]);
        let accesses = [
            (0, Write, Plain, 0),
            (0, Write, Release, 8),
            (0, Write, Relaxed, 8),
            (1, Read, Acquire, 8),
            (1, Read, Plain, 0),
        ];
        let mut races = false;
        for (step, &(t, kind, order, offset)) in (1..).zip(&accesses) {
            if step == 3 {
                clocks[0].since = since;
            }
            clocks[t].now.set(t, step);
            let access = Access::new(offset, 4, kind, order);
            races = shadow.access(&access, 16, t, step, &mut clocks[t]).is_err();
        }
        races
    };
    assert!(!last_race(0), "the same thread");
    assert!(last_race(2), "one that was started after step 2");
}

/// Acquiring from a thread orders its plain accesses to the same memory before the access; fuzz 819577.
#[test]
fn an_access_happens_after_what_it_acquires() {
    let meet = |first, kind, order| {
        first_race(2, &[(0, first, Plain, 0), (0, ReadWrite, Release, 0), (1, kind, order, 0)])
    };
    for first in [Read, Write] {
        assert_eq!(meet(first, ReadWrite, Acquire), None);
        assert_eq!(meet(first, ReadWrite, Relaxed), Some(2));
        assert_eq!(meet(first, Write, Release), Some(2));
    }
    assert_eq!(meet(Write, Read, Acquire), None);
    assert_eq!(meet(Write, Read, Relaxed), Some(2));
}

#[test]
fn atomic_and_plain_access_race() {
    assert_eq!(first_race(2, &[(0, Write, Relaxed, 0), (1, Read, Plain, 0)]), Some(1));
    assert_eq!(first_race(2, &[(0, Read, Relaxed, 0), (1, Write, Plain, 0)]), Some(1));
    assert_eq!(first_race(2, &[(0, Read, Relaxed, 0), (1, Read, Plain, 0)]), None);
}
