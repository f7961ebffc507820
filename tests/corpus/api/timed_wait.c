// A timed wait may end without a signal: whoever looks at the flag afterwards is right in both cases.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *set(void *unused) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec soon;
    int result = 0;
    clock_gettime(CLOCK_REALTIME, &soon);
    pthread_create(&thread, NULL, set, NULL);
    pthread_mutex_lock(&lock);
    while (!ready && result == 0)
        result = pthread_cond_timedwait(&changed, &lock, &soon);
    assert(ready || result == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
