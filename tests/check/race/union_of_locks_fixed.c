// check: --property race
// A mutex in the same memory as a read-write lock that nobody uses.
#include <pthread.h>

static union {
    pthread_mutex_t mutex;
    pthread_rwlock_t rwlock;
} lock;
static int x;

static void *add(void *unused) {
    pthread_mutex_lock(&lock.mutex);
    x++;
    pthread_mutex_unlock(&lock.mutex);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, add, NULL);
    pthread_mutex_lock(&lock.mutex);
    x++;
    pthread_mutex_unlock(&lock.mutex);
    pthread_join(t, NULL);
    return 0;
}
