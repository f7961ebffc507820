// check: --property assert,reach-error,lock
// A ring of two places between a producer and a consumer, guarded by two semaphores: four items arrive in order.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define PLACES 2
#define ITEMS 4
static int ring[PLACES];
static sem_t empty, full;

static void *produce(void *unused) {
    (void)unused;
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&empty);
        ring[i % PLACES] = i + 1;
        sem_post(&full);
    }
    return NULL;
}

int main(void) {
    pthread_t a;
    sem_init(&empty, 0, PLACES);
    sem_init(&full, 0, 0);
    pthread_create(&a, NULL, produce, NULL);
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&full);
        assert(ring[i % PLACES] == i + 1);
        sem_post(&empty);
    }
    pthread_join(a, NULL);
    return 0;
}
