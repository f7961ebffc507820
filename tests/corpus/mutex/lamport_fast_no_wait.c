// Lamport's fast mutual exclusion without the wait for those that are entering: a thread that lost x may find itself in
// y while the one that won x is inside.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int x, y, inside;

static void lock(int me) {
    for (;;) {
        x = me;
        if (y != 0) {
            while (y != 0) {
            }
            continue;
        }
        y = me;
        if (x == me || y == me)
            return;
        while (y != 0) {
        }
    }
}

static void *worker(void *argument) {
    int me = (intptr_t)argument;
    lock(me);
    assert(inside++ == 0);
    inside--;
    y = 0;
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
