// N threads add one to an atomic counter. The mistake: `counter = counter + 1` is a load and a store, also when the
// counter is atomic.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int counter;

static void *count(void *unused) {
#ifdef MISTAKE
    counter = counter + 1;
#else
    counter++;
#endif
    return unused;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, count, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(counter == N);
    return 0;
}
