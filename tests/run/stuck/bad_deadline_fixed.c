// run: --runs 20
// The deadline has not too many nanoseconds.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;

static void *wait_until_done(void *unused) {
    struct timespec deadline = {2000000000, 500000000};
    pthread_mutex_lock(&lock);
    while (!done)
        pthread_cond_timedwait(&changed, &lock, &deadline);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait_until_done, NULL);
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
