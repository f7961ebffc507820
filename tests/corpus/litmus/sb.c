// Store buffering: each thread sets its own flag and looks at the other's. Whoever is second sees the first, so at
// least one of them sees a 1. The mistake: both may, when both have written before either reads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b;

static void *left(void *unused) {
    atomic_store(&x, 1);
    a = atomic_load(&y);
    return unused;
}

static void *right(void *unused) {
    atomic_store(&y, 1);
    b = atomic_load(&x);
    return unused;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, NULL, left, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_join(l, NULL);
    pthread_join(r, NULL);
#ifdef MISTAKE
    assert(a == 0 || b == 0);
#else
    assert(a == 1 || b == 1);
#endif
    return 0;
}
