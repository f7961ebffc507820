//! Which threads the rest of a program cannot tell apart.

use super::{compile, open};

/// Checks how many threads' starts are interchangeable: the number of calls in each set.
fn check(work: &str, main: &str, sets: &[usize]) {
    let source = format!("void *work(void *arg) {{ {work} }} int main(void) {{ {main} return 0; }}");
    let program = compile(&source, false);
    let found: Vec<usize> = open(&program).interchangeable.iter().map(Vec::len).collect();
    assert_eq!(found, sets, "{source}");
}

const WORK: &str = "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return arg;";

#[test]
fn threads_that_are_only_joined_are_interchangeable() {
    let two = "pthread_t a, b; pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);";
    check(WORK, &format!("{two} pthread_join(a, 0); pthread_join(b, 0);"), &[2]);
    check(WORK, &format!("{two} pthread_join(b, 0); pthread_join(a, 0);"), &[2]);
    check(WORK, &format!("{two} x = 1; pthread_join(a, 0); pthread_join(b, 0); x = 2;"), &[2]);
    check(WORK, &format!("{two} if (pthread_join(a, 0)) abort(); pthread_join(b, 0);"), &[2]);
    let many = "pthread_t a[4]; for (int i = 0; i < 4; i++) pthread_create(&a[i], 0, work, &y);";
    check(WORK, &format!("{many} for (int i = 0; i < 4; i++) pthread_join(a[i], 0);"), &[1]);
}

#[test]
fn what_main_does_between_joins_tells_them_apart() {
    let two = "pthread_t a, b; pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);";
    check(WORK, &format!("{two} pthread_join(a, 0); x = 2; pthread_join(b, 0);"), &[]);
    check(WORK, &format!("{two} pthread_join(a, 0); with(&m); pthread_join(b, 0);"), &[]);
    check(WORK, &format!("{two} pthread_join(a, 0);"), &[]);
    check(WORK, &format!("{two} void *r; pthread_join(a, &r); pthread_join(b, 0);"), &[]);
    check(WORK, &format!("{two} pthread_join(a, 0); if (y) {{ x = 2; exit(0); }} pthread_join(b, 0);"), &[]);
    check(WORK, &format!("{two} if (pthread_join(a, 0) == 0) {{ x = 2; }} pthread_join(b, 0);"), &[]);
    let many = "pthread_t a[4]; for (int i = 0; i < 4; i++) pthread_create(&a[i], 0, work, &y);";
    check(WORK, &format!("{many} for (int i = 0; i < 4; i++) {{ pthread_join(a[i], 0); y = i; }}"), &[]);
    check(WORK, &format!("{many} for (int i = 0; i < 3; i++) pthread_join(a[i], 0);"), &[]);
}

#[test]
fn arguments_and_ids_tell_them_apart() {
    let join = "pthread_join(a, 0); pthread_join(b, 0);";
    let other = "pthread_t a, b; pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, &x);";
    check(WORK, &format!("{other} {join}"), &[]);
    let two = "pthread_t a, b; pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);";
    check(WORK, &format!("{two} if (pthread_equal(a, b)) x = 1; {join}"), &[]);
    check(WORK, &format!("{two} pthread_t c = a; {join} y = c == b;"), &[]);
    check(WORK, &format!("{two} pthread_join(a, 0); pthread_join(a, 0); pthread_join(b, 0);"), &[]);
    let self_id = "static pthread_t me; me = pthread_self(); return arg;";
    check(self_id, &format!("{two} {join}"), &[]);
    let number = "int gettid(void); x = gettid(); return arg;";
    check(number, &format!("{two} {join}"), &[]);
    let many = "pthread_t a[4]; for (long i = 0; i < 4; i++) pthread_create(&a[i], 0, work, (void *)i);";
    check(WORK, &format!("{many} for (int i = 0; i < 4; i++) pthread_join(a[i], 0);"), &[]);
}
