// check: --property lock
// A thread gives up the read lock of main.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *finish(void *unused) {
    pthread_rwlock_unlock(&lock); //~ error[lock]
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_rwlock_rdlock(&lock);
    pthread_create(&t, NULL, finish, NULL);
    pthread_join(t, NULL);
    return 0;
}
