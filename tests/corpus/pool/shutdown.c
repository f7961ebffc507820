// A pool with a queue of numbers: workers sleep while there is nothing to do, and all of them are woken to go home.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define WORKERS 2
#define TASKS 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting, done;
static bool closing;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!waiting && !closing)
            pthread_cond_wait(&changed, &lock);
        if (!waiting)
            break;
        waiting--;
        done++;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    pthread_mutex_lock(&lock);
    waiting += TASKS;
    closing = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    assert(done == TASKS);
    return 0;
}
