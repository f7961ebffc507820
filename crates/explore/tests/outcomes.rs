//! The outcome of an exploration, and that violations happen again.

mod common;

use common::{limits, program};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use threadproof_explore::{Incomplete, Outcome, StateFacts, explore, explore_states};
use tp_ir::{Checks, Property};
use tp_machine::{Config, End, Replay, ReplayInputs};

const VARIABLES: &str = "global @x size 4 align 4 = zero
global @y size 4 align 4 = zero
global @name constant size 2 align 1 = \"i\\00\"
";

fn two(left: &str, right: &str) -> String {
    two_given(left, right, "", "null")
}

/// Two threads that are given the same object of the heap.
fn two_on_heap(left: &str, right: &str) -> String {
    two_given(left, right, "  %2 = heap_alloc i64 align i64 4, 16\n  store i32 0, %2\n", "%2")
}

fn two_given(left: &str, right: &str, before: &str, argument: &str) -> String {
    format!(
        "{VARIABLES}func &main() {{
bb0:
{before}  %0 = thread_start &left, {argument}
  %1 = thread_start &right, {argument}
  return
}}
func &left(%arg.0: ptr) {{
{left}
}}
func &right(%arg.0: ptr) {{
{right}
}}
"
    )
}

fn lock(variable: &str, reg: u32) -> String {
    format!(
        "  atomic_begin
  %{reg} = load i32 {variable}
  %{} = cmp eq i32 %{reg}, 0
  await %{}
  store i32 1, {variable}
  atomic_end\n",
        reg + 1,
        reg + 1
    )
}

/// The outcome in a word; a violation has to happen again on an ordinary machine.
fn outcome(text: &str, checks: Checks) -> String {
    let program = program(text);
    let stop = AtomicBool::new(false);
    let limits = limits(&stop);
    let found = explore(&program, checks, &limits, &mut ());
    assert_eq!(found.redundant, 0);
    match found.outcome {
        Outcome::Holds => "holds".to_owned(),
        Outcome::Unknown(reason) => format!("{reason:?}"),
        Outcome::Violation(trace, finding) => {
            let config = Config {
                checks,
                max_steps: limits.run.max_steps,
                max_memory: limits.run.max_memory,
                max_depth: limits.run.max_depth,
                stop: &stop,
                record_events: false,
                wakers: None,
            };
            let trace = Arc::new(trace);
            let (mut schedule, mut inputs) = (Replay::new(trace.clone()), ReplayInputs::new(trace));
            let run = tp_machine::run(&program, &config, &mut schedule, &mut inputs, &mut |_, _| {});
            let End::Violation(again) = run.end else { panic!("{:?} instead of {finding:?}", run.end) };
            assert_eq!(again, finding);
            finding.property.word().to_owned()
        }
    }
}

#[track_caller]
fn check(text: &str, expect: &str) {
    assert_eq!(outcome(text, Checks::ALL), expect);
}

#[test]
fn a_rare_order_fails() {
    let text = two(
        "bb0:\n  store i32 1, @x seq_cst\n  store i32 2, @x seq_cst\n  return",
        "bb0:
  %1 = load i32 @x seq_cst
  %2 = cmp ne i32 %1, 1
  assert assert %2, @name
  return",
    );
    check(&text, Property::Assert.word());
}

#[test]
fn ordinary_accesses_race_and_sections_do_not() {
    let plain = "bb0:\n  store i32 1, @x\n  return";
    check(&two(plain, plain), Property::Race.word());
    let section = "bb0:\n  atomic_begin\n  store i32 1, @x\n  atomic_end\n  return";
    check(&two(section, section), "holds");
    check(&two(section, plain), Property::Race.word());
}

/// The outcome if only one property is checked, whichever thread is started first.
#[track_caller]
fn check_both(one: &str, other: &str, property: Property, expect: &str) {
    for (left, right) in [(one, other), (other, one)] {
        assert_eq!(
            outcome(&two_on_heap(left, right), Checks::NONE.with(property)),
            expect,
            "{left}\n{right}"
        );
    }
}

#[test]
fn an_access_and_the_end_of_the_object_come_in_both_orders() {
    let accesses = ["store i32 1, %arg.0", "%1 = load i32 %arg.0", "%1 = rmw add i32 %arg.0, 1 seq_cst"];
    let free = "bb0:\n  heap_free %arg.0\n  return";
    for access in accesses {
        // At once, after another step, and in a loop.
        let plain = format!("bb0:\n  {access}\n  return");
        let after = format!("bb0:\n  store i32 1, @x\n  {access}\n  return");
        let repeated = format!("bb0:\n  jump bb1\nbb1:\n  {access}\n  jump bb1");
        for text in [plain, after, repeated] {
            check_both(&text, free, Property::Race, Property::Race.word());
            check_both(&text, free, Property::UseAfterFree, Property::UseAfterFree.word());
        }
    }
}

#[test]
fn two_ends_of_an_object_are_one_too_many() {
    let free = "bb0:\n  heap_free %arg.0\n  return";
    check_both(free, free, Property::DoubleFree, Property::DoubleFree.word());
    check_both(free, free, Property::Race, "Undefined");
}

#[test]
fn weak_atomics_order_nothing() {
    let read = |order: &str| {
        format!(
            "bb0:\n  %1 = load i32 @y {order}\n  %2 = cmp eq i32 %1, 1\n  branch %2, bb1, bb2\nbb1:\n  %3 = load i32 @x\n  jump bb2\nbb2:\n  return"
        )
    };
    let write = |order: &str| format!("bb0:\n  store i32 1, @x\n  store i32 1, @y {order}\n  return");
    check(&two(&write("release"), &read("acquire")), "holds");
    check(&two(&write("relaxed"), &read("relaxed")), Property::Race.word());
}

#[test]
fn locks_in_different_order_deadlock() {
    let both = |a, b| format!("bb0:\n{}{}  return", lock(a, 1), lock(b, 3));
    check(&two(&both("@x", "@y"), &both("@y", "@x")), Property::Deadlock.word());
}

#[test]
fn small_inputs_are_tried_and_large_ones_named() {
    let asks = |ty: &str, value: &str| {
        let ask = format!(
            "bb0:\n  %1 = input {ty} @name\n  %2 = cmp ne {ty} %1, {value}\n  assert assert %2, @name\n  return"
        );
        two(&ask, "bb0:\n  return")
    };
    check(&asks("i8", "77"), Property::Assert.word());
    check(&asks("i32", "1"), Property::Assert.word());
    check(&asks("i32", "77"), "InputValues(\"i\")");
}

#[test]
fn what_was_not_written_is_not_taken_for_a_number() {
    let writes = |ty: &str| {
        let read = format!(
            "bb0:
  %1 = alloca i64 4 align 4
  store {ty} 1, %1
  %2 = load i32 %1
  %3 = cmp ne i32 %2, 257
  assert assert %3, @name
  return"
        );
        two(&read, "bb0:\n  return")
    };
    check(&writes("i32"), "holds");
    check(&writes("i8"), "UnwrittenBits");
}

#[test]
fn an_input_decides_what_a_section_waits_for() {
    let section = "bb0:
  atomic_begin
  %1 = input i1 @name
  branch %1, bb1, bb2
bb1:
  %2 = load i32 @x
  %3 = cmp eq i32 %2, 0
  await %3
  atomic_end
  assert assert 0, @name
  return
bb2:
  atomic_end
  return";
    check(&two("bb0:\n  store i32 1, @x seq_cst\n  return", section), Property::Assert.word());
}

#[test]
fn a_loop_of_several_steps_that_waits_comes_to_an_end() {
    let waits = "bb0:
  jump bb1
bb1:
  %1 = load i32 @x seq_cst
  %2 = cmp eq i32 %1, 0
  branch %2, bb2, bb3
bb2:
  %3 = load i32 @y seq_cst
  %4 = cmp eq i32 %3, 0
  branch %4, bb1, bb3
bb3:
  return";
    check(&two(waits, "bb0:\n  store i32 1, @y seq_cst\n  return"), "holds");
    check(&two(waits, waits), Property::Stuck.word());
}

#[test]
fn an_endless_loop_ends_in_unknown() {
    let counts = "bb0:
  jump bb1
bb1:
  %1 = rmw add i32 @x, 1 seq_cst
  jump bb1";
    check(&two(counts, "bb0:\n  return"), "Ended(TooManySteps)");
}

/// A thread fails an assumption, and main loops for longer than is allowed before it fails: what lies beyond is not known.
#[test]
fn a_failed_assumption_does_not_hide_that_a_limit_was_reached() {
    let text = format!(
        "{VARIABLES}func &main() {{
bb0:
  %0 = thread_start &other, null
  jump bb1(i32 0)
bb1(%1: i32):
  %2 = add i32 %1, 1
  store i32 %2, @x
  %3 = cmp eq i32 %2, 5000
  branch %3, bb2, bb1(%2)
bb2:
  assert assert i1 0, @name
  return
}}
func &other(%arg.0: ptr) {{
bb0:
  assume i1 0
  return
}}
"
    );
    let checks = Checks::NONE.with(Property::Assert);
    assert_eq!(outcome(&text, checks), "Ended(TooManySteps)");
    let (program, stop) = (program(&text), AtomicBool::new(false));
    let states = explore_states(&program, checks, (&limits(&stop), &[]), &StateFacts::default(), &mut ());
    assert_eq!(states.outcome, Outcome::Unknown(Incomplete::Ended(Box::new(End::TooManySteps))));
}
