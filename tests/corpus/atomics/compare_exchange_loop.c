// An operation that there is no instruction for, as a loop: double it and add one. All orders give the same.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int number;

static void *step(void *unused) {
    int seen = number;
    while (!atomic_compare_exchange_strong(&number, &seen, 2 * seen + 1)) {
    }
    return unused;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, step, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(number == (1 << N) - 1);
    return 0;
}
