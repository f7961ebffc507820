//! Promotion of locals: textual IR in, textual IR out.

mod common;

use common::dedent;
use threadproof_ir::{parse, print_function, promote};

/// Promotes the function `&f` of the text and compares its body.
fn check(function: &str, expect: &str) {
    let text = format!(
        "program LP64 entry &main\nglobal @g size 8 align 8 = zero\nfunc &use(ptr)\nfunc &main()\n{}",
        dedent(function)
    );
    let mut program = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    promote(&mut program);
    let f = program.function_named("f").expect("the text defines &f");
    let printed = print_function(&program, f);
    assert_eq!(printed.trim(), dedent(expect), "\n{printed}");
    let again = program.clone();
    promote(&mut program);
    assert_eq!(program, again, "a second promotion changes nothing");
}

#[test]
fn straight_line() {
    check(
        "func &f(%n.0: i32) -> i32 {
        bb0:
          %1 = alloca i64 4 align 4 named n
          %2 = alloca i64 4 align 4 named sum
          store i32 %n.0, %1
          %3 = load i32 %1
          %4 = add i32 %3, 1 checked @ 0:3:4
          store i32 %4, %2
          %5 = load i32 %2
          return %5
        }",
        "func &f(%n.0: i32) -> i32 {
        bb0:
          %sum.1 = add i32 %n.0, 1 checked @ 0:3:4
          return %sum.1
        }",
    );
}

#[test]
fn a_loop_passes_what_changes() {
    check(
        "func &f(%n.0: i32) -> i32 {
        bb0:
          %1 = alloca i64 4 align 4 named n
          %2 = alloca i64 4 align 4 named i
          store i32 %n.0, %1
          store i32 0, %2
          jump bb1
        bb1:
          %3 = load i32 %2
          %4 = load i32 %1
          %5 = cmp slt i32 %3, %4
          branch %5, bb2, bb3
        bb2:
          %6 = load i32 %2
          %7 = add i32 %6, 1
          store i32 %7, %2
          jump bb1
        bb3:
          %8 = load i32 %2
          return %8
        }",
        "func &f(%n.0: i32) -> i32 {
        bb0:
          jump bb1(i32 0)
        bb1(%i.3: i32):
          %1 = cmp slt i32 %i.3, %n.0
          branch %1, bb2, bb3
        bb2:
          %i.2 = add i32 %i.3, 1
          jump bb1(%i.2)
        bb3:
          return %i.3
        }",
    );
}

#[test]
fn an_uninitialised_variable_is_one_value() {
    check(
        "func &f(%c.0: i1) -> i32, i32 {
        bb0:
          %1 = alloca i64 4 align 4 named x @ 0:5:7
          branch %c.0, bb1, bb2
        bb1:
          store i32 1, %1
          jump bb2
        bb2:
          %2 = load i32 %1
          %3 = load i32 %1
          return %2, %3
        }",
        "func &f(%c.0: i1) -> i32, i32 {
        bb0:
          %x.2 = uninit i32 @ 0:5:7
          branch %c.0, bb1, bb2(%x.2)
        bb1:
          jump bb2(i32 1)
        bb2(%x.1: i32):
          return %x.1, %x.1
        }",
    );
}

#[test]
fn a_scope_begins_with_a_fresh_value() {
    check(
        "func &f(%c.0: i1) {
        bb0:
          %1 = alloca i64 4 align 4 named x
          jump bb1
        bb1:
          scope_begin %1 @ 0:3:3
          %2 = load i32 %1
          store i32 %2, @g
          store i32 5, %1
          scope_end %1
          branch %c.0, bb1, bb2
        bb2:
          return
        }",
        "func &f(%c.0: i1) {
        bb0:
          jump bb1
        bb1:
          %x.1 = uninit i32 @ 0:3:3
          store i32 %x.1, @g
          branch %c.0, bb1, bb2
        bb2:
          return
        }",
    );
}

#[test]
fn what_is_used_after_its_scope_stays() {
    check(
        "func &f(%c.0: i1) {
        bb0:
          %1 = alloca i64 4 align 4 named here
          %2 = alloca i64 4 align 4 named later
          scope_begin %1
          scope_begin %2
          store i32 1, %2
          scope_end %1
          store i32 1, %1
          branch %c.0, bb1, bb2
        bb1:
          scope_end %2
          jump bb2
        bb2:
          jump bb3
        bb3:
          %3 = load i32 %2
          return
        }",
        "func &f(%c.0: i1) {
        bb0:
          %1 = alloca i64 4 align 4 private named here
          %2 = alloca i64 4 align 4 private named later
          scope_begin %1
          scope_begin %2
          store i32 1, %2
          scope_end %1
          store i32 1, %1
          branch %c.0, bb1, bb2
        bb1:
          scope_end %2
          jump bb2
        bb2:
          jump bb3
        bb3:
          %3 = load i32 %2
          return
        }",
    );
}

#[test]
fn a_value_that_does_not_change_gets_no_parameter() {
    // Both branches store the same value; the loop stores what it read.
    check(
        "func &f(%c.0: i1, %v.1: i64) -> i64 {
        bb0:
          %2 = alloca i64 8 align 8
          branch %c.0, bb1, bb2
        bb1:
          store i64 %v.1, %2
          jump bb3
        bb2:
          store i64 %v.1, %2
          jump bb3
        bb3:
          %3 = load i64 %2
          store i64 %3, %2
          branch %c.0, bb3, bb4
        bb4:
          %4 = load i64 %2
          return %4
        }",
        "func &f(%c.0: i1, %v.1: i64) -> i64 {
        bb0:
          branch %c.0, bb1, bb2
        bb1:
          jump bb3
        bb2:
          jump bb3
        bb3:
          branch %c.0, bb3, bb4
        bb4:
          return %v.1
        }",
    );
}

#[test]
fn an_alloca_in_a_loop_is_new_on_each_turn() {
    check(
        "func &f(%c.0: i1) {
        bb0:
          jump bb1
        bb1:
          %1 = alloca i64 4 align 4 named x @ 0:2:2
          %2 = load i32 %1
          store i32 %2, @g
          store i32 7, %1
          branch %c.0, bb1, bb2
        bb2:
          return
        }",
        "func &f(%c.0: i1) {
        bb0:
          jump bb1
        bb1:
          %x.1 = uninit i32 @ 0:2:2
          store i32 %x.1, @g
          branch %c.0, bb1, bb2
        bb2:
          return
        }",
    );
}

#[test]
fn what_is_not_a_whole_plain_scalar_stays() {
    check(
        "func &f(%n.0: i64) {
        bb0:
          %1 = alloca i64 4 align 4 named two_types
          %2 = alloca i64 4 align 4 named atomic
          %3 = alloca i64 %n.0 align 4 named dynamic
          %4 = alloca i64 2 align 4 named small
          %5 = alloca i64 8 align 4 named parts
          %6 = alloca i64 4 align 4 named unused
          store i32 1, %1
          %7 = load f32 %1
          store i32 1, %2 relaxed
          store i32 1, %3
          store i32 1, %4
          %8 = ptradd i64 * 4 %5, 1
          store i32 1, %8
          return
        }",
        "func &f(%n.0: i64) {
        bb0:
          %1 = alloca i64 4 align 4 private named two_types
          %2 = alloca i64 4 align 4 private named atomic
          %3 = alloca i64 %n.0 align 4 private named dynamic
          %4 = alloca i64 2 align 4 private named small
          %5 = alloca i64 8 align 4 private named parts
          store i32 1, %1
          %6 = load f32 %1
          store i32 1, %2 relaxed
          store i32 1, %3
          store i32 1, %4
          %7 = ptradd i64 * 4 %5, 1
          store i32 1, %7
          return
        }",
    );
}

#[test]
fn private_is_what_stays_in_the_function() {
    check(
        "func &f(%c.0: i1) -> ptr {
        bb0:
          %1 = alloca i64 8 align 8 named called
          %2 = alloca i64 8 align 8 named stored
          %3 = alloca i64 8 align 8 named number
          %4 = alloca i64 8 align 8 named returned
          %5 = alloca i64 8 align 8 named started
          %6 = alloca i64 8 align 8 named chosen
          %7 = alloca i64 8 align 8 named walked
          %8 = alloca i64 8 align 8 named copied
          call &use(%1)
          store ptr %2, @g
          %9 = ptr_to_int ptr to i64 %3
          %10 = thread_start &use, %5
          %11: ptr = select %c.0, %6, %4
          jump bb1(%7)
        bb1(%12: ptr):
          store i8 0, %12
          %13 = ptradd i64 * 1 %12, 1
          %14 = cmp eq i64 %13, %8
          copy i64 %8, %7, 8
          branch %14, bb1(%13), bb2
        bb2:
          return %11
        }",
        "func &f(%c.0: i1) -> ptr {
        bb0:
          %1 = alloca i64 8 align 8 named called
          %2 = alloca i64 8 align 8 named stored
          %3 = alloca i64 8 align 8 named number
          %4 = alloca i64 8 align 8 named returned
          %5 = alloca i64 8 align 8 named started
          %6 = alloca i64 8 align 8 named chosen
          %7 = alloca i64 8 align 8 private named walked
          %8 = alloca i64 8 align 8 private named copied
          call &use(%1)
          store ptr %2, @g
          %9 = ptr_to_int ptr to i64 %3
          %10 = thread_start &use, %5
          %11: ptr = select %c.0, %6, %4
          jump bb1(%7)
        bb1(%12: ptr):
          store i8 0, %12
          %13 = ptradd i64 * 1 %12, 1
          %14 = cmp eq i64 %13, %8
          copy i64 %8, %7, 8
          branch %14, bb1(%13), bb2
        bb2:
          return %11
        }",
    );
}

#[test]
fn unreachable_blocks_go_and_switches_pass_values_on_every_edge() {
    check(
        "func &f(%v.0: i32) -> i32 {
        bb0:
          %1 = alloca i64 4 align 4 named x
          store i32 0, %1
          switch i32 %v.0 { 1: bb2, 2: bb3, 3: bb3, default: bb4 }
        bb1:
          %2 = load i32 %1
          jump bb4
        bb2:
          store i32 1, %1
          jump bb3
        bb3:
          %3 = load i32 %1
          store i32 %3, @g
          jump bb4
        bb4:
          %4 = load i32 %1
          return %4
        }",
        "func &f(%v.0: i32) -> i32 {
        bb0:
          switch i32 %v.0 { 1: bb1, 2: bb2(i32 0), 3: bb2(i32 0), default: bb3(i32 0) }
        bb1:
          jump bb2(i32 1)
        bb2(%x.1: i32):
          store i32 %x.1, @g
          jump bb3(%x.1)
        bb3(%x.2: i32):
          return %x.2
        }",
    );
}

#[test]
fn what_only_a_promoted_pointer_knew_is_promoted_too() {
    check(
        "func &f() -> i32 {
        bb0:
          %0 = alloca i64 4 align 4 named x
          %1 = alloca i64 8 align 8 named p
          store ptr %0, %1
          %2 = load ptr %1
          store i32 5, %2
          %3 = load i32 %0
          return %3
        }",
        "func &f() -> i32 {
        bb0:
          return i32 5
        }",
    );
}

/// A function of 20 000 blocks with 200 variables that are live throughout.
#[test]
fn large_functions_are_quick() {
    use std::fmt::Write;
    let (blocks, variables) = (20_000, 200);
    let mut text =
        String::from("program LP64 entry &f\nglobal @g size 8 align 8 = zero\nfunc &f() {\nbb0:\n");
    for v in 0..variables {
        let _ = writeln!(text, "  %{v} = alloca i64 4 align 4\n  store i32 {v}, %{v}");
    }
    let _ = writeln!(text, "  jump bb1");
    let mut reg = variables;
    for block in (1..blocks).step_by(2) {
        let v = block / 2 % variables;
        let (c, old, next) = (reg, reg + 1, block + 2);
        let _ =
            writeln!(text, "bb{block}:\n  %{c} = input i1 null\n  branch %{c}, bb{}, bb{next}", block + 1);
        let _ =
            writeln!(text, "bb{}:\n  %{old} = load i32 %{v}\n  %{} = add i32 %{old}, 1", block + 1, old + 1);
        let _ = writeln!(text, "  store i32 %{}, %{v}\n  jump bb{next}", old + 1);
        reg += 3;
    }
    let _ = writeln!(
        text,
        "bb{}:\n  branch true, bb1, bb{}\nbb{}:\n  return\n}}",
        blocks + 1,
        blocks + 2,
        blocks + 2
    );
    let mut program = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let start = std::time::Instant::now();
    promote(&mut program);
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
    assert!(!program.to_string().contains("alloca"));
}

#[test]
fn a_loop_that_does_nothing_stops_its_thread() {
    check(
        "func &f(%0: i1) {
        bb0:
          branch %0, bb1, bb3
        bb1:
          jump bb2
        bb2:
          jump bb1
        bb3:
          jump bb4
        bb4:
          return
        }",
        "func &f(%0: i1) {
        bb0:
          branch %0, bb1, bb2
        bb1:
          assume false
          unreachable
        bb2:
          jump bb3
        bb3:
          return
        }",
    );
}

#[test]
fn a_local_that_a_block_remembers_is_made_in_each_round() {
    check(
        "func &f() {
        bb0:
          %0 = alloca i64 4 align 4 named x
          jump bb1(null)
        bb1(%1: ptr):
          scope_begin %0
          store i32 1, %0
          scope_end %0
          jump bb1(%0)
        }",
        "func &f() {
        bb0:
          jump bb1(null)
        bb1(%1: ptr):
          %0 = alloca i64 4 align 4 private named x
          store i32 1, %0
          scope_end last %0
          jump bb1(%0)
        }",
    );
}

#[test]
fn a_local_that_nobody_remembers_stays_one_object() {
    // `&use` has no body and keeps nothing.
    let unchanged = "func &f() {
        bb0:
          %0 = alloca i64 4 align 4 named x
          jump bb1
        bb1:
          scope_begin %0
          call &use(%0)
          scope_end %0
          jump bb1
        }";
    check(unchanged, unchanged);
}

#[test]
fn a_local_that_is_stored_is_made_in_each_round_but_not_one_whose_scope_begins_once() {
    check(
        "func &f() {
        bb0:
          %0 = alloca i64 4 align 4 named x
          %1 = alloca i64 4 align 4 named y
          scope_begin %1
          jump bb1
        bb1:
          scope_begin %0
          store ptr %0, @g
          store ptr %1, @g
          scope_end %0
          jump bb1
        }",
        "func &f() {
        bb0:
          %1 = alloca i64 4 align 4 named y
          scope_begin %1
          jump bb1
        bb1:
          %0 = alloca i64 4 align 4 named x
          store ptr %0, @g
          store ptr %1, @g
          scope_end last %0
          jump bb1
        }",
    );
}
