// check: --property race
// The second thread answers with a relaxed store: that ends the release sequence of the first.
#include <pthread.h>
#include <stdatomic.h>

int message;
atomic_int stage;

void *first(void *arg) {
    message = 42;
    atomic_store_explicit(&stage, 1, memory_order_release);
    return 0;
}

void *second(void *arg) {
    if (atomic_load_explicit(&stage, memory_order_relaxed) == 1)
        atomic_store_explicit(&stage, 2, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    if (atomic_load_explicit(&stage, memory_order_acquire) == 2)
        return message; //~ error[race]
    return 0;
}
