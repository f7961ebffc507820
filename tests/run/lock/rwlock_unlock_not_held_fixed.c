// run: --runs 1
// Two read locks of one thread need two unlocks.
#include <pthread.h>

int main(void) {
    pthread_rwlock_t lock;
    pthread_rwlock_init(&lock, NULL);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_destroy(&lock);
    return 0;
}
