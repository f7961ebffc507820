// Dijkstra's algorithm without the claim: the turn can change between a thread's look at it and its entry.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2], turn, inside;

static void lock(int me) {
    int owner;
    wants[me] = 1;
    while ((owner = turn) != me)
        if (!wants[owner])
            turn = me;
}

static void *worker(void *argument) {
    int me = (intptr_t)argument;
    lock(me);
    assert(inside++ == 0);
    inside--;
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
