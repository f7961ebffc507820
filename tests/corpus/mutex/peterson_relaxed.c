// Peterson's algorithm with relaxed atomics: no race on its own variables, but what it protects is not ordered.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2], turn;
static int shared;

static void *worker(void *argument) {
    int me = (intptr_t)argument, other = 1 - me;
    atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
    atomic_store_explicit(&turn, other, memory_order_relaxed);
    while (atomic_load_explicit(&wants[other], memory_order_relaxed) &&
           atomic_load_explicit(&turn, memory_order_relaxed) == other) {
    }
    shared++;
    atomic_store_explicit(&wants[me], 0, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, (void *)0);
    pthread_create(&b, NULL, worker, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
