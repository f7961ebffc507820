// A barrier between two phases: what all wrote in the first one, all may read in the second.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

static pthread_barrier_t barrier;
static int cell[N];

static void *work(void *argument) {
    int me = (intptr_t)argument;
    cell[me] = me + 1;
    pthread_barrier_wait(&barrier);
    assert(cell[(me + 1) % N] == (me + 1) % N + 1);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    pthread_barrier_init(&barrier, NULL, N);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
