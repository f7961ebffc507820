// A circle of N threads and N semaphores: each waits for its predecessor before it lets its successor go.
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

static sem_t ready[N];

static void *step(void *argument) {
    int me = (intptr_t)argument;
    sem_wait(&ready[me]);
    sem_post(&ready[(me + 1) % N]);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        sem_init(&ready[i], 0, 0);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, step, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
