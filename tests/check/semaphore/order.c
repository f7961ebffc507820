// check: --property assert,reach-error,lock
// The item is announced before it is there.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t full;
static int item;

static void *produce(void *unused) {
    (void)unused;
    sem_post(&full);
    item = 7;
    return NULL;
}

int main(void) {
    pthread_t a;
    sem_init(&full, 0, 0);
    pthread_create(&a, NULL, produce, NULL);
    sem_wait(&full);
    assert(item == 7); //~ error[assert]
    pthread_join(a, NULL);
    return 0;
}
