// run: --runs 20 --seed 1
// A return from main ends the program, whatever the other threads are doing.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t never;

static void *stuck(void *unused) {
    (void)unused;
    sem_wait(&never);
    abort();
}

int main(void) {
    pthread_t thread;
    sem_init(&never, 0, 0);
    pthread_create(&thread, NULL, stuck, NULL);
    return 0;
}
