//! The lazy search, with and without its reductions, against every interleaving up to the same number of context switches.

mod common;

use common::all_interchangeable;
use common::random::{KINDS, Shape};
use common::{limits, program, random};
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use threadproof_explore::{
    ContextBound, Exploration, ExploreLimits, Incomplete, LazyOptions, NextClass, Outcome, Solver,
    StateFacts, explore, explore_lazy,
};
use tp_ir::{Checks, Program, Property};
use tp_machine::{PathConstraint, RunLimits, Symbols};

/// The programs here have no large inputs.
struct OneClass;

impl Solver for OneClass {
    fn other(&mut self, _: &mut Symbols, constraints: &[PathConstraint]) -> NextClass {
        match constraints {
            [] => NextClass::None,
            _ => NextClass::Unknown(Incomplete::InputValues("an input".to_owned())),
        }
    }
}

fn lazy(program: &Program, checks: Checks, contexts: ContextBound, reduces: bool) -> Exploration {
    let stop = AtomicBool::new(false);
    let limits = ExploreLimits { contexts, ..limits(&stop) };
    let options = LazyOptions { reduces, draws: false };
    let mut solver = || Box::new(OneClass) as Box<dyn Solver>;
    let known = (&limits, &[][..]);
    explore_lazy(program, checks, known, (&StateFacts::default(), &options), &mut solver, &mut ())
}

fn all_interleavings(program: &Program, checks: Checks, bound: u32) -> Exploration {
    let stop = AtomicBool::new(false);
    let limits = ExploreLimits { contexts: ContextBound::AtMost(bound), ..limits(&stop) };
    explore(program, checks, &limits, &mut ())
}

/// The answer in a word. A violation needs no more switches than the bound; but threads that wait in loops are left to do so
/// for a while, to see that it is for ever.
fn word(explored: &Exploration, bound: u32) -> &'static str {
    match &explored.outcome {
        Outcome::Holds => "holds",
        Outcome::Violation(_, finding) if finding.property == Property::Stuck => "stuck",
        // Failing attempts at the end count as steps of the trace, and are no switches.
        Outcome::Violation(_, finding) if finding.property == Property::Deadlock => "deadlock",
        Outcome::Violation(trace, _) => {
            let switches = trace.context_switches();
            assert!(switches <= bound as usize, "{switches} switches, the bound is {bound}");
            "violated"
        }
        Outcome::Unknown(_) => "unknown",
    }
}

/// What fails within the bound is found. Where threads wait for ever, more may be found: what they do is followed beyond it.
fn agree(said: &str, expected: &str) -> bool {
    match (said, expected) {
        ("unknown", _) | (_, "unknown" | "stuck") => true,
        ("holds", _) => expected == "holds",
        ("violated", _) => expected != "holds",
        _ => true,
    }
}

/// Compares the answers for these bounds, and which of them are answers about all executions.
fn compare(shape: &Shape, seeds: std::ops::Range<u64>, checks: Checks) {
    let (mut violated, mut held, mut at_once) = (0, 0, 0);
    for seed in seeds {
        let text = random::program(seed, shape);
        let program = program(&text);
        for bound in 0..4 {
            let all = all_interleavings(&program, checks, bound);
            let expected = word(&all, bound);
            for reduces in [true, false] {
                let found = lazy(&program, checks, ContextBound::AtMost(bound), reduces);
                let said = word(&found, bound);
                assert!(
                    agree(said, expected),
                    "seed {seed}, bound {bound}, reduces {reduces}: {said}, expected {expected}\n{text}"
                );
                let claims_all = found.outcome == Outcome::Holds && found.is_exhausted();
                at_once += u32::from(claims_all && !all.is_exhausted());
            }
            violated += u32::from(["violated", "deadlock"].contains(&expected));
            held += u32::from(expected == "holds");
        }
    }
    println!("{violated} violated, {held} hold; {at_once} proved beyond the bound");
    assert!(violated > 0 && held > 0, "{violated} violated, {held} hold");
}

fn shape(threads: usize, ops: usize, variables: usize, kinds: &[u32]) -> Shape {
    Shape { threads, ops, variables, kinds: kinds.to_vec() }
}

fn waiting() -> Checks {
    Checks::NONE.with(Property::Assert).with(Property::Deadlock).with(Property::Stuck)
}

#[test]
fn all_kinds_of_steps() {
    let kinds: Vec<u32> = (0..KINDS).collect();
    compare(&shape(3, 3, 2, &kinds), 0..200, waiting().with(Property::Race));
    compare(&shape(4, 2, 2, &kinds), 0..150, waiting());
}

/// A program in tests/corpus.
fn load(file: &str, clang: &[&str]) -> Program {
    load_from(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus").join(file), clang)
}

fn load_from(path: &Path, clang: &[&str]) -> Program {
    let options = tp_frontend::FrontendOptions {
        inputs: vec![path.to_owned()],
        clang_args: clang.iter().map(|word| (*word).to_owned()).collect(),
        ..tp_frontend::FrontendOptions::default()
    };
    tp_frontend::load(&options).unwrap_or_else(|error| panic!("{error}")).program
}

/// Threads that hold mutexes, and others that do not: what is seen in the middle of a section is seen within the same bound.
#[test]
fn sections_are_interrupted() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut compared = 0;
    for folder in ["sections", "movers", "symmetric"] {
        let files = std::fs::read_dir(tests.join(folder)).expect("the folder is there");
        let mut files: Vec<_> = files.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.sort();
        for (file, flag) in files.iter().flat_map(|file| [(file, "-DRIGHT"), (file, "-DBUG")]) {
            let program = load_from(file, &[flag]);
            let races = Checks::NONE.with(Property::Race);
            for (checks, bound) in [waiting(), races].into_iter().flat_map(|c| (0..3).map(move |b| (c, b))) {
                let stop = AtomicBool::new(false);
                let run = RunLimits { max_steps: 1_500, ..RunLimits::default() };
                let contexts = ContextBound::AtMost(bound);
                let limits = ExploreLimits { contexts, run, max_executions: 1_000, ..limits(&stop) };
                let expected = word(&explore(&program, checks, &limits, &mut ()), bound);
                let options = LazyOptions { reduces: true, draws: false };
                let mut solver = || Box::new(OneClass) as Box<dyn Solver>;
                let interchangeable = all_interchangeable(&program);
                for interchangeable in [HashMap::new(), interchangeable] {
                    let facts = StateFacts { interchangeable, ..StateFacts::default() };
                    let facts = (&facts, &options);
                    let found = explore_lazy(&program, checks, (&limits, &[]), facts, &mut solver, &mut ());
                    let said = word(&found, bound);
                    let is_open = [said, expected].iter().any(|word| ["unknown", "stuck"].contains(word));
                    assert!(
                        said == expected || is_open,
                        "{file:?} {flag}, bound {bound}: {said}, {expected}"
                    );
                    compared += u32::from(!is_open);
                }
            }
        }
    }
    println!("{compared} answers compared");
    assert!(compared > 100, "{compared}");
}

/// The fewest switches are those of the table in tests/corpus/contexts/README.md.
#[test]
fn the_fewest_switches_of_the_families() {
    let checks = Checks::NONE.with(Property::Assert).with(Property::ReachError);
    let check = |file: &str, clang: &[&str], fewest: u32| {
        let program = load(&format!("contexts/{file}"), clang);
        let stop = AtomicBool::new(false);
        let run = RunLimits::default();
        let limits = ExploreLimits { run, contexts: ContextBound::Auto, ..limits(&stop) };
        let options = LazyOptions { reduces: true, draws: false };
        let mut solver = || Box::new(OneClass) as Box<dyn Solver>;
        let facts = StateFacts { is_race_free: true, ..StateFacts::default() };
        let found = explore_lazy(&program, checks, (&limits, &[]), (&facts, &options), &mut solver, &mut ());
        let Outcome::Violation(trace, _) = &found.outcome else { panic!("{file}: {:?}", found.outcome) };
        assert_eq!((found.bound, trace.context_switches()), (Some(fewest), fewest as usize), "{file}");
    };
    check("increments.c", &[], 5);
    check("reorder.c", &["-DSETTERS=9"], 2);
    check("twostage.c", &["-DWRITERS=5"], 2);
    check("wronglock.c", &["-DWRONG=3"], 3);
    check("stack.c", &["-DN=10", "-DMISTAKE"], 1);
}

#[test]
fn without_reductions_every_interleaving_counts() {
    let checks = Checks::NONE.with(Property::Assert);
    let program = load("contexts/micro.c", &["-DROUNDS=1"]);
    let reduced = lazy(&program, checks, ContextBound::None, true);
    let all = lazy(&program, checks, ContextBound::None, false);
    assert_eq!((&reduced.outcome, &all.outcome), (&Outcome::Holds, &Outcome::Holds));
    assert!(reduced.interleavings < all.interleavings, "{} {}", reduced.interleavings, all.interleavings);
}

/// Without clocks such a race is not seen, with the reductions or without: that is no proof.
#[test]
fn races_that_need_clocks_are_not_called_absent() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refused/failed_try.c");
    let races = Checks::NONE.with(Property::Race);
    for reduces in [true, false] {
        let found = lazy(&load_from(&file, &[]), races, ContextBound::AtMost(2), reduces);
        assert_ne!(found.outcome, Outcome::Holds, "reduces {reduces}");
    }
}
