// check: --property deadlock --no-spurious-wakeups
// The pool is told to stop; a worker that is woken for a task wakes the next one for the end.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static int tasks, stopping;

static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    while (!tasks && !stopping)
        pthread_cond_wait(&wake, &lock);
    if (tasks)
        tasks--;
    if (stopping)
        pthread_cond_signal(&wake);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    tasks = 1;
    stopping = 1;
    pthread_cond_signal(&wake);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
