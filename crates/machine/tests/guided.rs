//! Counterexamples of the engines are followed on the real program.

mod common;

use common::{program, run_checking};
use std::collections::HashMap;
use threadproof_machine::{Checks, End, Guided, GuidedInputs, Run, UnwrittenBytes};
use tp_ir::{EntityRef, GlobalId, Property};

fn guided(text: &str, targets: &[(u32, u64)], last: u32, inputs: GuidedInputs) -> (Run, bool) {
    let checks = Checks::ALL.without(Property::Uninitialised).without(Property::Race);
    let mut schedule = Guided::new(targets.to_vec(), vec![last]);
    let run = run_checking(&program(text), checks, &mut schedule, &mut inputs.clone());
    (run, schedule.reached_all_targets())
}

/// Two threads add to `@x`, each printing before it reads and before it writes; main's steps are two starts, a read.
const LOSE_AN_UPDATE: &str = "global @x size 4 align 4 = zero
global @text constant size 2 align 1 = \"a\\00\"
func &main() {
bb0:
  %0 = thread_start &add, null
  %1 = thread_start &add, null
  %2 = load i32 @x
  %3 = cmp ne i32 %2, 1
  assert assert %3, null
  exit 0
  unreachable
}
func &add(%arg.0: ptr) {
bb0:
  call &write_text()
  %1 = load i32 @x
  call &write_text()
  %2 = add i32 %1, 1
  store i32 %2, @x
  return
}
func &write_text() model embedded does \"output\" {
bb0:
  yield
  call &write()
  return
}
func &write() model {
bb0:
  output 1, @text, 1
  return
}
";

#[test]
fn targets_count_all_steps_of_a_thread_but_those_of_output() {
    let follow = |targets: &[(u32, u64)]| guided(LOSE_AN_UPDATE, targets, 0, GuidedInputs::default());
    // Both read, both write.
    let (run, through) = follow(&[(0, 2), (1, 1), (2, 1), (1, 2), (2, 2)]);
    assert!(matches!(run.end, End::Violation(_)) && through);
    // Two steps of output before the read of each, and two before the write.
    assert_eq!(run.trace.schedule(), [(0, 2), (1, 3), (2, 3), (1, 3), (2, 3), (0, 1)]);
    // One after the other.
    let (run, through) = follow(&[(0, 2), (1, 2), (2, 2)]);
    assert_eq!((run.end, through), (End::Exited { status: 0 }, true));
    assert_eq!(run.trace.schedule(), [(0, 2), (1, 6), (2, 6), (0, 2)]);
    // A target that was reached long ago is no reason to stop.
    let (run, _) = follow(&[(0, 2), (1, 2), (1, 1), (0, 0), (2, 2)]);
    assert_eq!(run.end, End::Exited { status: 0 });
}

#[test]
fn a_thread_that_cannot_step_is_no_answer() {
    let diverges = |targets: &[(u32, u64)], last: u32| {
        let (run, through) = guided(LOSE_AN_UPDATE, targets, last, GuidedInputs::default());
        assert!(matches!(run.end, End::Diverged { .. }), "{:?}", run.end);
        through
    };
    assert!(!diverges(&[(0, 1), (2, 1)], 0), "thread 2 is not there yet");
    assert!(!diverges(&[(0, 2), (1, 3)], 0), "thread 1 has only two steps");
    assert!(diverges(&[(0, 2), (1, 2)], 1), "thread 1 has ended");
}

#[test]
fn inputs_are_found_by_what_they_are_for() {
    // Whichever thread comes first, each gets its own values; a step that waits asks again and gets the same.
    let text = "global @go size 4 align 4 = zero
global @outside size 4 align 4 = unknown
global @mine thread_local size 2 align 2 = unknown
func &main() {
bb0:
  %0 = heap_alloc i64 align i64 4, 16
  %1 = thread_start &other, %0
  atomic_begin
  %2 = input i8 null
  %3 = load i32 @go
  %4 = cmp eq i32 %3, 1
  await %4
  atomic_end
  %5 = input i8 null
  %6 = cmp eq i8 %2, 11
  assert assert %6, null
  %7 = cmp eq i8 %5, 12
  assert assert %7, null
  %8 = load i32 @outside
  %9 = cmp eq i32 %8, 16909060
  assert assert %9, null
  %10 = thread_local @mine
  %11 = load i16 %10
  %12 = cmp eq i16 %11, 772
  assert assert %12, null
  %13 = uninit i8
  %14 = cmp eq i8 %13, 0
  assert assert %14, null
  heap_free %0
  exit 7
  unreachable
}
func &other(%arg.0: ptr) {
bb0:
  %1 = input i8 null
  %2 = cmp eq i8 %1, 21
  assert assert %2, null
  %3 = load i32 %arg.0
  %4 = cmp eq i32 %3, 5
  assert assert %4, null
  atomic_begin
  store i32 1, @go
  atomic_end
  return
}
";
    let known = |bytes, value| vec![UnwrittenBytes { offset: 0, bytes, value }];
    let inputs = GuidedInputs {
        layout: Default::default(),
        calls: HashMap::from([(0, vec![11, 12]), (1, vec![21])]),
        memory: HashMap::from([((0, 0, 0), known(4, 5))]),
        globals: HashMap::from([(GlobalId::new(1), known(4, 0x0102_0304))]),
        thread_locals: HashMap::from([((0, GlobalId::new(2)), known(2, 0x0304))]),
    };
    let (run, _) = guided(text, &[(0, 1), (1, 2), (0, 2)], 0, inputs.clone());
    assert_eq!(run.end, End::Exited { status: 7 });
    // Main tries its step before the other thread has set @go.
    let checks = Checks::ALL.without(Property::Uninitialised);
    let waited =
        run_checking(&program(text), checks, &mut threadproof_machine::RoundRobin, &mut inputs.clone());
    assert_eq!(waited.end, End::Exited { status: 7 });
}
