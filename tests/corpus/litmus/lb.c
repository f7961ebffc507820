// Load buffering: each thread reads before it writes. Both would have to read what comes later to see a 1 twice. The
// mistake: one of the two may well read the other's write, when it comes after it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b;

static void *left(void *unused) {
    a = atomic_load(&x);
    atomic_store(&y, 1);
    return unused;
}

static void *right(void *unused) {
    b = atomic_load(&y);
    atomic_store(&x, 1);
    return unused;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, NULL, left, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_join(l, NULL);
    pthread_join(r, NULL);
#ifdef MISTAKE
    assert(a == 0 && b == 0);
#else
    assert(a == 0 || b == 0);
#endif
    return 0;
}
