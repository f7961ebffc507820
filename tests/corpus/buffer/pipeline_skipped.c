// A pipeline whose second stage waits for the wrong semaphore: it starts together with the first one, on the same item.
#include <pthread.h>
#include <semaphore.h>

static int item;
static sem_t start;

static void *stage(void *unused) {
    sem_wait(&start);
    item++;
    return unused;
}

int main(void) {
    pthread_t a, b;
    sem_init(&start, 0, 0);
    pthread_create(&a, NULL, stage, NULL);
    pthread_create(&b, NULL, stage, NULL);
    sem_post(&start);
    sem_post(&start);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
