// S: a thread writes x and then y, another sees y and overwrites x. Its x is the last one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a;

static void *left(void *unused) {
    atomic_store(&x, 2);
    atomic_store(&y, 1);
    return unused;
}

static void *right(void *unused) {
    a = atomic_load(&y);
    atomic_store(&x, 1);
    return unused;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, NULL, left, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_join(l, NULL);
    pthread_join(r, NULL);
    assert(!(a == 1 && atomic_load(&x) == 2));
    return 0;
}
