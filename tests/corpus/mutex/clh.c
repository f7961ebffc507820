// The queue lock of Craig, Landin and Hagersten: each thread waits for the one before it, on that one's word.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int held[N + 1];
static atomic_int *_Atomic tail = &held[N];
static int inside;

static void *worker(void *argument) {
    atomic_int *mine = argument;
    atomic_store(mine, 1);
    atomic_int *before = atomic_exchange(&tail, mine);
    while (atomic_load(before)) {
    }
    inside++;
    assert(inside == 1);
    inside--;
    atomic_store(mine, 0);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, worker, &held[i]);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
