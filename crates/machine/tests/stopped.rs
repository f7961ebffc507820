//! Threads that stop for ever: at an assumption, or at something undefined that is not checked.

mod common;

use common::{check, ends_with};
use threadproof_machine::Checks;
use tp_ir::Property;

/// Main starts two threads and exits without waiting.
fn left_and_right(left: &str, right: &str) -> String {
    format!(
        "global @x size 4 align 4 = zero
global @y size 4 align 4 = zero
func &main() {{
bb0:
  %0 = thread_start &left, null
  %1 = thread_start &right, null
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

const Y_IS_0: &str = "bb0:
  %1 = load i32 @y relaxed
  %2 = cmp eq i32 %1, 0
  assert assert %2, null
  return";

#[test]
fn a_failed_assumption_stops_only_its_thread() {
    let left = "bb0:
  store i32 1, @y relaxed
  assume i1 0
  return";
    check(&left_and_right(left, Y_IS_0), &["assert", "assumption"]);
    // What fails after the assumption is not found.
    let left = "bb0:
  store i32 0, @y relaxed
  assume i1 0
  store i32 1, @y relaxed
  return";
    check(&left_and_right(left, Y_IS_0), &["assumption"]);
    // A thread that stops before its first step, and a first thread that stops after it has started another.
    check(&left_and_right("bb0:\n  assume i1 0\n  return", Y_IS_0), &["assumption"]);
    let text = left_and_right("bb0:\n  return", "bb0:\n  assert assert i1 0, null\n  return");
    let text = text.replace("null\n  return\n}\nfunc &left", "null\n  assume i1 0\n  return\n}\nfunc &left");
    check(&text, &["assert"]);
}

#[test]
fn something_undefined_that_is_not_checked_stops_only_its_thread() {
    let checks = Checks::ALL.without(Property::InvalidDeref).without(Property::InvalidFree);
    let left = |what: &str| {
        format!(
            "bb0:
  store i32 1, @y relaxed
  {what}
  store i32 2, @y relaxed
  return"
        )
    };
    let null = "undefined: invalid-deref";
    let stops = |left: &str, right: &str| ends_with(&left_and_right(left, right), checks);
    assert_eq!(stops(&left("store i32 5, null"), Y_IS_0), ["assert", null]);
    // In the middle of a step, of which nothing remains.
    let step = "atomic_begin\n  store i32 3, @y\n  store i32 5, null\n  atomic_end";
    let y_is_not_3 = Y_IS_0.replace("eq i32 %1, 0", "ne i32 %1, 3");
    assert_eq!(stops(&left(step), &y_is_not_3), [null]);
    // In a step of one instruction.
    assert_eq!(stops(&left("heap_free @x"), &y_is_not_3), ["undefined: invalid-free"]);
    // An input decides, in a step that is not taken: its value stays in the trace.
    let step = "atomic_begin\n  %1 = input i1 null\n  branch %1, bb1, bb2\nbb1:\n  store i32 5, null\n  jump bb2\nbb2:\n  atomic_end";
    let input = "bb0:\n  %1 = input i8 null\n  assume i1 1\n  return";
    assert_eq!(stops(&left(step), input), ["exit 0", null]);
    // Undefined behaviour takes precedence over a failed assumption.
    assert_eq!(stops(&left("assume i1 0"), &left("store i32 5, null")), [null]);
    // Alone, it ends the run.
    let alone = "func &main() {\nbb0:\n  store i32 5, null\n  return\n}\n";
    assert_eq!(ends_with(alone, checks), [null]);
}

#[test]
fn nobody_is_in_a_deadlock_with_a_thread_that_stopped() {
    let left = "bb0:
  atomic_begin
  store i32 1, @x
  atomic_end
  assume i1 0
  return";
    let right = "bb0:
  atomic_begin
  %1 = load i32 @x
  %2 = cmp eq i32 %1, 0
  waiting mutex @x, 1
  await %2
  atomic_end
  return";
    check(&left_and_right(left, right), &["assumption"]);
    // Threads that only wait for each other still are, and their trace does not name the one that stopped.
    let waits = |owner: u32| {
        format!(
            "bb0:
  atomic_begin
  waiting mutex @y, {owner}
  await i1 0
  atomic_end
  return"
        )
    };
    let text = left_and_right(&waits(2), &waits(1))
        .replace("null\n  return\n}\nfunc &left", "null\n  assume i1 0\n  return\n}\nfunc &left");
    check(&text, &["deadlock"]);
}
