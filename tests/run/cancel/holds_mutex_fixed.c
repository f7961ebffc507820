// run: --runs 100 --seed 1
// The cleanup handler unlocks the mutex.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, cleaned;

static void unlock(void *held) {
    cleaned = 1;
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
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, wait, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    pthread_mutex_lock(&mutex);
    assert(result == PTHREAD_CANCELED && cleaned == 1);
    pthread_mutex_unlock(&mutex);
    return 0;
}
