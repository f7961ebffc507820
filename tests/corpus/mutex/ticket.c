// A ticket lock: numbers are drawn in one step, and served in their order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_uint next, serving;
static int inside;

static void *worker(void *unused) {
    unsigned mine = atomic_fetch_add(&next, 1);
    while (serving != mine) {
    }
    inside++;
    assert(inside == 1);
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
