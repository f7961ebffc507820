// Load buffering with a value that is copied round: no value comes out of thin air.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *left(void *unused) {
    atomic_store(&y, atomic_load(&x));
    return unused;
}

static void *right(void *unused) {
    atomic_store(&x, atomic_load(&y));
    return unused;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, NULL, left, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_join(l, NULL);
    pthread_join(r, NULL);
    assert(atomic_load(&x) == 0 && atomic_load(&y) == 0);
    return 0;
}
