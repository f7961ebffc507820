// A future: the value is set once under the lock, and whoever asks waits for it.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static struct {
    pthread_mutex_t lock;
    pthread_cond_t set;
    bool is_set;
    int value;
} future = {.lock = PTHREAD_MUTEX_INITIALIZER, .set = PTHREAD_COND_INITIALIZER};

static void *compute(void *unused) {
    pthread_mutex_lock(&future.lock);
    future.value = 6 * 7;
    future.is_set = true;
    pthread_cond_broadcast(&future.set);
    pthread_mutex_unlock(&future.lock);
    return unused;
}

static int get(void) {
    pthread_mutex_lock(&future.lock);
    while (!future.is_set)
        pthread_cond_wait(&future.set, &future.lock);
    pthread_mutex_unlock(&future.lock);
    return future.value;
}

static void *ask(void *unused) {
    assert(get() == 42);
    return unused;
}

int main(void) {
    pthread_t worker, other;
    pthread_create(&worker, NULL, compute, NULL);
    pthread_create(&other, NULL, ask, NULL);
    assert(get() == 42);
    pthread_join(worker, NULL);
    pthread_join(other, NULL);
    return 0;
}
