// check: --property race
// A release fence before the relaxed write, an acquire fence after the relaxed read: the message is there.
#include <pthread.h>
#include <stdatomic.h>

int message;
atomic_int sent;

void *writer(void *arg) {
    message = 42;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&sent, 1, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    if (atomic_load_explicit(&sent, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        return message;
    }
    return 0;
}
