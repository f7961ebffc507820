// check:
// Whoever is late is told so.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int left = 2;
static int late;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    if (--left == 0)
        pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *watch(void *unused) {
    struct timespec until;
    int result = 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 5;
    pthread_mutex_lock(&mutex);
    while (left > 0 && result != ETIMEDOUT)
        result = pthread_cond_timedwait(&changed, &mutex, &until);
    late = left > 0;
    assert(!late || result == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t watchdog, workers[2];
    pthread_create(&watchdog, NULL, watch, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i], NULL);
    pthread_join(watchdog, NULL);
    return 0;
}
