// run: --runs 50 --seed 1
// Main releases the lock before it joins the worker.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
