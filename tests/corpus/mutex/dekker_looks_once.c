// Dekker's algorithm with `if` for `while`: the thread whose turn it is does not wait until the other has left.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2], turn, inside;

static void enter(int me, int other) {
    wants[me] = 1;
    if (wants[other]) {
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
    enter(me, other);
    assert(inside++ == 0);
    inside--;
    turn = other;
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
