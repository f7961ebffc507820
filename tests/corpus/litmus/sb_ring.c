// Store buffering in a circle: each of N threads raises its flag and looks at its neighbour's. The last to raise its
// flag sees one that is up.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int flag[N];
static int seen[N];

static void *member(void *argument) {
    int *mine = argument, me = mine - seen;
    atomic_store(&flag[me], 1);
    *mine = atomic_load(&flag[(me + 1) % N]);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    int sum = 0;
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, member, &seen[i]);
    for (int i = 0; i < N; i++) {
        pthread_join(threads[i], NULL);
        sum += seen[i];
    }
    assert(sum > 0);
    return 0;
}
