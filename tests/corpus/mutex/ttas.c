// Test, then test and set: wait by reading, and try only when it looks free.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int taken;
static int inside;

static void *worker(void *unused) {
    do {
        while (atomic_load(&taken)) {
        }
    } while (atomic_exchange(&taken, 1));
    inside++;
    assert(inside == 1);
    inside--;
    atomic_store(&taken, 0);
    return unused;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
