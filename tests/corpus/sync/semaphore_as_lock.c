// A semaphore that starts at one is a lock.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#ifndef N
#define N 2
#endif

static sem_t lock;
static int counter;

static void *count(void *unused) {
    sem_wait(&lock);
    counter++;
    sem_post(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[N];
    sem_init(&lock, 0, 1);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, count, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(counter == N);
    return 0;
}
