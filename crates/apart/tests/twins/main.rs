//! Programs in pairs: one that is free of races, which the analysis has to prove, and with `MISTAKE` defined one that
//! looks much like it and has a race, which the explorer has to execute.

mod locks;
mod memory;
mod numbers;
mod overwritten;
mod symmetry;
mod threads;
mod unions;

use std::sync::atomic::AtomicBool;
use threadproof_apart::{Open, may_race, reasons};
use tp_explore::{ExploreLimits, Outcome, explore};
use tp_frontend::{FrontendOptions, load};
use tp_ir::{Checks, Program, Property};

/// What every program starts with.
const HEADER: &str = "
#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>
#include <threads.h>
#include <stdatomic.h>
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static void with(pthread_mutex_t *l) { pthread_mutex_lock(l); x++; pthread_mutex_unlock(l); }
static pthread_t spawn(void *(*f)(void *), void *p) { pthread_t t; pthread_create(&t, 0, f, p); return t; }
";

fn compile(source: &str, mistake: bool) -> Program {
    compile_with(source, mistake, FrontendOptions::default())
}

/// Functions that are defined nowhere do nothing.
fn compile_pure(source: &str, mistake: bool) -> Program {
    compile_with(source, mistake, FrontendOptions { assume_pure: true, ..FrontendOptions::default() })
}

fn compile_with(source: &str, mistake: bool, options: FrontendOptions) -> Program {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let path = folder.path().join("main.c");
    std::fs::write(&path, format!("{HEADER}{source}")).expect("the temporary folder can be written");
    let mut clang_args = vec!["-w".to_owned()];
    clang_args.extend(mistake.then(|| "-DMISTAKE".to_owned()));
    let options = FrontendOptions { inputs: vec![path], clang_args, ..options };
    load(&options).unwrap_or_else(|error| panic!("{error}")).program
}

fn open(program: &Program) -> Open {
    may_race(program, &AtomicBool::new(false)).unwrap_or_else(|why| panic!("{why:?}"))
}

/// Whether the checker accepts the facts of the analysis as a proof that nothing races.
fn is_certified(program: &Program) -> Result<(), String> {
    let text = reasons(program, &AtomicBool::new(false)).unwrap_or_else(|why| panic!("{why:?}"));
    tp_certify::check_races(text.as_bytes()).map(|_| ()).map_err(|why| why.to_string())
}

/// The checker accepts the certificate, unless addresses decide something in the program: it has no rules for that.
fn certified(program: &Program) {
    let numbers = [
        "a part of an address is used as an address",
        "an address decides something",
        "a comparison tells of an address",
        "a number is compared with an address",
    ];
    if let Err(why) = is_certified(program) {
        assert!(numbers.iter().any(|number| why.contains(number)), "{why}");
    }
}

fn is_racy(program: &Program) -> bool {
    let stop = AtomicBool::new(false);
    let limits = ExploreLimits {
        run: tp_explore::RunLimits { max_steps: 2_000, max_memory: 1 << 24, max_depth: 100 },
        max_executions: 500,
        contexts: tp_explore::ContextBound::None,
        inputs_below: Some(2),
        stop: &stop,
    };
    let checks = Checks::NONE.with(Property::Race);
    matches!(explore(program, checks, &limits, &mut ()).outcome, Outcome::Violation(..))
}

/// The program without the mistake is proved to be free of races, and the other one is not.
fn twins(source: &str) {
    let right = compile(source, false);
    assert!(!is_racy(&right), "the right one races");
    assert_eq!(open(&right).pairs, [], "the right one");
    certified(&right);
    mistaken(source);
}

/// The program has a race with the mistake, and none without it; the analysis need not prove the latter.
fn mistaken(source: &str) {
    let wrong = compile(source, true);
    assert!(is_racy(&wrong), "the mistake has no race");
    assert_ne!(open(&wrong).pairs, [], "the mistaken one");
    assert!(is_certified(&wrong).is_err(), "the mistaken one has a certificate");
}

/// Like `twins`, where the mistake itself is undefined behaviour: what comes after it does not count, but the analysis
/// does not rely on that.
fn doubtful(source: &str) {
    let right = compile(source, false);
    assert!(!is_racy(&right), "the right one races");
    assert_eq!(open(&right).pairs, [], "the right one");
    certified(&right);
    let wrong = compile(source, true);
    assert_ne!(open(&wrong).pairs, [], "the mistaken one");
    assert!(is_certified(&wrong).is_err(), "the mistaken one has a certificate");
}
