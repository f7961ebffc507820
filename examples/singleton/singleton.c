// Double-checked locking: the settings are loaded when they are first needed. The first check reads a plain pointer
// outside of the lock, so another thread may see the pointer before it sees the settings behind it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct settings {
    int threads, verbose;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct settings *instance;

static struct settings *settings(void) {
    if (!instance) {
        pthread_mutex_lock(&lock);
        if (!instance) {
            struct settings *fresh = malloc(sizeof *fresh);
            fresh->threads = 4;
            fresh->verbose = 1;
            instance = fresh;
        }
        pthread_mutex_unlock(&lock);
    }
    return instance;
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
