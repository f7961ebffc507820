// S without the condition that y was seen: the other thread's x may come first and be overwritten.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *left(void *unused) {
    atomic_store(&x, 2);
    atomic_store(&y, 1);
    return unused;
}

static void *right(void *unused) {
    atomic_load(&y);
    atomic_store(&x, 1);
    return unused;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, NULL, left, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_join(l, NULL);
    pthread_join(r, NULL);
    assert(atomic_load(&x) != 2);
    return 0;
}
