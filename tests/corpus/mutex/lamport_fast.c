// Lamport's fast mutual exclusion: seven steps when nobody else is there. A thread that finds x changed waits until
// nobody is in the middle of entering, and then looks who won.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define N 2
static atomic_int entering[N + 1], x, y;
static int inside;

static void lock(int me) {
    for (;;) {
        entering[me] = 1;
        x = me;
        if (y != 0) {
            entering[me] = 0;
            while (y != 0) {
            }
            continue;
        }
        y = me;
        if (x == me)
            return;
        entering[me] = 0;
        for (int other = 1; other <= N; other++)
            while (entering[other]) {
            }
        if (y == me)
            return;
        while (y != 0) {
        }
    }
}

static void *worker(void *argument) {
    int me = (intptr_t)argument;
    lock(me);
    inside++;
    assert(inside == 1);
    inside--;
    y = 0;
    entering[me] = 0;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, (void *)1);
    pthread_create(&b, NULL, worker, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
