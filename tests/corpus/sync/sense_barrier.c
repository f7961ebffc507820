// A barrier of atomics that can be used again: the last to arrive sets the count back and turns the sense over, for
// which the others wait.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif
#define PHASES 2

static atomic_int missing = N, sense;
static int cell[N];

static void barrier(int mine) {
    if (atomic_fetch_sub(&missing, 1) == 1) {
        missing = N;
        sense = mine;
    } else {
        while (sense != mine) {
        }
    }
}

static void *work(void *argument) {
    int me = (intptr_t)argument, mine = 0;
    for (int phase = 1; phase <= PHASES; phase++) {
        cell[me] = phase;
        barrier(mine = 1 - mine);
        assert(cell[(me + 1) % N] == phase);
        barrier(mine = 1 - mine);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
