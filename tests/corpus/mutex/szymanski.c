// Szymanski's algorithm: a waiting room with two doors. States: 0 outside, 1 wants in, 2 waits for others to come in, 3
// in the doorway, 4 the front door is shut.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int state[2];
static int inside;

static void lock(int me, int other) {
    state[me] = 1;
    while (state[other] >= 3) {
    }
    state[me] = 3;
    if (state[other] == 1) {
        state[me] = 2;
        while (state[other] != 4) {
        }
    }
    state[me] = 4;
    if (me == 1)
        while (state[other] >= 2) {
        }
}

static void unlock(int me, int other) {
    int theirs;
    if (me == 0)
        while ((theirs = state[other]) == 2 || theirs == 3) {
        }
    state[me] = 0;
}

static void *worker(void *argument) {
    int me = (intptr_t)argument, other = 1 - me;
    lock(me, other);
    inside++;
    assert(inside == 1);
    inside--;
    unlock(me, other);
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
