// check: --property deadlock
// Readers wait for a writer that waits: who reads already waits for itself.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

static void *reader(void *unused) {
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_rdlock(&lock); //~ error[deadlock]
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
