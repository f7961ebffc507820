// A bounded buffer with two semaphores: one counts the free places, one the full ones.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define SIZE 2
#ifndef ITEMS
#define ITEMS 3
#endif

static int place[SIZE];
static sem_t empty, full;

static void *produce(void *unused) {
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&empty);
        place[i % SIZE] = i;
        sem_post(&full);
    }
    return unused;
}

int main(void) {
    pthread_t producer;
    sem_init(&empty, 0, SIZE);
    sem_init(&full, 0, 0);
    pthread_create(&producer, NULL, produce, NULL);
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&full);
        assert(place[i % SIZE] == i);
        sem_post(&empty);
    }
    pthread_join(producer, NULL);
    return 0;
}
