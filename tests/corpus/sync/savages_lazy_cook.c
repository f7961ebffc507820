// Dining savages with a cook that fills the pot once: the third one waits with the lock in its hand.
#include <pthread.h>
#include <semaphore.h>

#define SAVAGES 3
#define POT 2

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
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[SAVAGES];
    sem_init(&empty, 0, 0);
    sem_init(&full, 0, 0);
    for (int i = 0; i < SAVAGES; i++)
        pthread_create(&threads[i], NULL, savage, NULL);
    sem_wait(&empty);
    sem_post(&full);
    for (int i = 0; i < SAVAGES; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
