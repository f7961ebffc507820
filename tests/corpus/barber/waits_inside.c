// The customer waits for its haircut with the lock in its hand, which the barber needs.
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t waiting, done;
static int served;

static void *customer(void *unused) {
    pthread_mutex_lock(&lock);
    sem_post(&waiting);
    sem_wait(&done);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&waiting, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&a, NULL, customer, NULL);
    sem_wait(&waiting);
    pthread_mutex_lock(&lock);
    served++;
    pthread_mutex_unlock(&lock);
    sem_post(&done);
    pthread_join(a, NULL);
    return 0;
}
