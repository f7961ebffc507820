// Double-checked locking as C11 allows it: the pointer is atomic, stored with release and read with acquire, so whoever
// sees it sees the settings behind it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct settings {
    int threads, verbose;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct settings *) instance;

static struct settings *settings(void) {
    struct settings *known = atomic_load_explicit(&instance, memory_order_acquire);
    if (!known) {
        pthread_mutex_lock(&lock);
        known = atomic_load_explicit(&instance, memory_order_relaxed);
        if (!known) {
            known = malloc(sizeof *known);
            known->threads = 4;
            known->verbose = 1;
            atomic_store_explicit(&instance, known, memory_order_release);
        }
        pthread_mutex_unlock(&lock);
    }
    return known;
}

static void *worker(void *unused) {
    (void)unused;
    assert(settings()->threads == 4);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(instance);
    return 0;
}
