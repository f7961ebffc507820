// A pipeline of N stages: each waits for its predecessor's semaphore, works on the item and passes it on.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static int item;
static sem_t ready[N + 1];

static void *stage(void *argument) {
    int me = (intptr_t)argument;
    sem_wait(&ready[me]);
    assert(item == me);
    item++;
    sem_post(&ready[me + 1]);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i <= N; i++)
        sem_init(&ready[i], 0, 0);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, stage, (void *)(intptr_t)i);
    sem_post(&ready[0]);
    sem_wait(&ready[N]);
    assert(item == N);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
