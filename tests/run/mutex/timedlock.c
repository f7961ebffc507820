// run: --runs 200 --seed 1
// A timed lock can time out; the caller goes on as if it held the lock.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 1;
    pthread_create(&thread, NULL, hold, NULL);
    pthread_mutex_timedlock(&lock, &deadline);
    pthread_mutex_unlock(&lock); //~ error[lock]
    pthread_join(thread, NULL);
    return 0;
}
