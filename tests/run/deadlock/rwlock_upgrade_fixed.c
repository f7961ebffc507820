// run: --runs 50 --seed 1
// A reader gives up the read lock before it asks for the write lock.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int version;

static void *update(void *unused) {
    (void)unused;
    pthread_rwlock_rdlock(&lock);
    int stale = version == 0;
    pthread_rwlock_unlock(&lock);
    if (stale) {
        pthread_rwlock_wrlock(&lock);
        version++;
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, update, NULL);
    pthread_create(&b, NULL, update, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
