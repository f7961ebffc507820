//! The oracle finds what there is to find in programs like the generator's.

mod common;

use common::scratch;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use threadproof_fuzz::judge::compile;
use threadproof_fuzz::oracle::{explore, states};
use threadproof_fuzz::question::Question;
use threadproof_fuzz::tree::{SourceNode, line};
use tp_explore::Outcome;
use tp_ir::Program;

fn compiled(program: &[SourceNode], folder: &Path) -> Program {
    compile(program, folder).unwrap_or_else(|e| panic!("{e}"))
}

#[track_caller]
fn check(name: &str, body: &str, fails: bool) {
    let source = format!(
        "#include <assert.h>\n#include <pthread.h>\nint __VERIFIER_nondet_int(void);\n\
         void __VERIFIER_atomic_begin(void);\nvoid __VERIFIER_atomic_end(void);\n\
         void __VERIFIER_assume(int);\nint x, y, flag;\n{body}"
    );
    let program = compiled(&[line(source.as_str())], &scratch(name));
    let stop = AtomicBool::new(false);
    let explored = explore(&program, Question::Failures.checks(), 50_000, &stop, &mut ());
    assert!(!matches!(explored.outcome, Outcome::Unknown(_)), "{explored:?}");
    assert_eq!(matches!(explored.outcome, Outcome::Violation(..)), fails, "{explored:?}");
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

/// The count reaches the next iteration only as an argument of a jump; fuzz 30019.
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

/// What a program can print, for the inputs that it was given.
#[test]
fn states_belong_to_inputs() {
    let source = "int printf(const char *, ...);\nint __VERIFIER_nondet_int(void);\n\
        int main(void) { int r = __VERIFIER_nondet_int() & 3; printf(\"%d.\", r * 2); return 0; }";
    let program = compiled(&[line(source)], &scratch("states"));
    let states = states(&program, 100, &AtomicBool::new(false)).unwrap();
    let given = |value| vec![("__VERIFIER_nondet_int".to_owned(), value)];
    assert_eq!(states.len(), 4);
    assert!(states.has("6.", &given(3)) && states.has("0.", &given(0)));
    // Some of the inputs are enough.
    assert!(states.has("6.", &Vec::new()));
    assert!(!states.has("6.", &given(2)) && !states.has("5.", &given(3)));
}

/// Main does not wait for a thread whose assumption fails in the end; fuzz 814320.
#[test]
fn a_state_is_printed_before_an_assumption_fails() {
    let source = "#include <pthread.h>\nint printf(const char *, ...);\nvoid __VERIFIER_assume(int);\nint flag;
        void *f(void *a) { int k = 0; while (!flag) __VERIFIER_assume(k++ < 2); return 0; }
        int main(void) { pthread_t p; pthread_create(&p, 0, f, 0); printf(\"%d\", flag); printf(\".\"); return 0; }";
    let program = compiled(&[line(source)], &scratch("before_assumption"));
    assert!(states(&program, 100, &AtomicBool::new(false)).unwrap().has("0.", &Vec::new()));
}

#[test]
fn a_program_that_races_has_no_states() {
    let source = "#include <pthread.h>\nint printf(const char *, ...);\nint x;
        void *f(void *a) { x = 1; return 0; }
        int main(void) { pthread_t p; pthread_create(&p, 0, f, 0); printf(\"%d.\", x); return 0; }";
    let program = compiled(&[line(source)], &scratch("no_states"));
    assert_eq!(states(&program, 100, &AtomicBool::new(false)).unwrap_err(), "race");
}
