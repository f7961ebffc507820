// run: --runs 50 --seed 1
// A detached thread says that it is done before main cleans up.
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock;
static sem_t done;

static void *background(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    sem_post(&done);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_init(&lock, NULL);
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, background, NULL);
    pthread_detach(thread);
    sem_wait(&done);
    pthread_mutex_destroy(&lock);
    return 0;
}
