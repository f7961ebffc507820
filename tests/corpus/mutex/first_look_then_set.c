// The first idea that everybody has: look whether the other is inside, then say that one is. Both can look first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int busy[2], inside;

static void *worker(void *argument) {
    int me = (intptr_t)argument, other = 1 - me;
    while (busy[other]) {
    }
    busy[me] = 1;
    assert(inside++ == 0);
    inside--;
    busy[me] = 0;
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
