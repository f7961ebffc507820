// N threads set a bit each by fetch_or: none is lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static atomic_uint bits;

static void *set(void *argument) {
    atomic_fetch_or(&bits, 1u << (intptr_t)argument);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, set, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(bits == (1u << N) - 1);
    return 0;
}
