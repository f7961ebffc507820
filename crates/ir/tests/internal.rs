//! Which variables of the models no other code can touch.

mod common;

use common::dedent;
use threadproof_ir::{parse, promote};

/// The variables of the models that are internal, where these functions use `@v` (shared) and `@own` (thread-local).
#[track_caller]
fn check_internal(functions: &str, expect: &[&str]) {
    let text = format!(
        "program LP64 entry &main\nglobal @v model size 8 align 8 = zero\n\
         global @own thread_local model size 8 align 8 = zero\nglobal @table size 8 align 8 = zero\n\
         func &use(ptr)\nfunc &main()\n{}",
        dedent(functions)
    );
    let mut program = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    promote(&mut program);
    let internal = program.globals.values().filter(|g| g.internal).map(|g| &*g.name);
    assert_eq!(internal.collect::<Vec<_>>(), expect, "{text}");
}

#[test]
fn variables_that_models_keep_are_internal() {
    check_internal(
        "func &f() -> i64 model {
        bb0:
          %0 = ptradd i64 * 8 @v, 0
          %1 = load i64 %0
          store i64 %1, @v
          %2 = thread_local @own
          store i64 %1, %2
          return %1
        }",
        &["v", "own"],
    );
}

const LOCATE: &str = "func &where() -> ptr model {
        bb0:
          %0 = thread_local @own
          return %0
        }";

#[test]
fn a_thread_may_be_told_where_its_variable_is() {
    let read = "func &user() -> i64 {
        bb0:
          %0: ptr = call &where()
          store i64 1, %0
          %1 = load i64 %0
          return %1
        }";
    check_internal(&format!("{LOCATE}\n        {read}"), &["v", "own"]);
}

#[test]
fn variables_whose_address_gets_out_are_not_internal() {
    let lets_go = [
        "store ptr %1, @table",
        "call &use(%1)",
        "%2 = ptr_to_int ptr to i64 %1",
        "%2 = thread_start &user, %1",
    ];
    for line in lets_go {
        let user = format!(
            "func &user(%0: ptr) {{
        bb0:
          %1: ptr = call &where()
          {line}
          return
        }}"
        );
        check_internal(&format!("{LOCATE}\n        {user}"), &["v"]);
    }
    let by_pointer = "func &user() {
        bb0:
          %0: ptr = call indirect &where()
          return
        }";
    check_internal(&format!("{LOCATE}\n        {by_pointer}"), &["v"]);
    check_internal("global @points size 8 align 8 = zeros 8 pointers 0: @v", &["own"]);
}

#[test]
fn what_users_touch_is_internal_only_if_nobody_writes_it() {
    let user = |line: &str| format!("func &user() {{\nbb0:\n  {line}\n  return\n}}");
    check_internal(&user("%0 = load i64 @v"), &["v", "own"]);
    check_internal(&user("%0 = rmw add i64 @v, 1 seq_cst"), &["own"]);
    let set = "func &set() model {\nbb0:\n  store i64 1, @v\n  return\n}";
    check_internal(&format!("{}\n{set}", user("%0 = load i64 @v")), &["own"]);
    check_internal(set, &["v", "own"]);
}
