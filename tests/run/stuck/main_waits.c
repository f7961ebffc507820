// run: --runs 20 --seed 1
// Main joins a thread that nobody wakes, while a third thread goes on for ever.
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_ready = PTHREAD_COND_INITIALIZER;
static bool ready;
static unsigned beats;

static void *wait_until_ready(void *unused) {
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&is_ready, &lock); //~ error[deadlock]
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *heartbeat(void *unused) {
    for (;;) {
        nanosleep(&(struct timespec){.tv_nsec = 1000}, NULL);
        beats++;
    }
    return unused;
}

int main(void) {
    pthread_t heart, waiter;
    pthread_create(&heart, NULL, heartbeat, NULL);
    pthread_create(&waiter, NULL, wait_until_ready, NULL);
    pthread_join(waiter, NULL);
    return 0;
}
