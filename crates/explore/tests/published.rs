//! The programs by which partial-order reductions are measured have as many traces as was published for them.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use threadproof_explore::{Exploration, ExploreLimits, Outcome, explore};
use tp_ir::{Checks, Property};

fn explored(program: &str, n: u64) -> Exploration {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/corpus/dpor")).join(program);
    let options = tp_frontend::FrontendOptions {
        inputs: vec![path],
        clang_args: vec![format!("-DN={n}")],
        ..Default::default()
    };
    let loaded = tp_frontend::load(&options).unwrap_or_else(|error| panic!("{error}"));
    let stop = AtomicBool::new(false);
    let limits = ExploreLimits {
        run: tp_machine::RunLimits { max_steps: 1 << 20, max_memory: 1 << 28, max_depth: 1000 },
        max_executions: 1 << 30,
        contexts: tp_machine::ContextBound::None,
        inputs_below: None,
        stop: &stop,
    };
    explore(&loaded.program, Checks::NONE.with(Property::Assert), &limits, &mut ())
}

#[track_caller]
fn check(program: &str, n: u64, traces: u64) {
    let found = explored(program, n);
    assert_eq!((found.traces, found.redundant, found.blocked), (traces, 0, 0), "{program}, N = {n}");
    assert_eq!(found.outcome, Outcome::Holds);
}

#[test]
fn readers() {
    for n in [1, 2, 8] {
        check("readers.c", n, 1 << n);
    }
}

#[test]
fn writers() {
    check("writers.c", 3, 6);
    check("writers.c", 5, 120);
    check("writers.c", 6, 720);
}

#[test]
fn last_zero() {
    // Abdulla, Aronis, Jonsson and Sagonas (POPL 2014) give 64 for 5 and 3328 for 10.
    for n in [3, 5, 7] {
        check("last_zero.c", n, (1 << (n - 2)) * (n + 3));
    }
}

#[test]
fn indexer() {
    check("indexer.c", 11, 1);
    check("indexer.c", 12, 8);
    check("indexer.c", 13, 64);
}

#[test]
fn filesystem() {
    check("filesystem.c", 13, 1);
    check("filesystem.c", 14, 2);
    check("filesystem.c", 16, 8);
}

#[test]
fn store_buffering() {
    check("store_buffering.c", 1, 3);
}
