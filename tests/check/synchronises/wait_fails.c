// check: --property race
// A wait for a semaphore that gives up orders nothing.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t semaphore;
static atomic_int flag;
static int data;

static void *first(void *unused) {
    data = 1;
    sem_wait(&semaphore);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t;
    sem_init(&semaphore, 0, 1);
    pthread_create(&t, NULL, first, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        if (sem_trywait(&semaphore) != 0)
            data = 2; //~ error[race]
    }
    pthread_join(t, NULL);
    return 0;
}
