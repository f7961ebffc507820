//! Which inputs are asked for: by which thread, for what, and the same again after a step was undone.

mod common;

use common::{program, run_checking};
use threadproof_machine::{Checks, End, InputRequest, InputSource, Inputs, RoundRobin, ThreadNumber};
use tp_ir::{EntityRef, GlobalId, Property};

fn checks() -> Checks {
    Checks::ALL.without(Property::Uninitialised)
}

/// Gives 0, and remembers what it was asked for.
#[derive(Default)]
struct Asked(Vec<(ThreadNumber, InputSource)>);

impl Inputs for Asked {
    fn value(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        self.0.push((request.thread, request.source));
        Some(0)
    }
}

#[test]
fn requests_say_what_they_are_for() {
    let text = "global @known size 4 align 4 = zero
global @outside size 8 align 4 = unknown
global @mine thread_local size 4 align 4 = unknown
func &main() {
bb0:
  %0 = alloca i64 4 align 4
  %1 = thread_start &worker, %0
  atomic_begin
  %2 = load i32 @known
  %3 = cmp eq i32 %2, 1
  await %3
  atomic_end
  %4 = ptradd i64 * 4 @outside, 1
  %5 = load i32 %4
  return
}
func &worker(%arg.0: ptr) {
bb0:
  %1 = input i8 null
  %2 = alloca i64 4 align 4 private
  %3 = heap_alloc i64 align i64 8, 16
  %4 = uninit i32
  %5 = input i8 null
  %6 = ptradd i64 * 4 %3, 1
  %7 = load i32 %6
  %8 = load i32 %2
  %9 = load i32 %arg.0
  %10 = thread_local @mine
  %11 = load i32 %10
  heap_free %3
  atomic_begin
  store i32 1, @known
  atomic_end
  return
}
";
    let mut asked = Asked::default();
    let ended = run_checking(&program(text), checks(), &mut RoundRobin, &mut asked);
    assert_eq!(ended.end, End::Exited { status: 0 });
    let (outside, mine) = (GlobalId::new(1), GlobalId::new(2));
    assert_eq!(
        asked.0,
        [
            (1, InputSource::Call { nth: 0 }),
            (1, InputSource::Register { nth: 1 }),
            (1, InputSource::Call { nth: 2 }),
            (1, InputSource::Memory { made_by: 1, nth: 1, scope: 0, offset: 4 }),
            (1, InputSource::Memory { made_by: 1, nth: 0, scope: 0, offset: 0 }),
            (1, InputSource::Memory { made_by: 0, nth: 0, scope: 0, offset: 0 }),
            (1, InputSource::ThreadLocal { thread: 1, global: mine, offset: 0 }),
            (0, InputSource::Global { global: outside, offset: 4 }),
        ]
    );
}

#[test]
fn a_step_that_is_taken_back_asks_for_the_same_again() {
    let text = "global @go size 4 align 4 = zero
func &main() {
bb0:
  %0 = thread_start &opener, null
  atomic_begin
  %1 = heap_alloc i64 align i64 4, 16
  %2 = load i32 %1
  %3 = input i8 null
  heap_free %1
  %4 = load i32 @go
  %5 = cmp eq i32 %4, 1
  await %5
  atomic_end
  return
}
func &opener(%arg.0: ptr) {
bb0:
  yield
  yield
  atomic_begin
  store i32 1, @go
  atomic_end
  return
}
";
    let mut asked = Asked::default();
    let ended = run_checking(&program(text), checks(), &mut RoundRobin, &mut asked);
    assert_eq!(ended.end, End::Exited { status: 0 });
    let attempt = [
        (0, InputSource::Memory { made_by: 0, nth: 0, scope: 0, offset: 0 }),
        (0, InputSource::Call { nth: 0 }),
    ];
    assert_eq!(asked.0, [attempt, attempt].concat());
}

#[test]
fn output_functions_do_not_count() {
    let text = "func &main() {
bb0:
  call &write_text()
  %0 = input i8 null
  %1 = heap_alloc i64 align i64 4, 16
  %2 = load i32 %1
  heap_free %1
  call &write_mine()
  return
}
func &write_text() model embedded does \"output\" {
bb0:
  %0 = input i8 null
  %1 = heap_alloc i64 align i64 4, 16
  %2 = load i32 %1
  heap_free %1
  return
}
func &write_mine() {
bb0:
  %0 = input i8 null
  return
}
";
    let mut asked = Asked::default();
    run_checking(&program(text), checks(), &mut RoundRobin, &mut asked);
    let memory = InputSource::Memory { made_by: 0, nth: 0, scope: 0, offset: 0 };
    let sources = [
        InputSource::Output,
        InputSource::Output,
        InputSource::Call { nth: 0 },
        memory,
        InputSource::Call { nth: 1 },
    ];
    assert_eq!(asked.0, sources.map(|source| (0, source)));
}

#[test]
fn what_is_left_of_a_copy_or_a_scope_is_asked_for() {
    let text = "func &main() {
bb0:
  %0 = alloca i64 12 align 4
  %1 = alloca i64 12 align 4
  scope_begin %0
  %2 = ptradd i64 * 1 %0, 5
  store i8 1, %2
  copy i64 %1, %0, 12
  %3 = load i32 %1
  %4 = load i32 %0
  scope_begin %0
  store i8 1, %2
  %5 = ptradd i64 * 1 %0, 4
  %6 = load i32 %5
  return
}
";
    let mut asked = Asked::default();
    let ended = run_checking(&program(text), checks(), &mut RoundRobin, &mut asked);
    assert_eq!(ended.end, End::Exited { status: 0 });
    let memory = |scope, offset| (0, InputSource::Memory { made_by: 0, nth: 0, scope, offset });
    assert_eq!(asked.0, [memory(1, 0), memory(1, 6), memory(1, 8), memory(2, 4), memory(2, 6)]);
}
