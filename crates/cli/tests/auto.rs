//! `check --engine auto`: two engines in parallel, and the first that knows answers.

mod common;

use common::{root, run, scratch_with};
use serde_json::Value;
use std::path::Path;

/// Iterations that change nothing, without end: only the solver sees that they are all alike.
const ENDLESS: &str = "#include <pthread.h>
#include <threadproof.h>
static int x;
static void *work(void *unused) {
    while (tp_input_bool(\"more\"))
        if (__atomic_load_n(&x, __ATOMIC_SEQ_CST) > 1)
            tp_assert(0);
    return unused;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
    pthread_join(a, 0);
    return 0;
}
";

/// Grows with every iteration: no engine comes to an end.
const GROWING: &str = "#include <threadproof.h>
static unsigned x, y;
int main(void) {
    while (tp_input_bool(\"more\")) {
        x += 3;
        y += 3;
    }
    tp_assert(x == y);
    return 0;
}
";

/// Too many executions to explore in a moment, and arithmetic that is hard for the solver.
const HASH: &str = "#include <pthread.h>
#include <threadproof.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned hash = 1;
static void *work(void *by) {
    for (int i = 0; i < 6; i++) {
        pthread_mutex_lock(&lock);
        hash = (hash ^ (unsigned)(long)by) * 16777619u;
        pthread_mutex_unlock(&lock);
    }
    return by;
}
int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, work, (void *)3);
    pthread_create(&b, 0, work, (void *)5);
    pthread_create(&c, 0, work, (void *)7);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    tp_assert(hash != 0);
    return 0;
}
";

/// No engine comes to an end of the loops, and after them a function without model is called.
const UNMODELLED: &str = "#include <pthread.h>
#include <threadproof.h>
extern int gone(void);
static int x;
static void *work(void *u) { while (tp_input_bool(\"more\")) __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST); return u; }
int main(void) { pthread_t a, b; pthread_create(&a,0,work,0); pthread_create(&b,0,work,0); pthread_join(a,0); pthread_join(b,0); return gone(); }
";

fn check_in(folder: &Path, arguments: &[&str]) -> Value {
    let all = [&["check", "program.c", "--json", "--engine", "auto"], arguments].concat();
    serde_json::from_str(&run(folder, &all).stdout).expect("one document")
}

fn check(test: &str, source: &str, arguments: &[&str]) -> Value {
    check_in(&scratch_with(&format!("auto/{test}"), "program.c", source), arguments)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(root().join("tests/check").join(name)).expect("a program of ours")
}

#[test]
fn whoever_is_first_says_the_same() {
    for (name, verdict) in [("mutex/lost_update.c", "violated"), ("mutex/lost_update_fixed.c", "safe")] {
        let json = check("first", &text(name), &[]);
        assert_eq!(json["verdict"], verdict, "{name}");
        assert!(["order", "explore"].contains(&json["engine"].as_str().unwrap_or_default()), "{json}");
    }
}

#[test]
fn what_only_the_solver_knows() {
    let json = check("solver", ENDLESS, &[]);
    assert_eq!((&json["verdict"], &json["engine"]), (&"safe".into(), &"order".into()), "{json}");
}

#[test]
fn what_only_an_execution_shows() {
    let unwritten = "int main(void) { int a[2]; a[0] = 1; return a[1] != 0 ? 0 : a[0]; }";
    for (source, verdict) in [(unwritten, "violated"), (&text("mutex/lost_update_fixed.c"), "safe")] {
        let json = check("execution", source, &["--property", "uninitialised"]);
        assert_eq!((&json["verdict"], &json["engine"]), (&verdict.into(), &"explore".into()), "{json}");
    }
}

#[test]
fn what_nobody_knows_is_safe_as_far_as_loops_were_followed() {
    let json = check("nobody", GROWING, &["--unwind", "4", "--timeout", "2"]);
    assert_eq!(
        (&json["verdict"], &json["engine"]),
        (&"safe within bounds".into(), &"order".into()),
        "{json}"
    );
    assert_eq!(json["ledger"]["bounds"]["unwind"], 4, "{json}");
}

#[test]
fn a_proof_is_asked_of_who_leaves_one() {
    let folder = scratch_with("auto/proof", "program.c", &text("mutex/lost_update_fixed.c"));
    let json = check_in(&folder, &["--certify", "proof"]);
    assert_eq!((&json["verdict"], &json["engine"]), (&"safe".into(), &"order".into()), "{json}");
    assert_eq!(run(&folder, &["certify", "proof"]).status, 0);
    for property in ["race", "deadlock", "race,assert"] {
        let arguments = ["check", "program.c", "--engine", "auto", "--property", property, "--certify", "p"];
        let done = run(&folder, &arguments);
        assert_eq!(done.status, 0, "{property}: {}", done.stderr);
        assert_eq!(run(&folder, &["certify", "p"]).status, 0, "{property}");
    }
}

/// When time is up, the results of both engines are reported, whichever of them answers.
#[test]
fn what_is_known_when_time_is_up() {
    let json = check("time", HASH, &["--property", "assert", "--timeout", "3"]);
    assert_eq!((&json["verdict"], &json["reason"]), (&"unknown".into(), &"timeout".into()), "{json}");
    let explored = json["ledger"]["explored"].as_u64();
    assert!(explored > Some(0), "{json}");
    let numbers = if json["engine"] == "order" { "statistics_beside" } else { "statistics" };
    assert_eq!(json[numbers]["traces"].as_u64(), explored, "{json}");
    assert!(json["statistics_beside"].is_object(), "{json}");
    let folder = scratch_with("auto/time-alone", "program.c", HASH);
    let alone =
        ["check", "program.c", "--json", "--engine", "explore", "--property", "assert", "--timeout", "2"];
    let alone: Value = serde_json::from_str(&run(&folder, &alone).stdout).expect("one document");
    assert!(alone["ledger"]["explored"].as_u64() > Some(0), "{alone}");
}

/// One engine only knows that time was up; the other one knows why there would be no answer anyway.
#[test]
fn the_reason_is_what_an_engine_knows() {
    let json = check("reason", UNMODELLED, &["--timeout", "4"]);
    assert_eq!(
        (&json["verdict"], &json["reason"]),
        (&"unknown".into(), &"no model for `gone`".into()),
        "{json}"
    );
}
