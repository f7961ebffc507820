// check: --property lock
// A semaphore as a gate: it may be posted by another thread than the one that waits.
#include <pthread.h>
#include <semaphore.h>

static sem_t gate;

static void *open_gate(void *unused) {
    sem_post(&gate);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&gate, 0, 0);
    pthread_create(&thread, NULL, open_gate, NULL);
    sem_wait(&gate);
    pthread_join(thread, NULL);
    sem_destroy(&gate);
    return 0;
}
