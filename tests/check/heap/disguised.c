// check: --property assert,reach-error,lock
// An address is given away with its bits turned round, and the object is written after that.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static _Atomic uintptr_t shared;

static void *give(void *unused) {
    int *p = calloc(1, sizeof *p);
    shared = ~(uintptr_t)p;
    *p = 5;
    return unused;
}

static void *take(void *unused) {
    uintptr_t given = shared;
    if (given)
        assert(*(int *)~given == 5); //~ error[assert]
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, give, NULL);
    pthread_create(&b, NULL, take, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
