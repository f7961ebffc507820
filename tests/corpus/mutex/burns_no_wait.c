// Burns' algorithm without the wait for larger numbers: the first thread does not care who is inside.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2], inside;

static void lock(int me) {
    do {
        wants[me] = 0;
        while (me == 1 && wants[0]) {
        }
        wants[me] = 1;
    } while (me == 1 && wants[0]);
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
