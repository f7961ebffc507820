// run: --runs 20 --seed 1
// pthread_exit in main lets the other threads go on; the program ends with the last of them, with status 0.
#include <pthread.h>
#include <semaphore.h>

static sem_t go;

static void *late(void *unused) {
    (void)unused;
    sem_wait(&go);
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&go, 0, 0);
    pthread_create(&thread, NULL, late, NULL);
    pthread_detach(thread);
    sem_post(&go);
    pthread_exit(NULL);
}
