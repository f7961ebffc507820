// run: --runs 1
// A read-write lock is destroyed while it is held for reading.
#include <pthread.h>

int main(void) {
    pthread_rwlock_t lock;
    pthread_rwlock_init(&lock, NULL);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_destroy(&lock); //~ error[lock]
    return 0;
}
