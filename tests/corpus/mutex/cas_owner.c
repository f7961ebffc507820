// A lock that holds its owner's number, taken by compare and exchange.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

static atomic_int owner;
static int inside;

static void lock(int me) {
    int nobody;
    do {
        nobody = 0;
    } while (!atomic_compare_exchange_strong(&owner, &nobody, me));
}

static void *worker(void *argument) {
    int me = (intptr_t)argument;
    lock(me);
    inside++;
    assert(inside == 1 && owner == me);
    inside--;
    owner = 0;
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, worker, (void *)(intptr_t)(i + 1));
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
