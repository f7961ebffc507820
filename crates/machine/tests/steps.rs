//! Steps, waiting and replay, on programs written in the textual IR.

mod common;

use common::{check, ends, program, run_with};
use std::sync::Arc;
use threadproof_machine::{
    AccessKind, Cause, DeadlockForm, End, Pct, PrefixThen, RandomSchedule, RoundRobin, Trace,
};
use tp_ir::Property;

/// Two threads run `&worker`; main waits until `@done` is 2, and exits with the value of `@x`.
fn two_workers(worker: &str) -> String {
    format!(
        "global @x size 4 align 4 = zero
global @done size 4 align 4 = zero
global @lock size 4 align 4 = zero
func &main() {{
bb0:
  %0 = thread_start &worker, null
  %1 = thread_start &worker, null
  atomic_begin
  %2 = load i32 @done
  %3 = cmp eq i32 %2, 2
  await %3
  atomic_end
  %4 = load i32 @x
  exit %4
  unreachable
}}
func &finish() {{
bb0:
  atomic_begin
  %0 = load i32 @done
  %1 = add i32 %0, 1
  store i32 %1, @done
  atomic_end
  return
}}
func &worker(%arg.0: ptr) {{
{worker}
}}
"
    )
}

#[test]
fn an_unlocked_counter_races() {
    let text = two_workers(
        "bb0:
  %1 = load i32 @x
  %2 = add i32 %1, 1
  store i32 %2, @x
  call &finish()
  return",
    );
    check(&text, &["race"]);
}

#[test]
fn relaxed_atomics_lose_updates_without_a_race() {
    let text = two_workers(
        "bb0:
  %1 = load i32 @x relaxed
  %2 = add i32 %1, 1
  store i32 %2, @x relaxed
  call &finish()
  return",
    );
    // main's plain read is ordered by its wait.
    check(&text, &["exit 1", "exit 2"]);
}

#[test]
fn an_atomic_section_is_one_step() {
    let text = two_workers(
        "bb0:
  atomic_begin
  %1 = load i32 @x
  %2 = add i32 %1, 1
  store i32 %2, @x
  atomic_end
  call &finish()
  return",
    );
    check(&text, &["exit 2"]);
}

const LOCK: &str = "atomic_begin
  %1 = load i32 @lock
  %2 = cmp eq i32 %1, 0
  await %2
  store i32 1, @lock
  atomic_end";

#[test]
fn a_lock_made_of_await_orders() {
    let text = two_workers(&format!(
        "bb0:
  {LOCK}
  %3 = load i32 @x
  %4 = add i32 %3, 1
  store i32 %4, @x
  atomic_begin
  store i32 0, @lock
  atomic_end
  call &finish()
  return"
    ));
    check(&text, &["exit 2"]);
}

#[test]
fn a_lock_that_is_never_given_back_is_a_deadlock() {
    let text = two_workers(&format!(
        "bb0:
  {LOCK}
  call &finish()
  return"
    ));
    check(&text, &["deadlock"]);
}

#[test]
fn a_step_that_waits_in_the_middle_leaves_no_trace() {
    // The step writes, allocates, calls and returns before it finds out that it has to wait.
    let text = "global @x size 4 align 4 = zero
global @go size 4 align 4 = zero
func &main() {
bb0:
  %0 = thread_start &waiter, null
  %1 = thread_start &peek, null
  %2 = thread_start &opener, null
  atomic_begin
  %3 = load i32 @go
  %4 = cmp eq i32 %3, 3
  await %4
  atomic_end
  exit 0
  unreachable
}
func &enter() -> ptr {
bb0:
  atomic_begin
  store i32 7, @x
  %0 = heap_alloc i64 align i64 8, 16
  return %0
}
func &waiter(%arg.0: ptr) {
bb0:
  %1: ptr = call &enter()
  store i32 7, %1
  %2 = load i32 @go
  %3 = cmp ne i32 %2, 0
  await %3
  heap_free %1
  store i32 0, @x
  %4 = add i32 %2, 1
  store i32 %4, @go
  atomic_end
  return
}
func &peek(%arg.0: ptr) {
bb0:
  atomic_begin
  %1 = load i32 @x
  %2 = cmp eq i32 %1, 0
  assert assert %2, null
  %3 = load i32 @go
  %4 = add i32 %3, 1
  store i32 %4, @go
  atomic_end
  return
}
func &opener(%arg.0: ptr) {
bb0:
  atomic_begin
  %1 = load i32 @go
  %2 = add i32 %1, 1
  store i32 %2, @go
  atomic_end
  return
}
";
    check(text, &["exit 0"]);
}

#[test]
fn a_thread_local_first_used_in_a_step_that_waits() {
    let text = two_workers(
        "bb0:
  %1 = alloca i64 4 align 4
  atomic_begin
  %2 = thread_local @mine
  store i32 5, %2
  %3 = load i32 @lock
  %4 = cmp eq i32 %3, 0
  await %4
  store i32 1, @lock
  atomic_end
  %5 = alloca i64 4 align 4
  store i32 7, %5
  %6 = thread_local @mine
  %7 = load i32 %6
  store i32 9, %6
  %8 = load i32 %5
  %9 = add i32 %7, %8
  store i32 %9, @x
  atomic_begin
  store i32 0, @lock
  atomic_end
  call &finish()
  return",
    );
    check(&format!("global @mine thread_local size 4 align 4 = zero\n{text}"), &["exit 12"]);
}

#[test]
fn addresses_do_not_depend_on_steps_that_had_to_wait() {
    // The value left in @x is the address of the second worker's instance.
    let text = two_workers(
        "bb0:
  atomic_begin
  %1 = thread_local @mine
  %2 = load i32 @lock
  %3 = cmp eq i32 %2, 0
  await %3
  store i32 1, @lock
  atomic_end
  yield
  %4 = heap_alloc i64 align i64 4, 16
  heap_free %4
  %5 = thread_local @mine
  %6 = ptr_to_int ptr to i64 %5
  %7 = ptr_to_int ptr to i64 %4
  %8 = xor i64 %6, %7
  %9 = trunc i64 to i32 %8
  store i32 %9, @x
  atomic_begin
  store i32 0, @lock
  atomic_end
  call &finish()
  return",
    );
    assert!(ends(&format!("global @mine thread_local size 4 align 4 = zero\n{text}")).len() <= 2);
}

#[test]
fn freeing_what_was_read_in_the_same_step_still_orders() {
    // As a join does: the step reads the flag that the other thread set, and frees it.
    let text = "global @x size 4 align 4 = zero
func &main() {
bb0:
  %0 = heap_alloc i64 align i64 4, 4
  store i32 0, %0
  %1 = thread_start &child, %0
  atomic_begin
  %2 = load i32 %0
  %3 = cmp eq i32 %2, 1
  await %3
  heap_free %0
  atomic_end
  %4 = load i32 @x
  exit %4
  unreachable
}
func &child(%arg.0: ptr) {
bb0:
  store i32 3, @x
  atomic_begin
  store i32 1, %arg.0
  atomic_end
  return
}
";
    check(text, &["exit 3"]);
}

#[test]
fn a_circle_of_waiting_threads_is_found_while_others_run() {
    let side = |name: &str, first: &str, second: &str, other: u32| {
        let lock = |l: &str, n: u32, r: u32| {
            format!(
                "  atomic_begin
  %{} = load i32 @{l}
  %{} = cmp eq i32 %{}, 0
  waiting mutex @{l}, {n}
  await %{}
  store i32 1, @{l}
  atomic_end
",
                r,
                r + 1,
                r,
                r + 1
            )
        };
        format!(
            "func &{name}(%arg.0: ptr) {{\nbb0:\n{}{}  atomic_begin\n  store i32 0, @{first}\n  store i32 0, @{second}\n  atomic_end\n  return\n}}\n",
            lock(first, other, 1),
            lock(second, other, 3)
        )
    };
    let text = format!(
        "global @a size 4 align 4 = zero
global @b size 4 align 4 = zero
func &main() {{
bb0:
  %0 = thread_start &left, null
  %1 = thread_start &right, null
  jump bb1(i32 0)
bb1(%2: i32):
  yield
  %3 = add i32 %2, 1
  %4 = cmp slt i32 %3, 50
  branch %4, bb1(%3), bb2
bb2:
  exit 0
  unreachable
}}
{}{}",
        side("left", "a", "b", 2),
        side("right", "b", "a", 1)
    );
    let program = program(&text);
    let partial =
        (0..200).find_map(|seed| match run_with(&program, &mut RandomSchedule::new(seed), seed).end {
            End::Violation(finding) if finding.property == Property::Deadlock => Some(finding),
            _ => None,
        });
    let finding = partial.expect("some schedule takes the locks crosswise");
    let Cause::Deadlock(deadlock) = &finding.cause else { panic!("{finding:?}") };
    assert_eq!(deadlock.form, DeadlockForm::Cycle { others_go_on: true });
    assert_eq!(deadlock.others.len(), 1);
}

#[test]
fn inputs_are_recorded_and_assumptions_cut() {
    let text = "global @name size 5 align 1 constant = \"coin\\00\"
func &main() {
bb0:
  %0 = input i1 @name
  assume %0
  exit 4
  unreachable
}
";
    let text = text.replace("size 5 align 1 constant", "constant size 5 align 1");
    check(&text, &["assumption", "exit 4"]);
}

#[test]
fn both_accesses_of_a_race_are_shown() {
    let text = two_workers(
        "bb0:
  store i32 5, @x
  call &finish()
  return",
    );
    let End::Violation(finding) = run_with(&program(&text), &mut RoundRobin, 0).end else {
        panic!("no race")
    };
    let Cause::Race(race) = &finding.cause else { panic!("{finding:?}") };
    let first = race.first.as_ref().expect("a second look shows it");
    let sides = [(&finding.at, race.second), (&first.at, first.access)];
    let shown = sides.map(|(at, access)| (&*at.thread_name, at.locks.len(), access.kind));
    assert_eq!(shown, [("worker#2", 0, AccessKind::Write), ("worker#1", 0, AccessKind::Write)]);
}

#[test]
fn pct_finds_an_order_bug_of_depth_two() {
    let text = two_workers(
        "bb0:
  %1 = load i32 @x relaxed
  %2 = add i32 %1, 1
  store i32 %2, @x relaxed
  call &finish()
  return",
    );
    let program = program(&text);
    let lost = (0..100).filter(|&seed| {
        run_with(&program, &mut Pct::new(seed, 2, 12), seed).end == End::Exited { status: 1 }
    });
    assert!(lost.count() > 5);
}

#[test]
fn a_prefix_steers_as_far_as_it_goes() {
    let text = two_workers(
        "bb0:
  %1 = load i32 @x relaxed
  %2 = add i32 %1, 1
  store i32 %2, @x relaxed
  call &finish()
  return",
    );
    let program = program(&text);
    // Both workers read before either writes: whatever comes after, an update is lost.
    let prefix = Arc::new(Trace::new(vec![(0, 2), (1, 1), (2, 1)], vec![]));
    for seed in 0..20 {
        let mut schedule = PrefixThen::new(prefix.clone(), RandomSchedule::new(seed));
        let run = run_with(&program, &mut schedule, seed);
        assert_eq!(run.end, End::Exited { status: 1 });
        assert_eq!(run.trace.schedule()[..2], prefix.schedule()[..2]);
    }
    // Thread 7 does not exist: from there on the other schedule decides.
    let astray = Arc::new(Trace::new(vec![(0, 2), (7, 1)], vec![]));
    let run = run_with(&program, &mut PrefixThen::new(astray, RoundRobin), 0);
    assert!(matches!(run.end, End::Exited { .. }));
}

#[test]
fn endless_programs_end() {
    let spin = "func &main() {
bb0:
  jump bb0
}
";
    assert_eq!(run_with(&program(spin), &mut RoundRobin, 0).end, End::TooManySteps);
    let recursion = "func &main() {
bb0:
  call &main()
  return
}
";
    assert!(matches!(run_with(&program(recursion), &mut RoundRobin, 0).end, End::TooDeep { .. }));
    let hoard = "func &main() {
bb0:
  %0 = heap_alloc i64 align i64 4096, 16
  jump bb0
}
";
    assert!(matches!(run_with(&program(hoard), &mut RoundRobin, 0).end, End::OutOfMemory { .. }));
}

/// Unmodelled or unsupported code ends the run at its thread's turn, not together with the step before.
#[test]
fn others_come_before_what_has_no_model() {
    for what in ["call &unknown()", "unsupported \"this\""] {
        let text = format!(
            "func &unknown()
func &main() {{
bb0:
  %0 = thread_start &other, null
  {what}
  return
}}
func &other(%arg.0: ptr) {{
bb0:
  assert assert i1 0, null
  return
}}
"
        );
        assert!(ends(&text).iter().any(|end| end == "assert"), "{what}: {:?}", ends(&text));
    }
}
