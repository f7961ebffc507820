// check: --property assert,reach-error,lock --unwind 3
// A sequence lock: a reader that met a writer tries again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int x, y;

static void *write(void *unused) {
    (void)unused;
    atomic_fetch_add(&sequence, 1);
    atomic_store(&x, 1);
    atomic_store(&y, 1);
    atomic_fetch_add(&sequence, 1);
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, write, NULL);
    unsigned before;
    int seen_x, seen_y;
    do {
        before = atomic_load(&sequence);
        seen_x = atomic_load(&x);
        seen_y = atomic_load(&y);
    } while (before % 2 || atomic_load(&sequence) != before);
    assert(seen_x == seen_y);
    pthread_join(a, NULL);
    return 0;
}
