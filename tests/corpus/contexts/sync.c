// Sync: a producer hands N numbers to a consumer through one cell, with a condition variable for each direction. The
// assertions hold, and both come to their ends. With -DMISTAKE the producer does not wait as long as the cell is full, and
// the first assertion fails if it is fast. With -DSILENT the consumer does not say that the cell is empty, and the producer
// can wait for ever. Nothing races.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif
#ifdef MISTAKE
#define ROOM 2
#else
#define ROOM 1
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_full = PTHREAD_COND_INITIALIZER, is_empty = PTHREAD_COND_INITIALIZER;
static int cell, filled;

static void *produce(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        while (filled == ROOM)
            pthread_cond_wait(&is_empty, &lock);
        assert(filled == 0);
        cell = i;
        filled++;
        pthread_cond_signal(&is_full);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *consume(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        while (filled == 0)
            pthread_cond_wait(&is_full, &lock);
        assert(cell == i);
        filled--;
#ifndef SILENT
        pthread_cond_signal(&is_empty);
#endif
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t producer, consumer;
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    return 0;
}
