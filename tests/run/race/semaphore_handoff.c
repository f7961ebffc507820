// run: --runs 50 --seed 1
// The producer posts the semaphore before the item is complete.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t filled;
static int item;

static void *produce(void *unused) {
    (void)unused;
    sem_post(&filled);
    item = 5;
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&filled, 0, 0);
    pthread_create(&thread, NULL, produce, NULL);
    sem_wait(&filled);
    int seen = item; //~ error[race]
    pthread_join(thread, NULL);
    sem_destroy(&filled);
    return seen == 6;
}
