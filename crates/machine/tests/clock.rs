//! Sleeping threads under random schedules: the order of deadlines is kept in most runs, and no order is impossible.

mod common;

use common::{program, run_with};
use threadproof_machine::{End, Pct, RandomSchedule, RoundRobin, Schedule};

/// Main sleeps until second `main`, while a thread sleeps for `other` seconds and then makes the exit status 1. The flag
/// ends main's sleep early if `is_signalled`.
fn sleepers(main: u32, other: u32, is_signalled: bool) -> String {
    let done = if is_signalled { "%1" } else { "i1 0" };
    format!(
        "global @flag size 4 align 4 = zero
func &main() {{
bb0:
  %3 = thread_start &other, null
  atomic_begin
  %0 = load i32 @flag
  %1 = cmp ne i32 %0, 0
  rest until {done}, i64 {main}, i64 0
  %2 = load i32 @flag
  atomic_end
  exit %2
  unreachable
}}
func &other(%0: ptr) {{
bb0:
  atomic_begin
  rest i1 0, i64 {other}, i64 0
  store i32 1, @flag
  atomic_end
  return
}}
"
    )
}

/// In how many of 400 runs the other thread was first.
fn is_first(text: &str) -> usize {
    let program = program(text);
    let mut count = 0;
    for seed in 0..200 {
        let schedules: [Box<dyn Schedule>; 2] =
            [Box::new(RandomSchedule::new(seed)), Box::new(Pct::new(seed, 3, 10))];
        for mut schedule in schedules {
            count += usize::from(run_with(&program, &mut *schedule, seed).end == End::Exited { status: 1 });
        }
    }
    count
}

#[test]
fn the_first_deadline_is_first_in_most_runs() {
    let other_first = is_first(&sleepers(5, 1, false));
    assert!((280..400).contains(&other_first), "{other_first}");
    let main_first = is_first(&sleepers(1, 5, false));
    assert!((1..120).contains(&main_first), "{main_first}");
    let never = is_first(&sleepers(0, 5, false));
    assert!(never < 120, "a deadline that is past: {never}");
}

#[test]
fn what_is_waited_for_ends_a_rest() {
    let other_first = is_first(&sleepers(5, 1, true));
    assert!((280..400).contains(&other_first), "{other_first}");
}

#[test]
fn without_a_clock_nobody_sleeps() {
    let program = program(&sleepers(1, 5, false));
    let end = run_with(&program, &mut RoundRobin, 0).end;
    assert_eq!(end, End::Exited { status: 1 }, "the other thread takes its step first");
}
