// check: --property assert,reach-error,lock
// The second check is missing.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct settings {
    int threads;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct settings *_Atomic instance;
static int made;

static struct settings *settings(void) {
    struct settings *found = atomic_load(&instance);
    if (!found) {
        pthread_mutex_lock(&lock);
        found = malloc(sizeof *found);
        found->threads = 4;
        made++;
        atomic_store(&instance, found);
        pthread_mutex_unlock(&lock);
    }
    return found;
}

static void *use(void *unused) {
    (void)unused;
    assert(settings()->threads == 4);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(made == 1); //~ error[assert]
    return 0;
}
