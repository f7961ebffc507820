// The main thread leaves by pthread_exit, so the program goes on without it, and a thread waits for ever.
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void *wait(void *unused) {
    sem_wait(&never);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&never, 0, 0);
    pthread_create(&thread, NULL, wait, NULL);
    pthread_exit(NULL);
}
