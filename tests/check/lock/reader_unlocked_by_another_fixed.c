// check: --property lock
// Each gives up its own, also when it was taken twice, and among others.
#include <pthread.h>

static pthread_rwlock_t locks[3] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};

static void *finish(void *unused) {
    for (int i = 0; i < 3; i++)
        pthread_rwlock_rdlock(&locks[i]);
    pthread_rwlock_rdlock(&locks[1]);
    for (int i = 0; i < 3; i++)
        pthread_rwlock_unlock(&locks[i]);
    pthread_rwlock_unlock(&locks[1]);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_rwlock_rdlock(&locks[1]);
    pthread_create(&t, NULL, finish, NULL);
    pthread_join(t, NULL);
    pthread_rwlock_unlock(&locks[1]);
    return 0;
}
