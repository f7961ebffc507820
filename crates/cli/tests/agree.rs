//! `check` says the same about random programs as running them in every way does. `cargo xtask fuzz` tries many more.

mod common;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use tp_fuzz::judge::{Limits, METHODS, judge, with_claim};
use tp_fuzz::oracle::Truth;
use tp_fuzz::{generate, tree};

const PROGRAMS: u64 = 60;

#[test]
fn check_agrees_with_running_in_every_way() {
    let next = AtomicU64::new(0);
    let complaints = Mutex::new(Vec::new());
    let decided = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for worker in 0..2 {
            let folder = common::scratch(&format!("agree-{worker}"));
            let (next, complaints, decided) = (&next, &complaints, &decided);
            scope.spawn(move || {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= PROGRAMS {
                        return;
                    }
                    let program = generate::program(seed);
                    let limits = Limits { traces: 2_000, bound: 3, ..Limits::default() };
                    let program = with_claim(program, seed, &folder, limits).expect("it compiles");
                    let judged = judge(&program, &folder, &METHODS, limits).expect("it compiles");
                    if !matches!(judged.truth, Truth::Unknown(_)) {
                        decided.fetch_add(1, Ordering::Relaxed);
                    }
                    for (method, said) in judged.wrong() {
                        let source = tree::print(&program);
                        let complaint =
                            format!("seed {seed}: {:?}; {method:?} says {said}\n{source}", judged.truth);
                        complaints.lock().expect("no judge panics").push(complaint);
                    }
                }
            });
        }
    });
    let complaints = complaints.into_inner().expect("no judge panics");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    // Otherwise nothing is tested.
    let decided = decided.into_inner();
    assert!(decided >= PROGRAMS / 2, "the oracle decided {decided} of {PROGRAMS} only");
}
