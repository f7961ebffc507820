// check: --property deadlock
// Whoever finds the entry missing gives the lock back, takes it for writing and looks again.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int entry = 1;

static void *refresh(void *stale) {
    pthread_rwlock_rdlock(&lock);
    int is_stale = entry == *(int *)stale;
    pthread_rwlock_unlock(&lock);
    if (is_stale) {
        pthread_rwlock_wrlock(&lock);
        if (entry == *(int *)stale)
            entry++;
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    int one = 1, two = 2;
    pthread_create(&thread, NULL, refresh, &one);
    refresh(&two);
    pthread_join(thread, NULL);
    return 0;
}
