// exit in a thread ends the program: what the others would do afterwards does not happen.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t never;

static void *leave(void *unused) {
    exit(unused ? 1 : 0);
}

int main(void) {
    pthread_t thread;
    sem_init(&never, 0, 0);
    pthread_create(&thread, NULL, leave, NULL);
    sem_wait(&never);
    assert(0);
    return 0;
}
