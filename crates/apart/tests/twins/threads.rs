//! What may happen in parallel.

use crate::{doubtful, mistaken, twins};

#[test]
fn before_the_start() {
    twins(
        "void *f(void *p) { x++; return 0; }
         int main() {
           x = 1;
           spawn(f, 0);
         #ifdef MISTAKE
           x = 2;
         #endif
         }",
    );
}

#[test]
fn after_the_join() {
    twins(
        "void *f(void *p) { x++; return 0; }
         int main() {
           pthread_t t = spawn(f, 0);
         #ifdef MISTAKE
           if (__VERIFIER_nondet_bool())
         #endif
           pthread_join(t, 0);
           x = 2; }",
    );
}

#[test]
fn a_thread_that_was_detached() {
    doubtful(
        "void *f(void *p) { x++; return 0; }
         int main() {
           pthread_t t = spawn(f, 0);
         #ifdef MISTAKE
           pthread_detach(t);
         #endif
           pthread_join(t, 0);
           x = 2; }",
    );
}

#[test]
fn a_thread_that_detaches_itself() {
    doubtful(
        "void *f(void *p) {
         #ifdef MISTAKE
           pthread_detach(pthread_self());
         #endif
           x++; return 0; }
         int main() { pthread_t t = spawn(f, 0); pthread_join(t, 0); x = 2; }",
    );
}

#[test]
fn a_thread_that_is_started_detached() {
    doubtful(
        "void *f(void *p) { x++; return 0; }
         int main() {
           pthread_attr_t a; pthread_t t;
           pthread_attr_init(&a);
         #ifdef MISTAKE
           pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
         #endif
           pthread_create(&t, &a, f, 0);
           pthread_join(t, 0);
           x = 2; }",
    );
}

#[test]
fn the_other_thread_is_waited_for() {
    twins(
        "void *f(void *p) { x++; return 0; }
         void *g(void *p) { y++; return 0; }
         int main() {
           pthread_t t = spawn(f, 0), u = spawn(g, 0);
         #ifdef MISTAKE
           pthread_join(u, 0);
         #else
           pthread_join(t, 0);
         #endif
           x = 2; }",
    );
}

#[test]
fn a_thread_that_is_started_twice() {
    twins(
        "void *f(void *p) { x++; return 0; }
         int main() {
         #ifdef MISTAKE
           for (int i = 0; i < 2; i++)
         #endif
           spawn(f, 0); }",
    );
}

#[test]
fn two_threads_one_after_the_other() {
    twins(
        "void *f(void *p) { x++; return 0; }
         void *g(void *p) { x--; return 0; }
         int main() {
           pthread_t t = spawn(f, 0);
         #ifndef MISTAKE
           pthread_join(t, 0);
         #endif
           pthread_t u = spawn(g, 0);
           pthread_join(u, 0); }",
    );
}

#[test]
fn what_a_thread_leaves_behind() {
    twins(
        "void *g(void *p) { x++; return 0; }
         void *f(void *p) {
           pthread_t t = spawn(g, 0);
         #ifndef MISTAKE
           pthread_join(t, 0);
         #endif
           return 0; }
         int main() { pthread_t t = spawn(f, 0); pthread_join(t, 0); x = 2; }",
    );
}

#[test]
fn a_thread_that_starts_itself_again() {
    twins(
        "void *f(void *p) {
           if ((long)p < 1) spawn(f, (void *)((long)p + 1));
           pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);
         #ifdef MISTAKE
           y++;
         #endif
           return 0; }
         int main() { spawn(f, 0); }",
    );
}

/// A loop starts two threads and stores their ids in `t`; `rest` comes after it.
fn after_starting(rest: &str) -> String {
    format!(
        "pthread_t t[2], u[2];
         void *g(void *p) {{ pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }}
         int main() {{
           int k = 2;
           for (int i = 0; i < k; i++) {{ pthread_create(&t[i], 0, g, 0); }}
           {rest}
           x = 2; }}"
    )
}

#[test]
fn a_loop_that_joins_all() {
    for fewer in ["int i = 1; i < k", "int i = 0; i < k - 1", "int i = 0; i != 1"] {
        twins(&after_starting(&format!(
            "#ifdef MISTAKE
             for ({fewer}; i++)
             #else
             for (int i = 0; i < k; i++)
             #endif
               pthread_join(t[i], 0);"
        )));
    }
}

#[test]
fn a_loop_that_joins_some_and_stops() {
    twins(&after_starting(
        "for (int i = 0; i < k; i++) {
         #ifdef MISTAKE
           if (__VERIFIER_nondet_bool()) break;
         #endif
           pthread_join(t[i], 0); }",
    ));
}

#[test]
fn a_loop_that_joins_some_of_them() {
    twins(&after_starting(
        "for (int i = 0; i < k; i++) {
         #ifdef MISTAKE
           if (__VERIFIER_nondet_bool())
         #endif
           pthread_join(t[i], 0); }",
    ));
}

#[test]
fn a_loop_that_joins_others() {
    twins(&after_starting(
        "#ifdef MISTAKE
         #define T u
         #else
         #define T t
         #endif
         for (int i = 0; i < k; i++) { pthread_create(&u[i], 0, g, 0); }
         for (int i = 0; i < k; i++) pthread_join(T[i], 0);
         #ifndef MISTAKE
         for (int i = 0; i < k; i++) pthread_join(u[i], 0);
         #endif",
    ));
}

#[test]
fn ids_that_are_written_over() {
    twins(&after_starting(
        "#ifdef MISTAKE
         pthread_join(t[0], 0); pthread_create(&u[0], 0, g, 0); t[0] = u[0]; t[1] = spawn(g, 0);
         #endif
         for (int i = 0; i < k; i++) pthread_join(t[i], 0);",
    ));
}

#[test]
fn a_loop_that_starts_threads_twice() {
    twins(
        "pthread_t t[2];
         void *g(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
         int main() {
         #ifdef MISTAKE
           for (int j = 0; j < 2; j++)
         #endif
           for (int i = 0; i < 1; i++) pthread_create(&t[i], 0, g, 0);
           for (int i = 0; i < 1; i++) pthread_join(t[i], 0);
           x = 2; }",
    );
}

#[test]
fn a_loop_that_starts_several_threads_a_round() {
    twins(
        "pthread_t t[2];
         void *g(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
         int main() {
           for (int i = 0; i < 1; i++) {
         #ifdef MISTAKE
             for (int j = 0; j < 2; j++)
         #endif
             pthread_create(&t[i], 0, g, 0); }
           for (int i = 0; i < 1; i++) pthread_join(t[i], 0);
           x = 2; }",
    );
}

#[test]
fn a_loop_that_joins_threads_started_one_by_one() {
    twins(
        "pthread_t t[2];
         void *f(void *p) { x++; return 0; }
         void *g(void *p) { y++; return 0; }
         int main() {
           pthread_create(&t[0], 0, f, 0);
           pthread_create(&t[1], 0, g, 0);
         #ifdef MISTAKE
           for (int i = 1; i < 2; i++)
         #else
           for (int i = 0; i < 2; i++)
         #endif
             pthread_join(t[i], 0);
           x = 2; y = 2; }",
    );
}

#[test]
fn two_ids_in_one_place() {
    mistaken(
        "pthread_t t[2];
         void *f(void *p) { x++; return 0; }
         void *g(void *p) { y++; return 0; }
         int main() {
           pthread_create(&t[0], 0, f, 0);
           pthread_create(&t[0], 0, g, 0);
           for (int i = 0; i < 1; i++) pthread_join(t[i], 0);
           x = 2; y = 2; }",
    );
}

#[test]
fn one_variable_for_two_threads() {
    mistaken(
        "void *f(void *p) { x++; return 0; }
         void *g(void *p) { y++; return 0; }
         int main() {
           pthread_t t;
           pthread_create(&t, 0, f, 0);
           pthread_create(&t, 0, g, 0);
           pthread_join(t, 0);
           x = 2; }",
    );
}

#[test]
fn a_start_on_one_path() {
    twins(
        "void *f(void *p) { x++; return 0; }
         int main() {
         #ifdef MISTAKE
           if (__VERIFIER_nondet_bool()) spawn(f, 0);
           x = 1;
         #else
           if (__VERIFIER_nondet_bool()) { x = 1; spawn(f, 0); }
         #endif
         }",
    );
}

#[test]
fn the_same_thread_function_through_a_pointer() {
    twins(
        "void *f(void *p) { x++; return 0; }
         void *g(void *p) { y++; return 0; }
         int main() {
           void *(*h)(void *) = g;
         #ifdef MISTAKE
           if (__VERIFIER_nondet_bool()) h = f;
         #endif
           spawn(f, 0); spawn(h, 0); }",
    );
}

#[test]
fn a_thread_that_ends_in_a_call() {
    twins(
        "void *f(void *p) { if (__VERIFIER_nondet_bool()) { x++; pthread_exit(0); } x++; return 0; }
         int main() { pthread_t t = spawn(f, 0);
         #ifdef MISTAKE
           x++;
         #endif
           pthread_join(t, 0); x++; }",
    );
}
