// check: --property lock
// A reader that finds nothing unlocks and leaves.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int entry;

static void *look_up(void *unused) {
    pthread_rwlock_rdlock(&lock);
    if (!entry) {
        pthread_rwlock_unlock(&lock);
        return unused;
    }
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t reader;
    pthread_create(&reader, NULL, look_up, NULL);
    pthread_rwlock_wrlock(&lock);
    entry = 1;
    pthread_rwlock_unlock(&lock);
    pthread_join(reader, NULL);
    return 0;
}
