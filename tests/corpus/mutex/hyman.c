// Hyman's algorithm, published in 1966 as a simplification and wrong: a thread whose turn it is not may have found the
// other outside, and takes the turn only after that one has gone in.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2], turn, inside;

static void *worker(void *argument) {
    int me = (intptr_t)argument, other = 1 - me;
    wants[me] = 1;
    while (turn != me) {
        while (wants[other]) {
        }
        turn = me;
    }
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
