// check: --property race
// A cache with a read-write lock. What is missing is filled in under the lock for writing, if it is still missing then.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int cached;

static int look_up(void) {
    pthread_rwlock_rdlock(&lock);
    int found = cached;
    pthread_rwlock_unlock(&lock);
    if (!found) {
        pthread_rwlock_wrlock(&lock);
        if (!cached)
            cached = 5;
        found = cached;
        pthread_rwlock_unlock(&lock);
    }
    return found;
}

static void *use(void *unused) {
    (void)look_up();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    (void)look_up();
    pthread_join(thread, NULL);
    return 0;
}
