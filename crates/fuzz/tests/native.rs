//! Compiled programs: impossible behaviour is noticed, and the program is shrunk.

mod common;

use common::scratch;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use threadproof_fuzz::ask::{JudgeLimits, Subject};
use threadproof_fuzz::judge::compile;
use threadproof_fuzz::native::{Build, ListStates, Native, Sort, Stressed, explored};
use threadproof_fuzz::oracle::States;
use threadproof_fuzz::shrink;
use threadproof_fuzz::tree::{self, SourceNode};
use tp_ir::Program;

fn parsed(text: &str) -> Vec<SourceNode> {
    tree::parse(text).expect("braces match")
}

fn compiled(program: &[SourceNode], folder: &Path) -> Program {
    compile(program, folder).unwrap_or_else(|e| panic!("{e}"))
}

const RUNS: u32 = 20;

const HEADER: &str = "#include <assert.h>
    #include <pthread.h>
    #include <stdlib.h>
    int printf(const char *, ...);
    int __VERIFIER_nondet_int(void);
    void __VERIFIER_assume(int);
    int x, y;
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;";

/// Two threads that may come in either order.
const TWO: &str = "void *f(void *arg) {
    pthread_mutex_lock(&m);
    x = x * 2 + 1;
    pthread_mutex_unlock(&m);
    return 0;
    }
    int main(void) {
    pthread_t t;
    y = __VERIFIER_nondet_int() & 3;
    pthread_create(&t, 0, f, 0);
    pthread_mutex_lock(&m);
    x = x * 3 + 1;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    END
    printf(\"%d %d.\", x, y);
    return 0;
    }";

fn program(end: &str) -> Vec<SourceNode> {
    parsed(&format!("{HEADER}\n{}", TWO.replace("END", end)))
}

fn stressed(name: &str, program: &[SourceNode], build: Build, states: ListStates) -> Stressed {
    let folder = scratch(name);
    let mut native = Native::new(&folder, RUNS).unwrap();
    native.patience[1] = 2_000;
    native.stress(program, &folder, build, JudgeLimits::default(), states).unwrap()
}

#[test]
fn the_states_that_there_are() {
    for (build, name) in [(Build::Optimised, "o"), (Build::Threads, "t"), (Build::Memory, "m")] {
        match stressed(&format!("native-{name}"), &program(""), build, explored) {
            // Two orders, four inputs; how many of them are seen is up to the machine.
            Stressed::Agrees { seen, of: 8 } => assert!(seen > 0),
            other => panic!("{other:?}"),
        }
    }
}

/// The states of another program: none that the compiled program prints is among them.
fn one_order(subject: &Subject, stop: &AtomicBool) -> Result<States, String> {
    let text = "int printf(const char *, ...);\nint main(void) {\nprintf(\"none.\");\nreturn 0;\n}";
    let other = compiled(&parsed(text), &scratch("native-one"));
    explored(&Subject::new(other, subject.limits), stop)
}

#[test]
fn a_state_that_was_overlooked_is_seen_and_shrunk() {
    let folder = scratch("native-overlooked");
    let native = Native::new(&folder, RUNS).unwrap();
    let (program, limits) = (program("x++;"), JudgeLimits::default());
    let found = native.stress(&program, &folder, Build::Optimised, limits, one_order).unwrap();
    assert!(matches!(found, Stressed::Impossible(Sort::State, _)), "{found:?}");
    let small = shrink::native(program, Sort::State, &native, (Build::Optimised, limits, one_order), &folder);
    let text = tree::print(&small);
    assert!(text.contains("printf") && !text.contains("pthread_create") && !text.contains("x++"), "{text}");
}

/// Programs with a race or other undefined behaviour may do anything.
#[test]
fn what_is_undefined_is_not_compared() {
    let check = |end: &str, expect: &str| {
        let found = stressed("native-undefined", &program(end), Build::Optimised, explored);
        assert_eq!(found, Stressed::Skipped(expect.to_owned()), "{end}");
    };
    check("x = 2147483647; x++;", "overflow");
    check("free(&x);", "invalid-free");
    let race = tree::print(&program("")).replace("pthread_join(t, 0);", "");
    let found = stressed("native-race", &parsed(&race), Build::Optimised, explored);
    assert_eq!(found, Stressed::Skipped("race".to_owned()));
}

/// The states of the program without its `END` statement, which the compiled program executes all the same.
fn harmless(subject: &Subject, stop: &AtomicBool) -> Result<States, String> {
    let other = compiled(&program(""), &scratch("native-harmless"));
    explored(&Subject::new(other, subject.limits), stop)
}

#[test]
fn crashes_hangs_and_complaints_of_sanitizers() {
    let check = |end: &str, build, expect| match stressed("native-ends", &program(end), build, harmless) {
        Stressed::Impossible(sort, _) => assert_eq!(sort, expect, "{end}"),
        other => panic!("{end}: {other:?}"),
    };
    check("*(volatile int *)8 = 1;", Build::Optimised, Sort::Crash);
    check("*((volatile int *)malloc(4) + 1) = 1;", Build::Memory, Sort::Sanitizer);
    check("y += 2147483647; y += 2147483647;", Build::Memory, Sort::Sanitizer);
    check("pthread_mutex_lock(&m); pthread_mutex_lock(&m);", Build::Optimised, Sort::Hang);
    check("pthread_create(&t, 0, f, 0); x = 1;", Build::Threads, Sort::Sanitizer);
}

/// A failure counts only where the explorer finds none; runs whose assumption fails do not count.
#[test]
fn failures_and_assumptions() {
    let fails = stressed("native-fails", &program("assert(x == 3);"), Build::Optimised, explored);
    assert!(matches!(fails, Stressed::Agrees { .. }), "{fails:?}");
    let assumed =
        stressed("native-assumed", &program("__VERIFIER_assume(y > 4);"), Build::Optimised, explored);
    assert_eq!(assumed, Stressed::Agrees { seen: 0, of: 0 });
}
