// check: --no-spurious-wakeups
// Of two threads that wait, one is cancelled: it does not take the signal away from the other one.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void unlock(void *held) {
    pthread_mutex_unlock(held);
}

static void *wait(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    while (!ready)
        pthread_cond_wait(&changed, &mutex);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, wait, NULL);
    pthread_create(&other, NULL, wait, NULL);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_cancel(one);
    pthread_join(one, NULL);
    pthread_cond_signal(&changed);
    pthread_join(other, NULL);
    return 0;
}
