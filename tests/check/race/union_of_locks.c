// check: --engine explore --property race
// A mutex and a read-write lock in the same memory: each takes what it finds there for its own.
#include <pthread.h>

static union {
    pthread_mutex_t mutex;
    pthread_rwlock_t rwlock;
} lock;
static int x;

static void *add(void *unused) {
    pthread_rwlock_wrlock(&lock.rwlock);
    x++; //~ error[race]
    pthread_rwlock_unlock(&lock.rwlock);
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
