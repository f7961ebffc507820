// events: --property assert
// To wait for a semaphore is one step: it reads and writes its value.
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *other(void *unused) {
    sem_post(&s);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    sem_wait(&s);
    return 0;
}
