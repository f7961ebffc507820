//! The oracle: that it finds what there is in programs as the generator makes them.

use std::path::PathBuf;
use threadproof_fuzz::oracle::{Truth, explore};
use tp_ir::{Checks, Program, Property};

fn load(name: &str, source: &str) -> Program {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("program.c");
    std::fs::write(&path, source).unwrap();
    let options =
        tp_frontend::Options { inputs: vec![path], clang_args: vec!["-w".into()], ..Default::default() };
    tp_frontend::load(&options).unwrap_or_else(|e| panic!("{e}\n{source}")).program
}

fn checks() -> Checks {
    Checks::NONE.with(Property::Assert).with(Property::ReachError).with(Property::Lock)
}

#[track_caller]
fn check(name: &str, body: &str, fails: bool) {
    let source = format!(
        "#include <assert.h>\n#include <pthread.h>\nint __VERIFIER_nondet_int(void);\n\
         void __VERIFIER_atomic_begin(void);\nvoid __VERIFIER_atomic_end(void);\n\
         void __VERIFIER_assume(int);\nint x, y, flag;\n{body}"
    );
    let answer = explore(&load(name, &source), checks(), 50_000);
    assert!(!matches!(answer.truth, Truth::Unknown(_)), "{:?} after {} traces", answer.truth, answer.traces);
    assert_eq!(matches!(answer.truth, Truth::Fails(_)), fails, "{} traces", answer.traces);
}

const TWO: &str = "int main(void) { pthread_t p, q; pthread_create(&p, 0, f, 0); pthread_create(&q, 0, g, 0);
    pthread_join(p, 0); pthread_join(q, 0); return 0; }";

#[test]
fn a_single_order_is_found() {
    let body = "void *f(void *a) { x = 1; x = 2; x = 3; return 0; }
        void *g(void *a) { int r = x; int s = x; assert(!(r == 1 && s == 3)); return 0; }";
    check("order", &format!("{body}\n{TWO}"), true);
    let body = body.replace("r == 1 && s == 3", "r == 3 && s == 1");
    check("no_order", &format!("{body}\n{TWO}"), false);
}

#[test]
fn a_spin_loop_waits() {
    let body = "void *f(void *a) { x = 1; flag = 1; return 0; }
        void *g(void *a) {\n while (!flag); /* spin */\n assert(x == 1); return 0; }";
    check("spin", &format!("{body}\n{TWO}"), false);
    check("spin_wrong", &format!("{}\n{TWO}", body.replace("x = 1; flag = 1;", "flag = 1; x = 1;")), true);
}

/// The count is handed from round to round by a jump only; fuzz 30019.
#[test]
fn a_loop_that_counts_and_reads_does_not_wait() {
    let body = "void *f(void *a) { return 0; }
        void *g(void *a) { int c = 0;\n while (c < 2) {\n c++; int *p = &y + (x & 1); }\n flag = 1; return 0; }";
    let two = TWO.replace("return 0; }", "assert(!flag); return 0; }");
    check("counts", &format!("{body}\n{two}"), true);
}

#[test]
fn a_spin_lock_waits() {
    let body = "void *f(void *a) {\n while (__atomic_exchange_n(&flag, 1, 5)); /* spin */
        x = 1; flag = 0; return 0; }
        void *g(void *a) {\n do { while (flag); } while (__atomic_fetch_or(&flag, 1, 5)); /* spin */
        int r = x; assert(r == x); return 0; }";
    check("lock", &format!("{body}\n{TWO}"), false);
    let body = body.replace("x = 1; flag = 0;", "flag = 0; x = 1;");
    check("lock_wrong", &format!("{body}\n{TWO}"), true);
}

#[test]
fn a_loop_that_waits_for_one_of_two() {
    let body = "void *f(void *a) { x = 1; flag = 1; return 0; }
        void *g(void *a) {\n while (!flag && !y); /* spin */\n assert(x == 1 || y); return 0; }";
    check("either", &format!("{body}\n{TWO}"), false);
    let body = body.replace("x = 1; flag = 1;", "flag = 1; x = 1;");
    check("either_wrong", &format!("{body}\n{TWO}"), true);
}

#[test]
fn an_input_in_a_step_that_waits_is_tried_again() {
    let body = "void *f(void *a) { x = 2; return 0; }
        void *g(void *a) { __VERIFIER_atomic_begin(); int r = __VERIFIER_nondet_int() & 3;
        __VERIFIER_assume(r == x); y = r; __VERIFIER_atomic_end(); assert(y != 2); return 0; }";
    check("input", &format!("{body}\n{TWO}"), true);
    check("input_not", &format!("{}\n{TWO}", body.replace("y != 2", "y != 1")), false);
}
