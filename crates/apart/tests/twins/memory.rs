//! Which memory is accessed, and which threads can reach it.

use crate::{compile, twins};
use std::sync::atomic::{AtomicBool, Ordering};
use threadproof_apart::{GaveUp, may_race};

#[test]
fn fields_of_one_object() {
    twins(
        "struct { int a, b; } s;
         void *f(void *p) { s.a++; return 0; }
         int main() { spawn(f, 0);
         #ifdef MISTAKE
           s.a++;
         #else
           s.b++;
         #endif
         }",
    );
}

#[test]
fn fields_of_elements() {
    twins(
        "struct { int a, b; } s[3];
         void *f(void *p) { for (int i = 0; i < 3; i++) s[i].a++; return 0; }
         int main() { spawn(f, 0);
         #ifdef MISTAKE
           ((int *)s)[__VERIFIER_nondet_bool()]++;
         #else
           for (int i = 0; i < 3; i++) s[i].b++;
         #endif
         }",
    );
}

#[test]
fn locals_stay_with_their_thread() {
    twins(
        "int *global;
         void set(int *p) { *p = 1; }
         void *f(void *p) {
           int own = 0;
           set(&own);
         #ifdef MISTAKE
           global = &own;
         #endif
           return 0; }
         int main() { spawn(f, 0); spawn(f, 0); }",
    );
}

#[test]
fn what_is_handed_to_a_thread() {
    twins(
        "void *f(void *p) { *(int *)p = 1; return 0; }
         int main() {
           int *a = malloc(4), *b = malloc(4);
           *a = 0;
         #ifdef MISTAKE
           b = a;
         #endif
           spawn(f, a); *b = 2; }",
    );
}

#[test]
fn what_hangs_off_what_is_handed_to_a_thread() {
    twins(
        "struct node { struct node *next; int value; };
         void *f(void *p) { ((struct node *)p)->next->value = 1; return 0; }
         int main() {
           struct node *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b), *c = calloc(1, sizeof *c);
           a->next = b;
           spawn(f, a);
         #ifdef MISTAKE
           b->value = 2;
         #else
           c->value = 2;
         #endif
         }",
    );
}

#[test]
fn a_pointer_that_was_copied_as_bytes() {
    twins(
        "struct box { int *to; } a, b;
         void *f(void *p) { *b.to = 1; return 0; }
         int main() {
           a.to = &x;
           memcpy(&b, &a, sizeof a);
           spawn(f, 0);
         #ifdef MISTAKE
           x = 2;
         #else
           y = 2;
         #endif
         }",
    );
}

#[test]
fn a_pointer_that_was_a_number() {
    twins(
        "unsigned long number;
         void *f(void *p) { *(int *)(number & ~1ul) = 1; return 0; }
         int main() {
           number = (unsigned long)&x | 1;
           spawn(f, 0);
         #ifdef MISTAKE
           x = 2;
         #else
           y = 2;
         #endif
         }",
    );
}

#[test]
fn freeing_is_a_write() {
    twins(
        "void *f(void *p) { y = *(int *)p; return 0; }
         int main() {
           int *p = malloc(4); *p = 1;
           pthread_t t = spawn(f, p);
         #ifndef MISTAKE
           pthread_join(t, 0);
         #endif
           free(p); }",
    );
}

#[test]
fn printing_reads() {
    twins(
        "char text[4];
         void *f(void *p) { printf(\"%s\", text); return 0; }
         int main() {
           pthread_t t = spawn(f, 0);
         #ifndef MISTAKE
           pthread_join(t, 0);
         #endif
           text[0] = 'a'; }",
    );
}

#[test]
fn variables_of_a_thread() {
    twins(
        "#ifdef MISTAKE
         int own;
         #else
         _Thread_local int own;
         #endif
         void *f(void *p) { own++; return 0; }
         int main() { spawn(f, 0); spawn(f, 0); own++; }",
    );
}

#[test]
fn a_variable_of_a_thread_that_others_point_to() {
    twins(
        "_Thread_local int own; int *shown;
         void *f(void *p) { *shown = 1; return 0; }
         int main() {
           int other;
         #ifdef MISTAKE
           shown = &own;
         #else
           shown = &x;
         #endif
           spawn(f, 0); own++; }",
    );
}

#[test]
fn atomic_variables() {
    twins(
        "#ifdef MISTAKE
         int a;
         #else
         atomic_int a;
         #endif
         void *f(void *p) { a++; return 0; }
         int main() { spawn(f, 0); spawn(f, 0); a = 1; }",
    );
}

#[test]
fn relaxed_atomics_order_nothing() {
    twins(
        "atomic_int a;
         void *f(void *p) {
         #ifdef MISTAKE
           x = 1;
         #endif
           atomic_store_explicit(&a, 1, memory_order_relaxed); return 0; }
         int main() {
           spawn(f, 0);
           if (atomic_load_explicit(&a, memory_order_relaxed)) y = x; }",
    );
}

#[test]
fn an_address_added_to_nothing() {
    twins(
        "void *f(void *p) { char *nothing = 0; *(int *)(nothing + (long)p) = 1; return 0; }
         int main() {
           int *a = malloc(4), *b = malloc(4);
           spawn(f, a);
         #ifdef MISTAKE
           *a = 2;
         #else
           *b = 2;
         #endif
         }",
    );
}

#[test]
fn an_address_that_was_a_float() {
    twins(
        "void *f(void *p) { double d = (double)(long)p; *(int *)(long)(d + 0.0) = 1; return 0; }
         int main() {
           spawn(f, &x);
         #ifdef MISTAKE
           x = 2;
         #else
           y = 2;
         #endif
         }",
    );
}

#[test]
fn pointers_that_are_moved_on() {
    // The length is unknown, so the analysis does not follow how far the pointers are moved.
    twins(
        "#include <string.h>
         int *a[3], z;
         void *f(void *p) { if (a[2]) *a[2] = 1; return 0; }
         int main() {
           a[0] = a[1] = &x;
           unsigned n = 1 + __VERIFIER_nondet_bool();
           memmove(a + 1, a, n * sizeof *a);
           spawn(f, 0);
         #ifdef MISTAKE
           x = 2;
         #else
           z = 2;
         #endif
         }",
    );
}

#[test]
fn a_function_from_outside_may_do_anything() {
    let program = compile(
        "extern void (*hook)(void);
         void *f(void *p) { hook(); return 0; }
         int main() { spawn(f, 0); }",
        false,
    );
    assert!(matches!(may_race(&program, &AtomicBool::new(false)), Err(GaveUp::Unmodelled(_))));
}

#[test]
fn who_is_stopped_has_shown_nothing() {
    let program = compile("int main() { return x; }", false);
    let stop = AtomicBool::new(false);
    assert!(may_race(&program, &stop).is_ok_and(|open| open.pairs.is_empty()));
    stop.store(true, Ordering::Relaxed);
    assert_eq!(may_race(&program, &stop), Err(GaveUp::Stopped));
}
