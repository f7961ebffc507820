// check: --property assert,reach-error,lock
// A semaphore that is to be a lock starts with two.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t room;
static int inside;

static void *enter(void *unused) {
    (void)unused;
    sem_wait(&room);
    inside++;
    assert(inside == 1); //~ error[assert]
    inside--;
    sem_post(&room);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    sem_init(&room, 0, 2);
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
