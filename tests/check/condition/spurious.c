// check: --property assert,reach-error,lock
// With wake-ups that nobody has caused, an `if` is not enough even for one consumer.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *produce(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, produce, NULL);
    pthread_mutex_lock(&lock);
    if (!ready)
        pthread_cond_wait(&changed, &lock);
    assert(ready); //~ error[assert]
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    return 0;
}
