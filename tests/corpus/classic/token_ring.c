// A ring of N stations with one token: only its holder touches the frame, and passes both on.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static atomic_int token;
static int frame;

static void *station(void *argument) {
    int me = (intptr_t)argument;
    while (token != me) {
    }
    assert(frame == me);
    frame++;
    token = me + 1;
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, station, (void *)(intptr_t)i);
    while (token != N) {
    }
    assert(frame == N);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
