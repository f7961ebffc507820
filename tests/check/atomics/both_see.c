// check: --property assert,reach-error,lock
// That both see it is not certain.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int seen_y, seen_x;

static void *left(void *unused) {
    (void)unused;
    atomic_store(&x, 1);
    seen_y = atomic_load(&y);
    return NULL;
}

static void *right(void *unused) {
    (void)unused;
    atomic_store(&y, 1);
    seen_x = atomic_load(&x);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(seen_x && seen_y); //~ error[assert]
    return 0;
}
