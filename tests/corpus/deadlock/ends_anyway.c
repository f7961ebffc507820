// A thread waits for ever, but main returns, and that is the end of the program: no deadlock.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void *wait(void *unused) {
    sem_wait(&never);
    assert(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&never, 0, 0);
    pthread_create(&thread, NULL, wait, NULL);
    return 0;
}
