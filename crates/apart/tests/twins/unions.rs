//! Memory that is used as two locks, or as a lock and something else.

use crate::{doubtful, twins};

/// One thread executes `first`, the other `right` or, by mistake, `wrong`: each adds to `x` while it holds a lock.
fn shared(union_of: &str, first: &str, right: &str, wrong: &str) -> String {
    format!(
        "union {{ pthread_mutex_t m; pthread_rwlock_t rw; pthread_spinlock_t s; mtx_t c11; int word; char bytes[64];
                  struct {{ int before; pthread_mutex_t m; }} later; }} u;
         {union_of}
         void *f(void *p) {{ {first} }}
         void *g(void *p) {{
         #ifdef MISTAKE
           {wrong}
         #else
           {right}
         #endif
         }}
         int main() {{ spawn(f, 0); spawn(g, 0); }}"
    )
}

const MUTEX: &str = "pthread_mutex_lock(&u.m); x++; pthread_mutex_unlock(&u.m); return 0;";
const WRITE: &str = "pthread_rwlock_wrlock(&u.rw); x++; pthread_rwlock_unlock(&u.rw); return 0;";
const SPIN: &str = "pthread_spin_lock(&u.s); x++; pthread_spin_unlock(&u.s); return 0;";
const LATER: &str = "pthread_mutex_lock(&u.later.m); x++; pthread_mutex_unlock(&u.later.m); return 0;";

#[test]
fn two_kinds_of_locks() {
    doubtful(&shared("", MUTEX, MUTEX, WRITE));
    doubtful(&shared("", WRITE, WRITE, MUTEX));
    doubtful(&shared("", MUTEX, MUTEX, SPIN));
    doubtful(&shared("", SPIN, SPIN, WRITE));
}

#[test]
fn one_kind_at_two_places() {
    doubtful(&shared("", MUTEX, MUTEX, LATER));
}

#[test]
fn a_lock_and_data() {
    doubtful(&shared(
        "",
        MUTEX,
        MUTEX,
        "u.word = 0; pthread_mutex_lock(&u.m); x++; pthread_mutex_unlock(&u.m); return 0;",
    ));
    doubtful(&shared(
        "",
        MUTEX,
        MUTEX,
        "for (int i = 0; i < 64; i++) u.bytes[i] = 0;
         pthread_mutex_lock(&u.m); x++; pthread_mutex_unlock(&u.m); return 0;",
    ));
}

#[test]
fn a_lock_that_begins_as_a_number() {
    doubtful(
        "union { pthread_mutex_t m; int words[10]; } u;
         void *f(void *p) { pthread_mutex_lock(&u.m); x++; pthread_mutex_unlock(&u.m); return 0; }
         int main() {
         #ifdef MISTAKE
           u.words[4] = 77;
         #else
           u.words[4] = 0;
         #endif
           spawn(f, 0); spawn(f, 0); }",
    );
}

#[test]
fn locks_in_a_struct() {
    twins(
        "struct { pthread_mutex_t m; pthread_rwlock_t rw; int a, b; } s;
         void *f(void *p) {
           pthread_mutex_lock(&s.m); s.a++; pthread_mutex_unlock(&s.m);
           pthread_rwlock_wrlock(&s.rw); s.b++; pthread_rwlock_unlock(&s.rw); return 0; }
         int main() {
           spawn(f, 0); spawn(f, 0);
         #ifdef MISTAKE
           pthread_rwlock_wrlock(&s.rw); s.a++; pthread_rwlock_unlock(&s.rw);
         #endif
         }",
    );
}
