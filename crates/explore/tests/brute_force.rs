//! Exploration finds the traces that trying every interleaving finds, each once.

mod common;

use common::random::{HEAP, KINDS, Shape};
use common::{brute, explore_all, program, random};
use threadproof_explore::{Incomplete, Outcome};
use tp_ir::{Checks, Property};

/// Compares the programs of a shape with these seeds; those with too many interleavings are left out.
fn compare(shape: &Shape, seeds: std::ops::Range<u64>, most: usize) {
    let (mut compared, mut traces, mut blocked) = (0, 0, 0);
    for seed in seeds.clone() {
        let text = random::program(seed, shape);
        let p = program(&text);
        let Some(expected) = brute::traces(&p, most) else { continue };
        // Without the check of assertions every step may end the program, so every step is explored as a varying one.
        let checks = if seed % 4 == 3 { Checks::NONE } else { Checks::NONE.with(Property::Assert) };
        let (found, forms, twice) = explore_all(&p, checks);
        let missing: Vec<&String> = expected.difference(&forms).collect();
        let wrong: Vec<&String> = forms.difference(&expected).collect();
        assert!(
            missing.is_empty(),
            "seed {seed}: {} of {} missing {missing:#?}\n{found:?}\n{text}",
            missing.len(),
            expected.len()
        );
        assert!(wrong.is_empty(), "seed {seed}: no such trace {wrong:#?}\n{text}");
        assert!(twice.is_empty(), "seed {seed}: explored twice {twice:#?}\n{text}");
        assert_eq!(found.redundant, 0, "seed {seed}\n{text}");
        assert_eq!(found.traces, expected.len() as u64, "seed {seed}\n{text}");
        match &found.outcome {
            Outcome::Holds => {}
            Outcome::Unknown(Incomplete::Undefined) if shape.kinds.contains(&HEAP.start) => {}
            other => panic!("seed {seed}: {other:?}\n{text}"),
        }
        compared += 1;
        traces += found.traces;
        blocked += found.blocked;
    }
    println!("{compared} of {} programs compared, {traces} traces, {blocked} of them blocked", seeds.count());
    assert!(compared > 0);
}

fn shape(threads: usize, ops: usize, variables: usize, kinds: &[u32]) -> Shape {
    Shape { threads, ops, variables, kinds: kinds.to_vec() }
}

#[test]
fn reads_and_writes() {
    compare(&shape(3, 3, 2, &[0, 1, 2, 3]), 0..300, 60_000);
}

#[test]
fn branches_and_compare_exchange() {
    compare(&shape(3, 3, 2, &[0, 2, 4, 5]), 0..300, 60_000);
}

#[test]
fn awaits() {
    compare(&shape(3, 3, 3, &[0, 1, 6, 7, 8]), 0..500, 60_000);
}

#[test]
fn sections_that_vary() {
    compare(&shape(3, 3, 3, &[0, 1, 9]), 0..500, 60_000);
}

#[test]
fn locks_and_loops_that_wait() {
    compare(&shape(3, 2, 2, &[0, 1, 10, 11]), 0..300, 60_000);
}

#[test]
fn inputs() {
    compare(&shape(3, 2, 2, &[0, 2, 6, 12]), 0..200, 60_000);
}

#[test]
fn inputs_that_decide_what_is_touched() {
    compare(&shape(3, 2, 2, &[0, 2, 6, 13]), 0..300, 60_000);
    // Two plans in which the same step has different inputs, one of them an input that had not been tried yet.
    let first: Vec<u32> = (0..13).collect();
    compare(&shape(4, 2, 2, &first), 22_635..22_636, 300_000);
}

#[test]
fn objects_that_end() {
    compare(&shape(3, 3, 1, &[0, 2, 6, 14, 15, 16]), 0..500, 60_000);
    compare(&shape(4, 2, 2, &[0, 5, 11, 14, 15, 16]), 0..500, 60_000);
}

#[test]
fn everything() {
    let all: Vec<u32> = (0..KINDS).collect();
    compare(&shape(3, 3, 3, &all), 0..500, 60_000);
    compare(&shape(4, 2, 3, &all), 0..500, 60_000);
}

/// Larger programs: a few, or as many as `SEEDS` says.
#[test]
fn larger_programs() {
    let seeds = std::env::var("SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(20);
    let all: Vec<u32> = (0..KINDS).collect();
    compare(&shape(3, 4, 3, &all), 10_000..10_000 + seeds, 300_000);
    compare(&shape(4, 2, 2, &all), 20_000..20_000 + seeds, 300_000);
    compare(&shape(3, 4, 2, &[0, 1, 3, 6, 7, 8, 9]), 30_000..30_000 + seeds, 300_000);
    compare(&shape(3, 4, 2, &[0, 1, 5, 9, 11, 13, 14, 15, 16]), 40_000..40_000 + seeds, 300_000);
}
