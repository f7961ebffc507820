// The largest of N values, kept by compare and exchange.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

static atomic_int largest;

static void *offer(void *argument) {
    int mine = (intptr_t)argument, seen = largest;
    while (mine > seen && !atomic_compare_exchange_strong(&largest, &seen, mine)) {
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, offer, (void *)(intptr_t)(i + 1));
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(largest == N);
    return 0;
}
