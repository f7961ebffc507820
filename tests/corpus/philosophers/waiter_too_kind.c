// The waiter lets all of them sit down.
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

#define N 3

static sem_t seats;
static pthread_mutex_t fork[N];

static void *dine(void *argument) {
    int me = (intptr_t)argument;
    sem_wait(&seats);
    pthread_mutex_lock(&fork[me]);
    pthread_mutex_lock(&fork[(me + 1) % N]);
    pthread_mutex_unlock(&fork[(me + 1) % N]);
    pthread_mutex_unlock(&fork[me]);
    sem_post(&seats);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    sem_init(&seats, 0, N);
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&fork[i], NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, dine, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
