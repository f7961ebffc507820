//! What is held, and whether that keeps anybody out.

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
