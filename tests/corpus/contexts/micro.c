// Micro: THREADS threads add one and take it away again if the sum was above one, ROUNDS times, in two visible statements
// a round. The assertion holds: the very first addition stays, and every later one finds it there. With -DMISTAKE the
// sum is read after the addition, in a statement of its own, and the assertion fails: two threads can both see the other's
// addition. Nothing races.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

static atomic_int x;

static void *count(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
#ifdef MISTAKE
        x++;
        int excess = x > 1;
#else
        int excess = ++x > 1;
#endif
        x -= excess;
    }
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, count, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(x == 1);
    return 0;
}
