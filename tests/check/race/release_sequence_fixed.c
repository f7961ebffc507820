// check: --property race
// A relaxed read-modify-write continues the release sequence, and so do relaxed stores of the thread that has released.
#include <pthread.h>
#include <stdatomic.h>

int message;
atomic_int stage, own;

void *first(void *arg) {
    message = 42;
    atomic_store_explicit(&own, 1, memory_order_release);
    atomic_store_explicit(&own, 2, memory_order_relaxed);
    atomic_store_explicit(&stage, 1, memory_order_release);
    return 0;
}

void *second(void *arg) {
    atomic_fetch_add_explicit(&stage, 1, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    if (atomic_load_explicit(&own, memory_order_acquire) == 2)
        return message;
    if (atomic_load_explicit(&stage, memory_order_acquire) == 2)
        return message;
    return 0;
}
