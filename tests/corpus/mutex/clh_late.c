// The queue lock with a word that is set after it was put in the queue: the next thread may look at it too early.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int held[N + 1], inside;
static atomic_int *_Atomic tail = &held[N];

static void *worker(void *argument) {
    atomic_int *mine = argument;
    atomic_int *before = atomic_exchange(&tail, mine);
    atomic_store(mine, 1);
    while (atomic_load(before)) {
    }
    assert(inside++ == 0);
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
