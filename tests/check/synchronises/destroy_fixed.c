// check: --property race
// To lock it before does.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;
static int data;

static void *first(void *unused) {
    pthread_mutex_lock(&mutex);
    data = 1;
    pthread_mutex_unlock(&mutex);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, first, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        pthread_mutex_destroy(&mutex);
        data = 2;
    }
    pthread_join(t, NULL);
    return 0;
}
