//! A thread that overwrites a lock no longer holds it, even while no other thread runs that could notice.

use crate::{mistaken, twins};

const F: &str = "#include <string.h>
    void *f(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
    const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
    static void make_anew(pthread_mutex_t *l) { *l = fresh; }
    ";

/// The first thread takes the lock and starts a second one. It overwrites the lock before it takes it or, by mistake,
/// after that.
fn while_alone(overwrite: &str) {
    twins(&format!(
        "{F} int main() {{
           pthread_mutex_t *either = __VERIFIER_nondet_bool() ? &m : &n;
         #ifdef MISTAKE
           pthread_mutex_lock(&m);
           {overwrite}
         #else
           {overwrite}
           pthread_mutex_lock(&m);
         #endif
           spawn(f, 0);
           x++;
           pthread_mutex_unlock(&m); }}"
    ));
}

#[test]
fn by_functions_that_make_locks() {
    while_alone("pthread_mutex_init(&m, 0);");
    while_alone("mtx_init((mtx_t *)&m, mtx_plain);");
}

#[test]
fn by_an_assignment() {
    while_alone("m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;");
    while_alone("m = fresh;");
}

#[test]
fn by_bytes() {
    while_alone("memset(&m, 0, sizeof m);");
    while_alone("memcpy(&m, &n, sizeof m);");
    while_alone("for (int i = 0; i < sizeof m; i++) ((char *)&m)[i] = 0;");
}

#[test]
fn by_a_function_through_a_pointer() {
    while_alone("make_anew(&m);");
    while_alone("*either = fresh;");
    while_alone("pthread_mutex_init(either, 0);");
}

#[test]
fn as_part_of_a_struct() {
    twins(
        "struct { int before; pthread_mutex_t lock; } s = {0, PTHREAD_MUTEX_INITIALIZER}, other = {1, PTHREAD_MUTEX_INITIALIZER};
         void *f(void *p) { pthread_mutex_lock(&s.lock); x++; pthread_mutex_unlock(&s.lock); return 0; }
         int main() {
           pthread_mutex_lock(&s.lock);
         #ifdef MISTAKE
           s = other;
         #else
           s.before = other.before;
         #endif
           spawn(f, 0);
           x++;
           pthread_mutex_unlock(&s.lock); }",
    );
}

#[test]
fn beside_the_data() {
    // The index is not known: the lock is known by its distance from the data.
    twins(
        "struct { pthread_mutex_t lock; int data; } a[2] = {{PTHREAD_MUTEX_INITIALIZER}, {PTHREAD_MUTEX_INITIALIZER}};
         void *f(void *p) { pthread_mutex_lock(&a[1].lock); a[1].data++; pthread_mutex_unlock(&a[1].lock); return 0; }
         int main() {
           int i = 1 + __VERIFIER_nondet_bool() - __VERIFIER_nondet_bool() & 1;
           pthread_mutex_lock(&a[i].lock);
         #ifdef MISTAKE
           pthread_mutex_init(&a[i].lock, 0);
         #else
           a[i].data = 0;
         #endif
           spawn(f, 0);
           a[i].data++;
           pthread_mutex_unlock(&a[i].lock); }",
    );
}

#[test]
fn after_it_was_tried() {
    twins(&format!(
        "{F} int main() {{
           int busy = pthread_mutex_trylock(&m);
         #ifdef MISTAKE
           pthread_mutex_init(&m, 0);
         #endif
           spawn(f, 0);
           if (!busy) {{ x++; pthread_mutex_unlock(&m); }} }}"
    ));
}

#[test]
fn in_a_step_while_others_run() {
    // An atomic section does not make a write part of the implementation of locks.
    mistaken(&format!(
        "{F} int main() {{
           spawn(f, 0);
           pthread_mutex_lock(&m);
         #ifdef MISTAKE
           __VERIFIER_atomic_begin();
           memset(&m, 0, sizeof m);
           __VERIFIER_atomic_end();
         #endif
           x++; }}"
    ));
}

#[test]
fn a_lock_of_four_bytes_ends_there() {
    twins(
        "struct { pthread_spinlock_t lock; int data; } s;
         void *f(void *p) { pthread_spin_lock(&s.lock); x++; pthread_spin_unlock(&s.lock); return 0; }
         int main() {
           pthread_spin_init(&s.lock, 0);
           pthread_spin_lock(&s.lock);
           s.data = 1;
         #ifdef MISTAKE
           s.lock = 1;
         #endif
           spawn(f, 0);
           x++;
           pthread_spin_unlock(&s.lock); }",
    );
}
