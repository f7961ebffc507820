//! What can happen at the same time.

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

#[test]
fn a_join_in_a_loop_that_joins_fewer() {
    mistaken(
        "void *f(void *p) { x++; return 0; }
         int main() {
           pthread_t t[2];
           for (int i = 0; i < 2; i++) { pthread_create(&t[i], 0, f, 0); }
           for (int i = 1; i < 2; i++) pthread_join(t[i], 0);
           x = 2; }",
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
