// check: --property assert
// A lock that was got is got at any time before the deadline.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *holder(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t t;
    struct timespec until = {1800000000, 5}, now;
    pthread_create(&t, NULL, holder, NULL);
    if (pthread_mutex_timedlock(&mutex, &until) == 0) {
        clock_gettime(CLOCK_REALTIME, &now);
        assert(now.tv_sec >= 1800000000); //~ error[assert]
    }
    pthread_join(t, NULL);
    return 0;
}
