// R: a thread writes x and then y, another overwrites y and then reads x. If its y is the last one, then x was written
// before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a;

static void *left(void *unused) {
    atomic_store(&x, 1);
    atomic_store(&y, 1);
    return unused;
}

static void *right(void *unused) {
    atomic_store(&y, 2);
    a = atomic_load(&x);
    return unused;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, NULL, left, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_join(l, NULL);
    pthread_join(r, NULL);
    assert(!(atomic_load(&y) == 2 && a == 0));
    return 0;
}
