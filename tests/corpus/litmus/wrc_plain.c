// Write to read causality with plain data: the chain of two flags orders the write of the data before the read, though
// writer and reader never touch the same flag.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int x, y;

static void *cause(void *unused) {
    data = 5;
    atomic_store_explicit(&x, 1, memory_order_release);
    return unused;
}

static void *effect(void *unused) {
    if (atomic_load_explicit(&x, memory_order_acquire))
        atomic_store_explicit(&y, 1, memory_order_release);
    return unused;
}

int main(void) {
    pthread_t c, e;
    pthread_create(&c, NULL, cause, NULL);
    pthread_create(&e, NULL, effect, NULL);
    if (atomic_load_explicit(&y, memory_order_acquire))
        assert(data == 5);
    pthread_join(c, NULL);
    pthread_join(e, NULL);
    return 0;
}
