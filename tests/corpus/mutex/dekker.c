// Dekker's algorithm: of two threads that want to enter, the one whose turn it is not takes its wish back for a while.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif

static atomic_int wants[2], turn;
static int inside;

static void enter(int me, int other) {
    wants[me] = 1;
    while (wants[other]) {
        if (turn == other) {
            wants[me] = 0;
            while (turn == other) {
            }
            wants[me] = 1;
        }
    }
}

static void *worker(void *argument) {
    int me = (intptr_t)argument, other = 1 - me;
    for (int round = 0; round < ROUNDS; round++) {
        enter(me, other);
        inside++;
        assert(inside == 1);
        inside--;
        turn = other;
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
