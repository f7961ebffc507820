// check: --property deadlock
// A ring with two semaphores: the producer takes the lock and then waits for a free slot, which needs the lock.
#include <pthread.h>
#include <semaphore.h>

enum { ITEMS = 2 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t free_slots, filled_slots;
static int count;

static void *produce(void *unused) {
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
        sem_wait(&free_slots); //~ error[deadlock]
        count++;
        pthread_mutex_unlock(&lock);
        sem_post(&filled_slots);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&free_slots, 0, 1);
    sem_init(&filled_slots, 0, 0);
    pthread_create(&thread, NULL, produce, NULL);
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&filled_slots);
        pthread_mutex_lock(&lock);
        count--;
        pthread_mutex_unlock(&lock);
        sem_post(&free_slots);
    }
    pthread_join(thread, NULL);
    return count;
}
