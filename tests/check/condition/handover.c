// check: --property assert,reach-error,lock
// The signal is given before the value is there.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, value;

static void *produce(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    value = 42;
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, produce, NULL);
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    assert(value == 42); //~ error[assert]
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    return 0;
}
