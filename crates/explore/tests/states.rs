//! Visiting states and exploring executions give the same answers.

mod common;

use common::random::{KINDS, Shape};
use common::{all_interchangeable, limits, program, random};
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use threadproof_explore::{
    Exploration, ExploreLimits, Incomplete, Outcome, StateFacts, explore, explore_states,
};
use tp_ir::{Checks, Program, Property};
use tp_machine::RunLimits;

/// The answer in a word, and how many states were visited or traces explored.
fn answers(program: &Program, checks: Checks) -> [(String, u64); 2] {
    let stop = AtomicBool::new(false);
    let limits = limits(&stop);
    let words = |outcome: &Outcome| match outcome {
        Outcome::Holds => "holds".to_owned(),
        Outcome::Violation(_, finding) => format!("{:?}", finding.property),
        Outcome::Unknown(_) => "unknown".to_owned(),
    };
    let traces = explore(program, checks, &limits, &mut ());
    let states = explore_states(program, checks, (&limits, &[]), &StateFacts::default(), &mut ());
    [(words(&traces.outcome), traces.traces), (words(&states.outcome), states.states)]
}

/// The program with another last thread: one that looks at two variables at some moment. The answer is whether they can
/// have these values.
fn with_observer(text: &str, threads: usize, (a, b): (u64, u64)) -> String {
    let last = format!("func &t{}(", threads - 1);
    let before = text.split(&last).next().unwrap_or_default();
    format!(
        "{before}{last}%arg.0: ptr) {{
bb0:
  atomic_begin
  %1 = load i32 @a
  %2 = load i32 @b
  atomic_end
  %3 = cmp ne i32 %1, {a}
  %4 = cmp ne i32 %2, {b}
  %5 = or i1 %3, %4
  assert assert %5, @name
  return
}}
"
    )
}

/// Compares all values of two variables, for the programs of a shape with these seeds.
fn compare(shape: &Shape, seeds: std::ops::Range<u64>) {
    let checks = Checks::NONE.with(Property::Assert).with(Property::Deadlock).with(Property::Stuck);
    let (mut same, mut fewer) = (0, 0);
    for seed in seeds.clone() {
        let text = with_observer(&random::program(seed, shape), shape.threads, (seed % 3, seed / 3 % 3));
        let [(traces, count), (states, visited)] = answers(&program(&text), checks);
        // Which violation of several is found first may differ.
        let violated = |word: &str| !["holds", "unknown"].contains(&word);
        assert!(
            traces == states || violated(&traces) && violated(&states) || traces == "unknown",
            "seed {seed}: {traces} ({count} traces), {states} ({visited} states)\n{text}"
        );
        same += u64::from(traces == states);
        fewer += u64::from(visited < count);
    }
    println!("{same} of {} the same; {fewer} with fewer states than traces", seeds.count());
    assert!(same > 0);
}

fn shape(threads: usize, ops: usize, variables: usize, kinds: &[u32]) -> Shape {
    Shape { threads, ops, variables, kinds: kinds.to_vec() }
}

#[test]
fn reads_and_writes() {
    compare(&shape(4, 3, 2, &[0, 1, 2, 3]), 0..300);
}

#[test]
fn branches_and_compare_exchange() {
    compare(&shape(4, 3, 2, &[0, 2, 4, 5]), 0..300);
}

#[test]
fn everything() {
    let kinds: Vec<u32> = (0..KINDS).collect();
    compare(&shape(4, 4, 2, &kinds), 0..600);
    compare(&shape(5, 2, 3, &kinds), 0..300);
}

/// A program in this folder.
fn load(file: &str, clang: &[&str]) -> Program {
    let options = tp_frontend::FrontendOptions {
        inputs: vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file)],
        clang_args: clang.iter().map(|word| (*word).to_owned()).collect(),
        ..tp_frontend::FrontendOptions::default()
    };
    tp_frontend::load(&options).unwrap_or_else(|error| panic!("{error}")).program
}

/// Explores the states of a program in this folder.
fn states_of(file: &str, checks: Checks) -> Exploration {
    let stop = AtomicBool::new(false);
    let program = load(file, &[]);
    let limits = ExploreLimits { run: RunLimits::default(), ..limits(&stop) };
    explore_states(&program, checks, (&limits, &[]), &StateFacts::default(), &mut ())
}

/// Where interchangeable threads have exchanged their parts, states count as one: they are fewer, and the answer is the same.
/// The number of states with and without that, of the program that is right.
fn merged(file: &str, property: Property) -> [u64; 2] {
    let stop = AtomicBool::new(false);
    let answer = |program: &Program, facts: &StateFacts| {
        let checks = Checks::ALL.without(Property::Uninitialised);
        let limits = ExploreLimits { run: RunLimits::default(), ..limits(&stop) };
        let found = explore_states(program, checks, (&limits, &[]), facts, &mut ());
        (found.outcome, found.states)
    };
    let both = |clang: &[&str]| {
        let program = load(file, clang);
        let interchangeable = all_interchangeable(&program);
        assert!(!interchangeable.is_empty(), "{file}");
        let facts = StateFacts { interchangeable, ..StateFacts::default() };
        [answer(&program, &facts), answer(&program, &StateFacts::default())]
    };
    for (outcome, _) in both(&["-DBUG"]) {
        let Outcome::Violation(_, finding) = outcome else { panic!("{file}: {outcome:?}") };
        assert_eq!(finding.property, property, "{file}");
    }
    both(&[]).map(|(outcome, states)| {
        assert_eq!(outcome, Outcome::Holds, "{file}");
        states
    })
}

#[test]
fn interchangeable_threads_exchange_their_parts() {
    let check = |file: &str, property: Property, most: u64| {
        let [merged, all] = merged(file, property);
        assert!(merged <= most && merged < all, "{file}: {merged} states, without merging {all}");
    };
    check("symmetric/pool.c", Property::Deadlock, 1400);
    check("symmetric/roles.c", Property::Assert, 100);
    check("symmetric/own_locks.c", Property::Assert, 250);
    check("symmetric/stack_queue.c", Property::UseAfterFree, 600);
    check("symmetric/readers.c", Property::Assert, 120);
    check("symmetric/two_sets.c", Property::Deadlock, 6000);
}

/// States must not be merged where something else tells threads apart.
#[test]
fn numbers_of_threads_are_seen() {
    merged("symmetric/copied_lock.c", Property::Lock);
    merged("symmetric/other_objects.c", Property::Lock);
    merged("symmetric/freed_lock.c", Property::UseAfterFree);
}

/// Programs whose executions are endless, or too many, and whose states are few.
#[test]
fn states_are_few() {
    let check = |file: &str, most: u64| {
        let found = states_of(file, Checks::ALL.without(Property::Uninitialised));
        assert_eq!(found.outcome, Outcome::Holds, "{file}");
        assert!(found.states <= most, "{file}: {} states", found.states);
    };
    check("polling/mutex.c", 20);
    check("polling/workers.c", 400);
    check("polling/turns_in_local.c", 60);
}

/// Going back copies only parts of large objects; a step that leaves them as they were is still known as one.
#[test]
fn large_objects_are_restored() {
    let stop = AtomicBool::new(false);
    for file in ["large/local_ends.c", "large/block_ends.c", "large/scratch.c"] {
        let checks = Checks::ALL.without(Property::Uninitialised);
        let limits = ExploreLimits { run: RunLimits::default(), ..limits(&stop) };
        let found = explore(&load(file, &[]), checks, &limits, &mut ());
        assert_eq!(found.outcome, Outcome::Holds, "{file}");
        assert_eq!(found.traces, 1, "{file}");
        assert_eq!(states_of(file, checks).outcome, Outcome::Holds, "{file}");
    }
}

/// Threads have to be interrupted where only locks seem to tell that they need not be.
#[test]
fn conflicts_beyond_locks() {
    let check = |file: &str, property: Property| {
        let found = states_of(file, Checks::NONE.with(property));
        let Outcome::Violation(_, finding) = found.outcome else { panic!("{file}: {:?}", found.outcome) };
        assert_eq!(finding.property, property, "{file}");
    };
    check("movers/under_two_locks.c", Property::Race);
    check("movers/overwritten.c", Property::Assert);
    check("movers/freed_under_another.c", Property::UseAfterFree);
    check("movers/polls_reading.c", Property::Stuck);
    check("movers/polls_with_local.c", Property::Stuck);
}

/// `roles`: exchanging the parts of threads that are alike changes which of them main joins.
#[test]
fn main_waits_while_others_go_on() {
    let outcome = |file: &str, are_alike: bool| {
        let (stop, checks) = (AtomicBool::new(false), Checks::NONE.with(Property::Deadlock));
        let program = load(&format!("main_waits/{file}.c"), &[]);
        let interchangeable = if are_alike { all_interchangeable(&program) } else { HashMap::new() };
        let facts = StateFacts { interchangeable, ..StateFacts::default() };
        explore_states(&program, checks, (&limits(&stop), &[]), &facts, &mut ()).outcome
    };
    for (file, are_alike) in
        [("condition", false), ("lock", false), ("alike", false), ("roles", false), ("roles", true)]
    {
        let found = outcome(file, are_alike);
        let Outcome::Violation(_, finding) = found else { panic!("{file}: {found:?}") };
        assert_eq!(finding.property, Property::Deadlock, "{file}");
    }
    for file in ["signalled", "serves"] {
        assert_eq!(outcome(file, false), Outcome::Holds, "{file}");
    }
}

#[test]
fn an_exit_inside_a_transaction_is_not_tried() {
    let found = states_of("movers/early_exit.c", Checks::NONE.with(Property::Cleanup));
    assert_eq!(found.outcome, Outcome::Unknown(Incomplete::EarlierExit));
}
