// Ping-pong with a condition variable: two threads in strict turns.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn, hits;

static void *play(void *argument) {
    int me = (intptr_t)argument;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        while (turn != me)
            pthread_cond_wait(&changed, &lock);
        assert(hits == 2 * i + me);
        hits++;
        turn = 1 - me;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, play, (void *)0);
    pthread_create(&b, NULL, play, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(hits == 2 * ROUNDS);
    return 0;
}
