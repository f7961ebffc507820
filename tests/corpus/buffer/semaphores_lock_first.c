// The consumer waits for the semaphore while it holds the lock. The producer needs the lock to fill the buffer, and
// both wait.
#include <pthread.h>
#include <semaphore.h>

static int level;
static sem_t full;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *consume(void *unused) {
    pthread_mutex_lock(&lock);
    sem_wait(&full);
    level--;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t consumer;
    sem_init(&full, 0, 0);
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_mutex_lock(&lock);
    level++;
    pthread_mutex_unlock(&lock);
    sem_post(&full);
    pthread_join(consumer, NULL);
    return 0;
}
