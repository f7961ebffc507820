// Peterson's algorithm for two threads. What is inside is plain: the algorithm also orders the accesses to it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif

static atomic_int wants[2], turn;
static int inside;

static void *worker(void *argument) {
    int me = (intptr_t)argument, other = 1 - me;
    for (int round = 0; round < ROUNDS; round++) {
        wants[me] = 1;
        turn = other;
        while (wants[other] && turn == other) {
        }
        inside++;
        assert(inside == 1);
        inside--;
        wants[me] = 0;
    }
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
