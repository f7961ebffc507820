// Dining savages: they eat from a pot of two servings; who finds it empty wakes the cook and waits until it is full.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define SAVAGES 3
#define POT 2
#define REFILLS 2 /* three meals, two in a pot */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t empty, full;
static int servings;

static void *savage(void *unused) {
    pthread_mutex_lock(&lock);
    if (servings == 0) {
        sem_post(&empty);
        sem_wait(&full);
        servings = POT;
    }
    servings--;
    assert(servings >= 0);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *cook(void *unused) {
    for (int i = 0; i < REFILLS; i++) {
        sem_wait(&empty);
        sem_post(&full);
    }
    return unused;
}

int main(void) {
    pthread_t threads[SAVAGES], chef;
    sem_init(&empty, 0, 0);
    sem_init(&full, 0, 0);
    pthread_create(&chef, NULL, cook, NULL);
    for (int i = 0; i < SAVAGES; i++)
        pthread_create(&threads[i], NULL, savage, NULL);
    for (int i = 0; i < SAVAGES; i++)
        pthread_join(threads[i], NULL);
    pthread_join(chef, NULL);
    assert(servings == 1);
    return 0;
}
