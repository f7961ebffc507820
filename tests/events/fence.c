// events: --property race
// A fence is a node of its own, if races are looked for.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *other(void *unused) {
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}
