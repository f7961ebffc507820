//! Which locks are held, and whether they exclude other threads.

use crate::{doubtful, mistaken, twins};

#[test]
fn the_same_lock() {
    twins(
        "#ifdef MISTAKE
         #define OTHER n
         #else
         #define OTHER m
         #endif
         void *f(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
         int main() { spawn(f, 0); pthread_mutex_lock(&OTHER); x++; pthread_mutex_unlock(&OTHER); }",
    );
}

#[test]
fn a_lock_given_back_on_one_path() {
    twins(
        "void *f(void *p) {
           pthread_mutex_lock(&m);
         #ifdef MISTAKE
           if (__VERIFIER_nondet_bool()) pthread_mutex_unlock(&m);
         #endif
           x++;
           pthread_mutex_unlock(&m);
           return 0; }
         int main() { spawn(f, 0); spawn(f, 0); }",
    );
}

#[test]
fn a_lock_taken_on_one_path() {
    twins(
        "void *f(void *p) {
           _Bool b = __VERIFIER_nondet_bool();
         #ifdef MISTAKE
           if (b)
         #endif
           pthread_mutex_lock(&m);
           x++;
           return 0; }
         int main() { spawn(f, 0); spawn(f, 0); }",
    );
}

#[test]
fn a_lock_that_others_give_back() {
    doubtful(
        "void *f(void *p) { pthread_mutex_lock(&m); x++; x++; pthread_mutex_unlock(&m); return 0; }
         void *g(void *p) {
         #ifdef MISTAKE
           pthread_mutex_unlock(&m);
         #endif
           return 0; }
         int main() { spawn(f, 0); spawn(f, 0); spawn(g, 0); }",
    );
}

#[test]
fn a_lock_that_is_made_anew() {
    twins(
        "void *f(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
         int main() {
           pthread_mutex_init(&m, 0);
           spawn(f, 0); spawn(f, 0);
         #ifdef MISTAKE
           pthread_mutex_init(&m, 0);
         #endif
         }",
    );
}

#[test]
fn a_trylock_that_is_heeded() {
    twins(
        "void *f(void *p) {
           int busy = pthread_mutex_trylock(&m);
         #ifdef MISTAKE
           x++;
         #endif
           if (!busy) { x++; pthread_mutex_unlock(&m); }
           return 0; }
         int main() { spawn(f, 0); spawn(f, 0); }",
    );
}

#[test]
fn a_trylock_that_is_read_the_right_way_round() {
    twins(
        "#ifdef MISTAKE
         #define IS !=
         #else
         #define IS ==
         #endif
         void *f(void *p) {
           if (pthread_mutex_trylock(&m) IS 0) x++;
           return 0; }
         int main() { pthread_mutex_trylock(&m); spawn(f, 0); spawn(f, 0); }",
    );
}

#[test]
fn a_trylock_is_over_when_it_was_given_back() {
    twins(
        "void *f(void *p) {
           int busy = pthread_mutex_trylock(&m);
           if (busy) return 0;
         #ifdef MISTAKE
           pthread_mutex_unlock(&m);
         #endif
           if (busy == 0) x++;
           return 0; }
         int main() { spawn(f, 0); spawn(f, 0); }",
    );
}

#[test]
fn readers_and_writers() {
    twins(
        "#ifdef MISTAKE
         #define WRITE pthread_rwlock_rdlock
         #else
         #define WRITE pthread_rwlock_wrlock
         #endif
         void *f(void *p) { pthread_rwlock_rdlock(&rw); y = x; pthread_rwlock_unlock(&rw); return 0; }
         int main() { spawn(f, 0); WRITE(&rw); x = 1; pthread_rwlock_unlock(&rw); }",
    );
}

#[test]
fn a_pointer_to_one_of_two_locks() {
    twins(
        "void *f(void *p) { with(p); return 0; }
         int main() {
           pthread_mutex_t *l = &m;
         #ifdef MISTAKE
           if (__VERIFIER_nondet_bool()) l = &n;
         #endif
           spawn(f, l); with(&m); }",
    );
}

#[test]
fn one_lock_of_an_array() {
    twins(
        "pthread_mutex_t locks[2];
         #ifdef MISTAKE
         #define I 1
         #else
         #define I 0
         #endif
         void *f(void *p) { with(&locks[0]); return 0; }
         int main() { spawn(f, 0); with(&locks[I]); }",
    );
}

#[test]
fn any_lock_of_an_array() {
    mistaken(
        "pthread_mutex_t locks[2];
         void *f(void *p) { with(&locks[__VERIFIER_nondet_bool()]); return 0; }
         int main() { spawn(f, 0); spawn(f, 0); }",
    );
}

#[test]
fn a_lock_in_every_thread() {
    twins(
        "#ifdef MISTAKE
         #define WHERE
         #else
         #define WHERE static
         #endif
         void *f(void *p) { WHERE pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER; with(&own); return 0; }
         int main() { spawn(f, 0); spawn(f, 0); }",
    );
}

#[test]
fn waiting_for_a_condition() {
    twins(
        "pthread_cond_t c = PTHREAD_COND_INITIALIZER;
         void *f(void *p) {
           pthread_mutex_lock(&m);
           while (!y) pthread_cond_wait(&c, &m);
           x++;
           pthread_mutex_unlock(&m);
         #ifdef MISTAKE
           x++;
         #endif
           return 0; }
         int main() { spawn(f, 0);
           pthread_mutex_lock(&m); y = 1; x++; pthread_cond_signal(&c); pthread_mutex_unlock(&m); 
           pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }",
    );
}

#[test]
fn a_lock_held_by_the_caller() {
    twins(
        "void add(int k) { if (k > 0) add(k - 1); x++; }
         void *f(void *p) { pthread_mutex_lock(&m); add(2); pthread_mutex_unlock(&m); return 0; }
         int main() { spawn(f, 0);
         #ifdef MISTAKE
           add(1);
         #endif
         }",
    );
}

#[test]
fn recursion_that_gives_the_lock_back() {
    twins(
        "void add(int k) {
           x++;
           if (k > 0) {
         #ifdef MISTAKE
             pthread_mutex_unlock(&m);
         #endif
             add(k - 1);
           } }
         void *f(void *p) { pthread_mutex_lock(&m); add(1); return 0; }
         int main() { spawn(f, 0); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }",
    );
}

#[test]
fn functions_that_are_called_through_pointers() {
    twins(
        "void take(void) { pthread_mutex_lock(&m); }
         void leave(void) { pthread_mutex_unlock(&m); }
         void nothing(void) { }
         struct { void (*enter)(void), (*leave)(void); } table = { take, leave };
         void *f(void *p) { table.enter(); x++; table.leave(); return 0; }
         int main() {
         #ifdef MISTAKE
           if (__VERIFIER_nondet_bool()) table.enter = nothing, table.leave = nothing;
         #endif
           spawn(f, 0); spawn(f, 0); }",
    );
}

#[test]
fn spin_locks_and_locks_of_c11() {
    twins(
        "pthread_spinlock_t s; mtx_t k;
         #ifdef MISTAKE
         #define LOCKED(k) (mtx_trylock(&k), 1)
         #else
         #define LOCKED(k) (mtx_trylock(&k) == thrd_success)
         #endif
         int f(void *p) {
           pthread_spin_lock(&s); x++; pthread_spin_unlock(&s);
           if (LOCKED(k)) { y++; mtx_unlock(&k); }
           return 0; }
         int main() { thrd_t t, u; mtx_init(&k, mtx_plain); pthread_spin_init(&s, 0);
           thrd_create(&t, f, 0); thrd_create(&u, f, 0); }",
    );
}

#[test]
fn a_function_of_the_user_that_is_called_like_a_lock() {
    twins(
        "#ifdef MISTAKE
         int pthread_mutex_lock(pthread_mutex_t *l) { return 0; }
         int pthread_mutex_unlock(pthread_mutex_t *l) { return 0; }
         #endif
         void *f(void *p) { with(&m); return 0; }
         int main() { spawn(f, 0); spawn(f, 0); }",
    );
}

#[test]
fn atomic_sections() {
    twins(
        "void *f(void *p) {
           __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();
         #ifdef MISTAKE
           y = x;
         #endif
           return 0; }
         int main() { spawn(f, 0); spawn(f, 0); }",
    );
}

#[test]
fn a_section_that_ends_on_one_path() {
    twins(
        "void *f(void *p) {
           __VERIFIER_atomic_begin();
         #ifdef MISTAKE
           if (__VERIFIER_nondet_bool()) { __VERIFIER_atomic_end(); x++; return 0; }
         #endif
           x++;
           __VERIFIER_atomic_end();
           return 0; }
         int main() { spawn(f, 0); spawn(f, 0); }",
    );
}

/// An array of elements with a lock each; two threads execute `f` on them.
fn elements(f: &str) -> String {
    format!(
        "struct element {{ int data; pthread_mutex_t lock; }} a[2];
         void *f(void *p) {{
           int i = __VERIFIER_nondet_bool(), j = __VERIFIER_nondet_bool();
           {f}
           return 0; }}
         int main() {{ spawn(f, 0); spawn(f, 0); }}"
    )
}

#[test]
fn a_lock_in_every_element() {
    twins(&elements(
        "#ifdef MISTAKE
         #define I j
         #else
         #define I i
         #endif
         pthread_mutex_lock(&a[I].lock); a[i].data++; pthread_mutex_unlock(&a[I].lock);",
    ));
}

#[test]
fn a_lock_in_what_a_pointer_is_to() {
    twins(&elements(
        "struct element *e = &a[i];
         pthread_mutex_lock(&e->lock);
         #ifdef MISTAKE
         e = &a[j];
         #endif
         e->data++;
         #ifndef MISTAKE
         pthread_mutex_unlock(&e->lock);
         #endif",
    ));
}

#[test]
fn a_lock_in_an_element_that_was_given_back() {
    twins(&elements(
        "pthread_mutex_lock(&a[i].lock);
         #ifdef MISTAKE
         pthread_mutex_unlock(&a[j].lock);
         #endif
         a[i].data++;",
    ));
}

#[test]
fn a_lock_of_the_element_of_the_round_before() {
    mistaken(
        "struct element { int data; pthread_mutex_t lock; } a[2];
         void *f(void *p) {
           for (int k = 0; k < 2; k++) {
             struct element *e = &a[k];
             if (k == 0) pthread_mutex_lock(&e->lock);
             e->data++; }
           return 0; }
         int main() { spawn(f, 0);
           pthread_mutex_lock(&a[1].lock); a[1].data++; pthread_mutex_unlock(&a[1].lock); }",
    );
}

#[test]
fn a_lock_of_one_element_and_of_any() {
    twins(
        "struct element { int data; pthread_mutex_t lock; } a[2];
         #ifdef MISTAKE
         #define ONE 0
         #else
         #define ONE 1
         #endif
         void *f(void *p) {
           int i = __VERIFIER_nondet_bool();
           pthread_mutex_lock(&a[i].lock); a[i].data++; pthread_mutex_unlock(&a[i].lock);
           return 0; }
         int main() { spawn(f, 0);
           pthread_mutex_lock(&a[ONE].lock); a[1].data++; pthread_mutex_unlock(&a[ONE].lock); }",
    );
}

#[test]
fn a_lock_at_another_distance() {
    mistaken(
        "struct element { pthread_mutex_t before; int data; pthread_mutex_t after; } a[2];
         void *f(void *p) { struct element *e = &a[__VERIFIER_nondet_bool()];
           pthread_mutex_lock(&e->before); e->data++; pthread_mutex_unlock(&e->before); return 0; }
         int main() { spawn(f, 0); struct element *e = &a[__VERIFIER_nondet_bool()];
           pthread_mutex_lock(&e->after); e->data++; pthread_mutex_unlock(&e->after); }",
    );
}

#[test]
fn a_lock_in_an_element_that_is_made_anew() {
    twins(&elements(
        "#ifdef MISTAKE
         pthread_mutex_init(&a[j].lock, 0);
         #endif
         pthread_mutex_lock(&a[i].lock); a[i].data++; pthread_mutex_unlock(&a[i].lock);",
    ));
}

#[test]
fn a_lock_in_an_element_for_reading() {
    twins(
        "struct element { int data; pthread_rwlock_t lock; } a[2];
         #ifdef MISTAKE
         #define WRITE pthread_rwlock_rdlock
         #else
         #define WRITE pthread_rwlock_wrlock
         #endif
         void *f(void *p) { struct element *e = &a[__VERIFIER_nondet_bool()];
           pthread_rwlock_rdlock(&e->lock); y = e->data; pthread_rwlock_unlock(&e->lock); return 0; }
         int main() { spawn(f, 0); struct element *e = &a[__VERIFIER_nondet_bool()];
           WRITE(&e->lock); e->data = 1; pthread_rwlock_unlock(&e->lock); }",
    );
}

#[test]
fn a_wait_without_the_lock() {
    doubtful(
        "pthread_cond_t c = PTHREAD_COND_INITIALIZER;
         struct element { int data; pthread_mutex_t lock; } a[2];
         void *f(void *p) {
           struct element *e = &a[__VERIFIER_nondet_bool()];
         #ifndef MISTAKE
           pthread_mutex_lock(&e->lock);
         #endif
           pthread_cond_wait(&c, &e->lock);
           e->data++;
           pthread_mutex_unlock(&e->lock);
           return 0; }
         int main() { spawn(f, 0); spawn(f, 0); pthread_cond_broadcast(&c); }",
    );
}

#[test]
fn functions_that_lock_and_unlock_an_element() {
    twins(
        "struct element { int data; pthread_mutex_t lock; } a[2];
         void lock(struct element *e) { pthread_mutex_lock(&e->lock); }
         void unlock(struct element *e) { pthread_mutex_unlock(&e->lock); }
         void add(struct element *e) { e->data++; }
         void *f(void *p) {
           struct element *e = &a[__VERIFIER_nondet_bool()];
           lock(e);
         #ifdef MISTAKE
           e = &a[__VERIFIER_nondet_bool()];
         #endif
           add(e);
           unlock(e);
           return 0; }
         int main() { spawn(f, 0); spawn(f, 0); }",
    );
}

#[test]
fn a_function_that_locks_another_element() {
    mistaken(
        "struct element { int data; pthread_mutex_t lock; } a[2];
         void lock(struct element *e) { e = &a[__VERIFIER_nondet_bool()]; pthread_mutex_lock(&e->lock); }
         void *f(void *p) { struct element *e = &a[__VERIFIER_nondet_bool()]; lock(e); e->data++; return 0; }
         int main() { spawn(f, 0); spawn(f, 0); }",
    );
}

#[test]
fn recursion_with_locks_of_elements() {
    mistaken(
        "struct element { int data; pthread_mutex_t lock; } a[2];
         void walk(struct element *e, int k) {
           pthread_mutex_lock(&e->lock);
           if (k > 0) walk(&a[1], k - 1);
           a[0].data++;
           pthread_mutex_unlock(&e->lock); }
         void *f(void *p) { walk(&a[0], 1); return 0; }
         int main() { spawn(f, 0); walk(&a[1], 0); }",
    );
}

#[test]
fn a_lock_that_is_written_over() {
    for write in
        ["m = n;", "__VERIFIER_atomic_begin(); m = n; __VERIFIER_atomic_end();", "memset(&m, 0, sizeof m);"]
    {
        doubtful(&format!(
            "void *f(void *p) {{ with(&m); return 0; }}
             int main() {{ spawn(f, 0); spawn(f, 0);
             #ifdef MISTAKE
               {write}
             #endif
             }}"
        ));
    }
}
