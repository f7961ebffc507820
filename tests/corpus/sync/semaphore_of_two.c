// A semaphore that starts at two is none.
#include <pthread.h>
#include <semaphore.h>

static sem_t lock;
static int counter;

static void *count(void *unused) {
    sem_wait(&lock);
    counter++;
    sem_post(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    sem_init(&lock, 0, 2);
    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
