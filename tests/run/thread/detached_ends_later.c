// run: --runs 50 --seed 1 --scheduler random
// A detached thread may still run when main cleans up: it uses a lock that is already destroyed.
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock;

static void *background(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock); //~ error[lock]
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_init(&lock, NULL);
    pthread_create(&thread, NULL, background, NULL);
    pthread_detach(thread);
    pthread_mutex_destroy(&lock);
    pthread_exit(NULL);
}
