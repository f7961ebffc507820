// check: --property assert,reach-error,lock
// Woken by a broadcast, a consumer finds that the other one was faster.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t available = PTHREAD_COND_INITIALIZER;
static int items;

static void *consume(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    if (items == 0)
        pthread_cond_wait(&available, &lock);
    items--;
    assert(items >= 0); //~ error[assert]
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, consume, NULL);
    pthread_create(&b, NULL, consume, NULL);
    pthread_mutex_lock(&lock);
    items = 1;
    pthread_cond_broadcast(&available);
    pthread_mutex_unlock(&lock);
    return 0;
}
