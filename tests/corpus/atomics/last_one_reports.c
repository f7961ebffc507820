// The thread that brings the counter to zero knows that the others are done, and adds up their plain results.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

static atomic_int missing = N;
static int result[N], reports;

static void *work(void *argument) {
    int me = (intptr_t)argument, sum = 0;
    result[me] = 1;
    if (atomic_fetch_sub(&missing, 1) == 1) {
        for (int i = 0; i < N; i++)
            sum += result[i];
        assert(sum == N);
        reports++;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(reports == 1);
    return 0;
}
