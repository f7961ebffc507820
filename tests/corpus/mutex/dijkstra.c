// Dijkstra's algorithm of 1965, here for two: who does not have the turn takes it if its owner does not want it; who
// has it claims the place, and begins again if another one claims it too.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2], claims[2], turn;
static int inside;

static void lock(int me, int other) {
    wants[me] = 1;
    do {
        claims[me] = 0;
        int owner;
        while ((owner = turn) != me)
            if (!wants[owner])
                turn = me;
        claims[me] = 1;
    } while (claims[other]);
}

static void *worker(void *argument) {
    int me = (intptr_t)argument, other = 1 - me;
    lock(me, other);
    inside++;
    assert(inside == 1);
    inside--;
    claims[me] = 0;
    wants[me] = 0;
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
