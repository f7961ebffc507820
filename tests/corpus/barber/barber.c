// The sleeping barber: a customer takes a chair, wakes the barber and waits for its haircut, or leaves when there is no
// chair.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define CHAIRS 1
#define CUSTOMERS 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t waiting, done;
static int chairs = CHAIRS, served, left;

static void *customer(void *unused) {
    pthread_mutex_lock(&lock);
    if (chairs == 0) {
        left++;
        pthread_mutex_unlock(&lock);
        return unused;
    }
    chairs--;
    assert(chairs >= 0);
    pthread_mutex_unlock(&lock);
    sem_post(&waiting);
    sem_wait(&done);
    return unused;
}

static void *barber(void *unused) {
    for (;;) {
        sem_wait(&waiting);
        pthread_mutex_lock(&lock);
        if (served + left == CUSTOMERS) {
            pthread_mutex_unlock(&lock);
            return unused;
        }
        chairs++;
        served++;
        pthread_mutex_unlock(&lock);
        sem_post(&done);
    }
}

int main(void) {
    pthread_t b, customers[CUSTOMERS];
    sem_init(&waiting, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&b, NULL, barber, NULL);
    for (int i = 0; i < CUSTOMERS; i++)
        pthread_create(&customers[i], NULL, customer, NULL);
    for (int i = 0; i < CUSTOMERS; i++)
        pthread_join(customers[i], NULL);
    sem_post(&waiting); // closing time
    pthread_join(b, NULL);
    assert(served + left == CUSTOMERS && served >= 1 && chairs == CHAIRS);
    return 0;
}
