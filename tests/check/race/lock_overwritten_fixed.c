// check: --property race
// The lock is made anew before it is taken: who starts later waits for it.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int jobs;

static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    jobs++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, worker, NULL);
    jobs++;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
