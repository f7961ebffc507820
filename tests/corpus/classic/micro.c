// Micro: N threads that add one in two steps, ROUNDS times each. What all but one of them did may be lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

static atomic_int x;

static void *add(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        int seen = x;
        x = seen + 1;
    }
    return unused;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(x > ROUNDS);
    return 0;
}
