// check: --property assert,reach-error,lock
// The second look, under the write lock, makes it right.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int cached, computed;

static void *lookup(void *unused) {
    (void)unused;
    pthread_rwlock_rdlock(&lock);
    int found = cached;
    pthread_rwlock_unlock(&lock);
    if (!found) {
        pthread_rwlock_wrlock(&lock);
        if (!cached)
            computed++;
        cached = 1;
        assert(computed == 1);
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, lookup, NULL);
    pthread_create(&b, NULL, lookup, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
