// A ring in which each station has a flag for the token, and two tokens were put in: two stations may hold one at the
// same time.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static atomic_int has_token[N], holders;

static void *station(void *argument) {
    int me = (intptr_t)argument;
    if (has_token[me]) {
        assert(holders++ == 0);
        holders--;
        has_token[(me + 1) % N] = 1;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    has_token[0] = 1;
    has_token[N / 2] = 1;
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, station, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
