// check: --property race
// The writer has a release fence, the reader none that acquires: the relaxed flag alone orders nothing.
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
    if (atomic_load_explicit(&sent, memory_order_relaxed))
        return message; //~ error[race]
    return 0;
}
