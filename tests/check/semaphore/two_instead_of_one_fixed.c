// check: --property assert,reach-error,lock
// A semaphore that starts with one is a lock.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t room;
static int inside;

static void *enter(void *unused) {
    (void)unused;
    sem_wait(&room);
    inside++;
    assert(inside == 1);
    inside--;
    sem_post(&room);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    sem_init(&room, 0, 1);
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
