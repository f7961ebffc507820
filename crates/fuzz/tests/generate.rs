//! The generator: everything it should make occurs, and the weights are respected.

use std::collections::BTreeMap;
use threadproof_fuzz::generate::{Weights, program};
use threadproof_fuzz::tree;

const PROGRAMS: u64 = 1200;

fn sources(weights: &str) -> Vec<String> {
    let weights: Weights = weights.parse().unwrap();
    (0..PROGRAMS).map(|seed| tree::print(&program(seed, &weights).program)).collect()
}

/// How many programs have one of these texts after their declarations.
fn having(sources: &[String], texts: &[&str]) -> usize {
    let code = |s: &&String| {
        let begin = s.find("void *thread").unwrap_or(0);
        texts.iter().any(|t| s[begin..].contains(t))
    };
    sources.iter().filter(code).count()
}

/// Occurs in at least this percentage of the programs.
#[track_caller]
fn occurs(sources: &[String], texts: &[&str], percent: usize) {
    let found = having(sources, texts);
    assert!(found * 100 >= percent * sources.len(), "{texts:?}: {found} of {}", sources.len());
}

#[test]
fn everything_occurs() {
    let sources = sources("");
    let check = |texts: &[&str], percent| occurs(&sources, texts, percent);
    // Variables, arrays, pointers, structures.
    check(&["x = ", "x += ", "x++"], 35);
    check(&[" a[", " ca[", "grid[", " b["], 8);
    check(&["*gp", "**pp", "*hp", "int *p", "*(int *)arg"], 20);
    check(&["s.a", "s.b", "t.a", "t.c", "->v", "od[", "op->"], 15);
    check(&["malloc(", "calloc("], 15);
    check(&["free("], 5);
    // What threads wait for and synchronise with.
    check(&["pthread_mutex_lock"], 30);
    check(&["pthread_mutex_trylock"], 1);
    check(&["pthread_cond_wait"], 2);
    check(&["pthread_cond_signal", "pthread_cond_broadcast"], 2);
    check(&["sem_wait", "sem_trywait"], 2);
    check(&["pthread_barrier_wait"], 1);
    check(&["pthread_once("], 1);
    check(&["pthread_setspecific", "pthread_getspecific"], 1);
    check(&["kept = &", "kept = c"], 2);
    check(&["atomic_fetch_add(", "atomic_compare_exchange_strong(", "atomic_exchange("], 3);
    check(&["memory_order_release", "memory_order_acquire"], 1);
    check(&["__sync_", "__atomic_"], 5);
    check(&["__VERIFIER_atomic_begin"], 1);
    check(&["/* spin */"], 5);
    // Where objects lie, and what comes before the threads.
    check(&["&ab", "= ab", "seen"], 2);
    check(&["(char *)(od", "(uintptr_t)(od", "od2"], 1);
    check(&["&un"], 1);
    check(&["up < "], 1);
    // Branches on shared data, loops, inputs, claims.
    check(&["if (x ", "if (y ", "if (z ", "if (i0 ", "if (i1 "], 30);
    check(&["for (", "while (", "do {"], 15);
    check(&["__VERIFIER_nondet_"], 50);
    check(&["__VERIFIER_assume"], 3);
    check(&["assert("], 80);
    check(&["reach_error()"], 6);
    // What may go wrong otherwise.
    check(&["2147483647", "1073741824"], 3);
    check(&[" / x;", " % x;", " / y;", "1 << "], 2);
    check(&["*np"], 2);
    check(&["pthread_mutex_lock(&da)"], 3);
}

#[test]
fn there_are_two_to_four_threads() {
    let mut counts = [0; 5];
    for source in sources("") {
        counts[1 + (0..4).filter(|i| source.contains(&format!("pthread_t t{i};"))).count()] += 1;
    }
    assert_eq!(counts[..2], [0, 0]);
    assert!(counts[2..].iter().all(|c| *c > 20), "{counts:?}");
}

#[test]
fn weights_say_what_there_is() {
    let none = sources("atomics=0,locks=0,guards=0,frees=0");
    assert_eq!(having(&none, &["atomic_fetch_add(", "pthread_mutex_lock(&m)", "free(fr)"]), 0);
    let more = sources("locks=40");
    assert!(having(&more, &["pthread_mutex_lock(&m)"]) > having(&sources(""), &["pthread_mutex_lock(&m)"]));
    let only = sources("all=0,conditions=1");
    occurs(&only, &["pthread_cond_"], 80);
    assert_eq!(having(&only, &["atomic_", "malloc", "a[", "/* spin */", "free("]), 0);
}

#[test]
fn weights_that_are_none() {
    let check = |text: &str, expect: &str| {
        let error = text.parse::<Weights>().unwrap_err();
        assert!(error.starts_with(expect), "{text}: {error}");
    };
    check("licks=1", "`licks` is none of: all, arrays, ");
    check("locks", "`locks` is not word=number");
    check("locks=many", "`many` is not a number");
    check("all=0", "nothing is left");
}

/// In guarded programs every access to a shared variable is between lock and unlock.
#[test]
fn guarded_programs_lock_before_they_access() {
    for source in sources("all=0,guards=1") {
        let mut held = 0;
        let threads = &source[source.find("void *thread").unwrap()..source.find("int main").unwrap()];
        for line in threads.lines().map(str::trim) {
            match line {
                "pthread_mutex_lock(&m);" => held += 1,
                "pthread_mutex_unlock(&m);" => held -= 1,
                _ if line.starts_with("int ") || line.starts_with("void ") => {}
                _ => {
                    let accesses = ["x ", "y ", "z ", "i0 ", "i1 "].iter().any(|v| line.starts_with(v));
                    assert!(!accesses || held == 1, "{line}\n{source}");
                }
            }
        }
    }
}

/// A campaign of 30,000 programs should judge at least 500 that use each topic; not all programs are judged.
#[test]
fn every_topic_is_used_often_enough() {
    let mut used: BTreeMap<&str, u32> = Weights::words().into_iter().map(|word| (word, 0)).collect();
    for seed in 0..6_000 {
        for topic in program(seed, &Weights::default()).topics {
            *used.entry(topic).or_default() += 1;
        }
    }
    let rare: Vec<_> = used.iter().filter(|(_, count)| **count < 130).collect();
    assert!(rare.is_empty(), "{rare:?} of {used:?}");
}
