// A ticket lock where drawing a number is a load and a store: two threads may hold the same number.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_uint next, serving;
static atomic_int inside;

static void *worker(void *unused) {
    unsigned mine = atomic_load(&next);
    atomic_store(&next, mine + 1);
    while (serving < mine) {
    }
    assert(inside++ == 0);
    inside--;
    serving = mine + 1;
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
