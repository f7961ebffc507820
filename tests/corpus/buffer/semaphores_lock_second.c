// The repair: wait first, then lock.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static int level;
static sem_t full;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *consume(void *unused) {
    sem_wait(&full);
    pthread_mutex_lock(&lock);
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
    assert(level == 0);
    return 0;
}
