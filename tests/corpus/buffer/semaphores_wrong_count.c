// The semaphore for free places starts one too high: the producer may write a place that the consumer reads.
#include <pthread.h>
#include <semaphore.h>

#define SIZE 1
#define ITEMS 2

static int place[SIZE], sum;
static sem_t empty, full;

static void *produce(void *unused) {
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&empty);
        place[i % SIZE] = i;
        sem_post(&full);
    }
    return unused;
}

int main(void) {
    pthread_t producer;
    sem_init(&empty, 0, SIZE + 1);
    sem_init(&full, 0, 0);
    pthread_create(&producer, NULL, produce, NULL);
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&full);
        sum += place[i % SIZE];
        sem_post(&empty);
    }
    pthread_join(producer, NULL);
    return sum == 7;
}
