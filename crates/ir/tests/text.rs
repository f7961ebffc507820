//! The textual form: what is printed is parsed back to an equal program, and errors are reported with their place.

use threadproof_ir::{Program, parse};

/// Every construct of the language; the tables at the end have duplicate rows, which only their handles distinguish.
const EVERYTHING: &str = include_str!("everything.tp");

fn parsed(text: &str) -> Program {
    parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn check_round_trip(text: &str) -> String {
    let program = parsed(text);
    let printed = program.to_string();
    assert_eq!(parsed(&printed), program, "\n{printed}");
    assert_eq!(parsed(&printed).to_string(), printed);
    printed
}

#[test]
fn everything_is_kept() {
    let printed = check_round_trip(EVERYTHING);
    // Rows are added to the tables; all other lines stay as they are.
    let lines =
        |text: &'static str| text.lines().filter(|l| !l.starts_with("constants") && !l.starts_with("places"));
    let printed: &'static str = printed.leak();
    assert!(lines(printed).eq(lines(EVERYTHING)), "{printed}");
}

fn check_error(text: &str, expect: &str) {
    match parse(text) {
        Ok(program) => panic!("parsed:\n{program}"),
        Err(error) => assert_eq!(error.to_string(), expect, "\n{text}"),
    }
}

/// An error in the body of a function; its first line is line 3.
fn check_body_error(body: &str, expect: &str) {
    check_error(&format!("program LP64 entry &f\nfunc &f() {{\n{body}\n}}\n"), expect);
}

#[test]
fn a_short_text_is_filled_up() {
    let text = "; comment\nprogram ILP32 entry &f\nfunc &f() {\nbb0:\n  store i32 7, null\n  return\n}\n";
    let expect = "program ILP32 entry &f\n\nfile0 = \"\"\n\nfunc &f() {\nbb0:\n  store i32 7, null\n  return\n}\n\n\
                  constants i32 7, null\nplaces 0:0:0\n";
    assert_eq!(check_round_trip(text), expect);
}

#[test]
fn errors_have_a_place_and_a_sentence() {
    check_error("", "line 1, column 1: expected a line `program LP64 entry &main`");
    check_error("program LP65 entry &f", "line 1, column 8: `LP65` is not a data model");
    check_error("program LP64 entry &f", "line 1, column 21: there is no function `f`");
    check_error("program LP64\nprogram LP64", "line 2, column 1: a text has one `program` line");
    check_error("hello", "line 1, column 1: `hello` is not the beginning of a line here");
    check_error(
        "program LP64 entry &f\nfunc &f()\ntype1 = pointer",
        "line 3, column 1: expected type0: rows and blocks are numbered in order",
    );
    check_error(
        "program LP64 entry &f\nfunc &f() {\nbb0:\n",
        "line 2, column 1: the function has no closing `}`",
    );
    check_error(
        "program LP64 entry &f\nfunc &f()\nglobal @g size 4 align 4 =",
        "line 3, column 27: expected an initialiser",
    );
    check_body_error("bb1:", "line 3, column 1: expected bb0: rows and blocks are numbered in order");
    check_body_error("yield", "line 3, column 1: this instruction belongs to no block");
    check_body_error(
        "bb0:\n",
        "line 3, column 1: the block has no end: expected `jump`, `branch`, `switch`, `return` or `unreachable`",
    );
    check_body_error("bb0:\n  hop", "line 4, column 3: `hop` is not an instruction");
    check_body_error("bb0:\n  %0 = add i32 1", "line 4, column 17: expected ,");
    check_body_error("bb0:\n  %0 = add i129 1, 1", "line 4, column 11: `i129` is not an integer type");
    check_body_error("bb0:\n  %0 = add i8 256, 1", "line 4, column 15: the number does not fit here");
    check_body_error("bb0:\n  %0 = fneg f64 1e999", "line 4, column 17: the number does not fit here");
    check_body_error("bb0:\n  return 0", "line 4, column 10: expected the type of this number before it");
    check_body_error("bb0:\n  return const0", "line 4, column 10: there is no constant `const0`");
    check_body_error("bb0:\n  return @g", "line 4, column 11: there is no global `g`");
    check_body_error("bb0:\n  yield @ place4", "line 4, column 11: there is no place `place4`");
    check_body_error("bb0:\n  yield yield", "line 4, column 9: expected the end of the line");
    check_body_error(
        "bb0:\n  %0 = select true, i8 1, i8 2",
        "line 4, column 8: the type of this result must be written, as in `%3: i32 = …`",
    );
    check_body_error(
        "bb0:\n  %0: i8, %1: i8 = thread_self",
        "line 4, column 20: only a call has several results",
    );
    check_body_error(
        "bb0:\n  return %0",
        "line 4, column 10: register 0 is never assigned; if that is meant, list it after `unassigned`",
    );
    check_body_error("bb0:\n  return %2147483648", "line 4, column 11: the number does not fit here");
    check_body_error(
        "unassigned %x.0: i8\nbb0:\n  return %y.0",
        "line 5, column 10: register 0 has another name elsewhere in this function",
    );
    check_body_error(
        "unassigned %0: i8\nbb0:\n  %0 = thread_self",
        "line 5, column 8: register 0 has another type elsewhere in this function",
    );
    check_body_error("bb0:\n  unsupported \"a", "line 4, column 17: expected \"");
    check_body_error(
        "bb0:\n  unsupported \"\\ff\"",
        "line 4, column 15: after `\\` come two hexadecimal digits, and a name must be UTF-8",
    );
}

#[test]
fn a_small_text_cannot_ask_for_all_memory() {
    let global = |zeros: &str| {
        format!("program LP64 entry &f\nfunc &f()\nglobal @g size 1152921504606846976 align 1 = {zeros}")
    };
    let expect = "line 3, column 51: all runs of zeros together may not exceed 67108864 bytes";
    check_error(&global("zeros 1152921504606846976"), expect);
    check_error(&global("zeros 67108864 zeros 1"), &expect.replace("51", "66"));
    check_body_error(
        "unassigned %2147483647: i32",
        "line 3, column 11: register 0 is never assigned; if that is meant, list it after `unassigned`",
    );
}
