// check: --property race
// The first thread makes the lock anew while it holds it. Nobody else runs then, but the next one finds a lock that is free.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int jobs;

static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    jobs++; //~ error[race]
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&lock);
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pthread_create(&thread, NULL, worker, NULL);
    jobs++;
    pthread_join(thread, NULL);
    return 0;
}
