// Of N threads that try to change 0 to their number, exactly one succeeds, and the others are told who it was.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int winner;
static int belief[N];

static void *compete(void *argument) {
    int *mine = argument, me = mine - belief + 1, seen = 0;
    *mine = atomic_compare_exchange_strong(&winner, &seen, me) ? me : seen;
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, compete, &belief[i]);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < N; i++)
        assert(belief[i] == atomic_load(&winner));
    return 0;
}
