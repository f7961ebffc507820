//! Pointers that were numbers in between: they point to known objects if the number still shows these, and otherwise to
//! any object whose address has leaked.

use crate::{compile_pure, doubtful, is_racy, open, twins};

/// A thread writes through `int *p`, which `make` computes from what the first thread has stored by `leave`; the first
/// thread then writes to `x` by mistake, and to `y` otherwise.
fn through(globals: &str, leave: &str, make: &str) -> String {
    format!(
        "#include <stdint.h>
         #include <string.h>
         {globals}
         void *f(void *argument) {{ int *p; {make} *p = 1; return 0; }}
         int main() {{
           {leave}
           spawn(f, 0);
         #ifdef MISTAKE
           x = 2;
         #else
           y = 2;
         #endif
         }}"
    )
}

#[test]
fn a_self_relative_pointer() {
    doubtful(&through(
        "struct { long off; int own; } r;",
        "r.off = (char *)&x - (char *)&r;",
        "p = (int *)((char *)&r + r.off);",
    ));
}

#[test]
fn a_self_relative_pointer_within_its_object() {
    twins(
        "struct { long off; int own, other; } r;
         void *f(void *p) { *(int *)((char *)&r + r.off) = 1; return 0; }
         int main() {
           r.off = (char *)&r.own - (char *)&r;
           spawn(f, 0);
         #ifdef MISTAKE
           r.own = 2;
         #else
           y = 2;
         #endif
         }",
    );
}

#[test]
fn a_distance_that_was_negated() {
    doubtful(&through("long d; char base;", "d = -(long)&base + (long)&x;", "p = (int *)(&base + d);"));
}

#[test]
fn a_distance_that_was_added_atomically() {
    doubtful(&through(
        "atomic_long d; char base;",
        "d = (long)&x; atomic_fetch_sub(&d, (long)&base);",
        "p = (int *)(&base + d);",
    ));
}

#[test]
fn an_address_on_a_null_base() {
    twins(&through("uintptr_t num;", "num = (uintptr_t)&x;", "p = (int *)((char *)0 + num);"));
}

#[test]
fn an_address_that_is_rebuilt_bit_by_bit() {
    twins(&through(
        "uintptr_t num;",
        "uintptr_t from = (uintptr_t)&x;
         for (int i = 0; i < 64; i++) if (from >> i & 1) num |= (uintptr_t)1 << i;",
        "p = (int *)num;",
    ));
}

#[test]
fn an_address_that_is_rebuilt_by_another_function() {
    twins(&through(
        "uintptr_t num; void set(int i) { num |= (uintptr_t)1 << i; }",
        "uintptr_t from = (uintptr_t)&x;
         for (int i = 0; i < 64; i++) if (from >> i & 1) set(i);",
        "p = (int *)num;",
    ));
}

#[test]
fn an_address_of_which_functions_say_the_bits() {
    twins(&through(
        "uintptr_t num; uintptr_t no(void) { return 0; } uintptr_t yes(void) { return 1; }
         uintptr_t (*answers[2])(void) = {no, yes};
         uintptr_t is_set(uintptr_t v, int i) { if (v >> i & 1) return 1; return 0; }",
        "uintptr_t from = (uintptr_t)&x;
         for (int i = 0; i < 64; i++) num |= (i & 1 ? answers[from >> i & 1]() : is_set(from, i)) << i;",
        "p = (int *)num;",
    ));
}

#[test]
fn an_address_by_a_table_of_digits() {
    twins(&through(
        "uintptr_t num; unsigned char digit[256];",
        "uintptr_t from = (uintptr_t)&x;
         for (int i = 0; i < 256; i++) digit[i] = i;
         for (int i = 0; i < 8; i++) num |= (uintptr_t)digit[from >> 8 * i & 255] << 8 * i;",
        "p = (int *)num;",
    ));
}

#[test]
fn an_address_by_what_is_written_to_a_table() {
    twins(&through(
        "uintptr_t num; unsigned char seen[16][16];",
        "uintptr_t from = (uintptr_t)&x;
         for (int i = 0; i < 16; i++) seen[i][from >> 4 * i & 15] = 1;",
        "for (int i = 0; i < 16; i++) for (int d = 0; d < 16; d++) if (seen[i][d]) num |= (uintptr_t)d << 4 * i;
         p = (int *)num;",
    ));
}

#[test]
fn an_address_by_switches() {
    twins(&through(
        "uintptr_t num;",
        "uintptr_t from = (uintptr_t)&x;
         for (int i = 0; i < 32; i++) {
           uintptr_t d;
           switch (from >> 2 * i & 3) { case 0: d = 0; break; case 1: d = 1; break; case 2: d = 2; break; default: d = 3; }
           num |= d << 2 * i;
         }",
        "p = (int *)num;",
    ));
}

#[test]
fn an_address_by_pointers_that_were_chosen() {
    twins(&through(
        "uintptr_t num; int zero, one; int *bits[64];",
        "uintptr_t from = (uintptr_t)&x;
         for (int i = 0; i < 64; i++) bits[i] = from >> i & 1 ? &one : &zero;",
        "for (int i = 0; i < 64; i++) if (bits[i] == &one) num |= (uintptr_t)1 << i;
         p = (int *)num;",
    ));
}

/// Like `twins`, where the C library converts numbers, with functions that are not modelled.
fn printed(source: &str) {
    let right = compile_pure(source, false);
    assert_eq!(open(&right).pairs, [], "the right one");
    let wrong = compile_pure(source, true);
    assert!(is_racy(&wrong), "the mistake has no race");
    assert_ne!(open(&wrong).pairs, [], "the mistaken one");
}

#[test]
fn an_address_that_was_printed_and_parsed() {
    printed(&through(
        "char text[32];",
        "sprintf(text, \"%p\", (void *)&x);",
        "p = (int *)strtoul(text, 0, 16);",
    ));
}

#[test]
fn an_address_that_was_printed_and_scanned() {
    printed(&through(
        "char text[32];",
        "snprintf(text, sizeof text, \"%lu\", (unsigned long)&x);",
        "unsigned long num; sscanf(text, \"%lu\", &num); p = (int *)num;",
    ));
}

#[test]
fn an_address_that_was_printed_as_a_float() {
    printed(&through(
        "char text[64];",
        "sprintf(text, \"%.0f\", (double)(uintptr_t)&x);",
        "p = (int *)(uintptr_t)strtod(text, 0);",
    ));
}

#[test]
fn an_address_in_pieces() {
    twins(&through(
        "char a[8], b[8];",
        "int *to = &x; for (int i = 0; i < 8; i++) memcpy(a + i, (char *)&to + i, 1);",
        "for (int i = 0; i < 8; i++) b[7 - i] = a[7 - i]; memcpy(&p, b, 8);",
    ));
}

#[test]
fn an_address_that_was_guessed() {
    twins(&through(
        "unsigned long __VERIFIER_nondet_ulong(void); uintptr_t num;",
        "num = __VERIFIER_nondet_bool() ? (uintptr_t)&x : 0;",
        "p = (int *)num; if (!p) return 0;",
    ));
    // The explorer gives inputs below 2 only.
    doubtful(&through(
        "unsigned long __VERIFIER_nondet_ulong(void); uintptr_t num;",
        "num = __VERIFIER_nondet_ulong(); if (num != (uintptr_t)&x) return 0;",
        "p = (int *)num;",
    ));
    doubtful(&through(
        "unsigned long __VERIFIER_nondet_ulong(void); uintptr_t i; char base;",
        "i = __VERIFIER_nondet_ulong(); if (&base + i != (char *)&x) return 0;",
        "p = (int *)(&base + i);",
    ));
}

#[test]
fn a_function_that_was_a_number() {
    twins(
        "#include <stdint.h>
         uintptr_t num; void one(void) { x = 1; } void other(void) { y = 1; }
         void *f(void *p) { ((void (*)(void))num)(); return 0; }
         int main() {
           uintptr_t from = (uintptr_t)one;
           for (int i = 0; i < 64; i++) if (from >> i & 1) num |= (uintptr_t)1 << i;
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
fn a_lock_that_was_a_number() {
    doubtful(
        "#include <stdint.h>
         uintptr_t number;
         void *f(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
         int main() {
           #ifdef MISTAKE
           uintptr_t from = (uintptr_t)&m;
           #else
           uintptr_t from = (uintptr_t)&n;
           #endif
           for (int i = 0; i < 64; i++) if (from >> i & 1) number |= (uintptr_t)1 << i;
           spawn(f, 0); spawn(f, 0);
           pthread_mutex_unlock((pthread_mutex_t *)number);
         }",
    );
}

#[test]
fn tagged_pointers() {
    twins(&through(
        "uintptr_t num;",
        "num = (uintptr_t)&x | 1;",
        "if (!(num & 1)) return 0; p = (int *)(num & ~(uintptr_t)1);",
    ));
}

#[test]
fn pointers_that_hide_each_other() {
    twins(&through(
        "uintptr_t both; int z;",
        "both = (uintptr_t)&x ^ (uintptr_t)&z;",
        "p = (int *)(both ^ (uintptr_t)&z);",
    ));
}

#[test]
fn a_table_by_the_hash_of_an_address() {
    twins(
        "#include <stdint.h>
         int table[16];
         static unsigned hash(void *p) { uintptr_t num = (uintptr_t)p; return (num >> 4 ^ num >> 8) * 31 % 16; }
         void *f(void *p) { pthread_mutex_lock(&m); table[hash(p)]++; pthread_mutex_unlock(&m); return 0; }
         int main() {
           spawn(f, &x);
         #ifdef MISTAKE
           table[hash(&x)] = 2;
         #else
           x = 2;
         #endif
         }",
    );
}

#[test]
fn pointers_that_are_compared() {
    twins(&through(
        "int *first; int own[4], place;",
        "int i = 0; for (int *q = own; q < own + 4; q++) i++;
         if (first == 0 && &x != &y) place = i - (own + 4 - own); first = own;",
        "p = first + place + (first == own);\n#ifdef MISTAKE\np = &x;\n#endif\n",
    ));
}
