// run: --runs 100
// A thread waits for a semaphore in a local of main, which main posts and takes back again and again: it gets it at last.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int done;

static void *finish(void *semaphore) {
    sem_wait(semaphore);
    done = 1;
    sem_post(semaphore);
    return NULL;
}

int main(void) {
    sem_t semaphore;
    pthread_t thread;
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, finish, &semaphore);
    while (!done) {
        sem_post(&semaphore);
        sem_wait(&semaphore);
    }
    pthread_join(thread, NULL);
    return 0;
}
