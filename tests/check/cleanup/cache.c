// check: --property valid-memcleanup
// The cache is filled by whoever comes first and still reached at the end; nobody frees it.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *cache;

static void *user(void *unused) {
    pthread_mutex_lock(&lock);
    if (!cache)
        cache = malloc(sizeof *cache); //~ error[cleanup]
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, user, NULL);
    user(NULL);
    pthread_join(t, NULL);
    return 0;
}
