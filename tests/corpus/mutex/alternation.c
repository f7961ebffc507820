// Strict alternation: two threads enter in turn. Right, if both enter equally often.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif

static atomic_int turn;
static int inside, last = 1;

static void *worker(void *argument) {
    int me = (intptr_t)argument;
    for (int round = 0; round < ROUNDS; round++) {
        while (turn != me) {
        }
        inside++;
        assert(inside == 1 && last != me);
        last = me;
        inside--;
        turn = 1 - me;
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
