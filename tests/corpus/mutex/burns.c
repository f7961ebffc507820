// Burns' algorithm, one bit for each thread: back off while somebody with a smaller number wants in, then wait for
// those with larger numbers.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

static atomic_int wants[N];
static int inside;

static bool smaller_wants(int me) {
    for (int other = 0; other < me; other++)
        if (wants[other])
            return true;
    return false;
}

static void lock(int me) {
    do {
        wants[me] = 0;
        while (smaller_wants(me)) {
        }
        wants[me] = 1;
    } while (smaller_wants(me));
    for (int other = me + 1; other < N; other++)
        while (wants[other]) {
        }
}

static void *worker(void *argument) {
    int me = (intptr_t)argument;
    lock(me);
    inside++;
    assert(inside == 1);
    inside--;
    wants[me] = 0;
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, worker, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
