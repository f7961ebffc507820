//! Locksets, and what may happen in parallel, in C programs.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use threadproof_analysis::callgraph::InstSite;
use threadproof_analysis::lockset::{HoldMode, Locksets};
use threadproof_analysis::mhp::Mhp;
use threadproof_analysis::pointsto::{AbstractObject, PointsTo};
use threadproof_analysis::threads::ThreadFacts;
use tp_frontend::{FrontendOptions, load};
use tp_ir::{Const, Op, Origin, Program};

const HEADER: &str = "
#include <pthread.h>
int a, b, c;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
_Bool __VERIFIER_nondet_bool(void);
";

/// The facts that the tests compare, at the stores to a variable.
struct Facts<'a, 'p> {
    points_to: &'a PointsTo<'p>,
    locksets: Locksets<'a, 'p>,
    mhp: &'a dyn Fn(&Locksets<'a, 'p>, InstSite, InstSite) -> bool,
}

impl Facts<'_, '_> {
    fn stores(&self, variable: &str) -> Vec<InstSite> {
        let (program, calls) = (self.points_to.program(), self.points_to.call_graph());
        let global = program.global_named(variable).expect("there is such a variable");
        let mut sites = Vec::new();
        for context in calls.contexts() {
            let function = &program.functions[calls.function(context)];
            let Some(body) = function.body.as_ref().filter(|_| function.origin == Origin::User) else {
                continue;
            };
            for (block, row) in &body.blocks {
                for (inst, row) in row.insts.iter().enumerate() {
                    let is_store = matches!(&row.op, Op::Store { ptr, .. } if ptr.as_const().is_some_and(
                        |c| matches!(program.constants[c], Const::Global { global: g, .. } if g == global)));
                    sites.extend(is_store.then_some(InstSite { context, block, inst }));
                }
            }
        }
        sites
    }

    fn store(&self, variable: &str) -> InstSite {
        let [site] = self.stores(variable)[..] else { panic!("{variable} is stored to in one place") };
        site
    }

    /// The locks that are held at the store to a variable: `m` exclusively, `m+` shared.
    fn held(&self, variable: &str) -> BTreeSet<String> {
        let state = self.locksets.before(self.store(variable)).expect("it is reachable");
        let locks = state.locks.iter().map(|((object, _), hold)| {
            let AbstractObject::Global(global) = self.points_to.objects().get(*object) else {
                panic!("the locks are variables")
            };
            let mode = if hold.held == HoldMode::Shared { "+" } else { "" };
            format!("{}{mode}", self.points_to.program().globals[global].name)
        });
        locks.collect()
    }

    fn are_parallel(&self, x: &str, y: &str) -> bool {
        (self.mhp)(&self.locksets, self.store(x), self.store(y))
    }
}

fn program(source: &str) -> Program {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let path = folder.path().join("main.c");
    std::fs::write(&path, format!("{HEADER}{source}")).expect("the temporary folder can be written");
    load(&FrontendOptions { inputs: vec![path], ..FrontendOptions::default() }).expect("it compiles").program
}

fn check(source: &str, test: impl Fn(&Facts<'_, '_>)) {
    let program = program(source);
    let stop = AtomicBool::new(false);
    let points_to = PointsTo::new(&program, &stop).expect("it is analysed");
    let threads = ThreadFacts::new(&points_to);
    let locksets = Locksets::new(&points_to, &threads, &stop);
    let mhp = |locksets: &Locksets<'_, '_>, x, y| Mhp::new(&points_to, &threads, locksets).are_parallel(x, y);
    test(&Facts { points_to: &points_to, locksets, mhp: &mhp });
}

fn names<const N: usize>(names: [&str; N]) -> BTreeSet<String> {
    names.map(str::to_owned).into()
}

#[test]
fn locks_are_held_until_they_are_given_back() {
    let source = "int main() {
        pthread_mutex_lock(&m); a = 1;
        pthread_mutex_lock(&n); b = 1;
        pthread_mutex_unlock(&m); c = 1; }";
    check(source, |facts| {
        assert_eq!(facts.held("a"), names(["m"]));
        assert_eq!(facts.held("b"), names(["m", "n"]));
        assert_eq!(facts.held("c"), names(["n"]));
    });
}

#[test]
fn a_lock_counts_only_if_it_is_held_on_every_path() {
    let source = "int main() {
        if (__VERIFIER_nondet_bool()) { pthread_mutex_lock(&m); a = 1; }
        b = 1; }";
    check(source, |facts| {
        assert_eq!(facts.held("a"), names(["m"]));
        assert_eq!(facts.held("b"), names([]));
    });
}

#[test]
fn what_was_tried_is_held_where_it_succeeded() {
    let source = "int main() {
        if (pthread_mutex_trylock(&m) == 0) a = 1; else b = 1; }";
    check(source, |facts| {
        assert_eq!(facts.held("a"), names(["m"]));
        assert_eq!(facts.held("b"), names([]));
    });
}

#[test]
fn functions_are_told_apart_by_who_calls_them() {
    let source = "void enter(pthread_mutex_t *l) { pthread_mutex_lock(l); }
      int main() { enter(&m); a = 1; enter(&n); b = 1; pthread_rwlock_rdlock(&r); c = 1; }";
    check(source, |facts| {
        assert_eq!(facts.held("a"), names(["m"]));
        assert_eq!(facts.held("b"), names(["m", "n"]));
        assert_eq!(facts.held("c"), names(["m", "n", "r+"]));
    });
}

#[test]
fn a_thread_runs_from_its_start_until_it_is_waited_for() {
    let source = "int before, after;
      void *f(void *p) { a = 1; return 0; }
      int main() { pthread_t t; before = 1; pthread_create(&t, 0, f, 0); b = 1; pthread_join(t, 0); after = 1; }";
    check(source, |facts| {
        assert!(!facts.are_parallel("before", "a"));
        assert!(facts.are_parallel("b", "a") && facts.are_parallel("a", "b"));
        assert!(!facts.are_parallel("after", "a"));
        assert!(!facts.are_parallel("b", "b"), "there is one main thread");
    });
}

#[test]
fn threads_started_one_after_the_other_do_not_meet() {
    let source = "void *f(void *p) { a = 1; return 0; }
      void *g(void *p) { b = 1; return 0; }
      int main() { pthread_t t, u; pthread_create(&t, 0, f, 0); JOIN pthread_create(&u, 0, g, 0); }";
    let joined = source.replace("JOIN", "pthread_join(t, 0);");
    check(&joined, |facts| assert!(!facts.are_parallel("a", "b")));
    check(&source.replace("JOIN", ""), |facts| assert!(facts.are_parallel("a", "b")));
}

#[test]
fn threads_of_a_loop_run_beside_one_another() {
    let source = "void *f(void *p) { a = 1; return 0; }
      int main() {
        pthread_t t[4];
        for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, f, 0);
        b = 1;
        for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
        c = 1; }";
    check(source, |facts| {
        assert!(facts.are_parallel("a", "a"), "two instances of one thread");
        assert!(facts.are_parallel("a", "b"));
        assert!(!facts.are_parallel("a", "c"), "all of them were joined");
    });
}
