// run: --runs 20 --seed 1
// The thread that goes on wakes the one that main joins, after a hundred beats.
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_ready = PTHREAD_COND_INITIALIZER;
static bool ready;

static void *wait_until_ready(void *unused) {
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&is_ready, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *heartbeat(void *unused) {
    for (unsigned beats = 0; beats < 100; beats++)
        nanosleep(&(struct timespec){.tv_nsec = 1000}, NULL);
    pthread_mutex_lock(&lock);
    ready = true;
    pthread_cond_signal(&is_ready);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t heart, waiter;
    pthread_create(&heart, NULL, heartbeat, NULL);
    pthread_create(&waiter, NULL, wait_until_ready, NULL);
    pthread_join(waiter, NULL);
    pthread_join(heart, NULL);
    return 0;
}
