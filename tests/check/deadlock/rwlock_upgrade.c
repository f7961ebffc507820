// check: --property deadlock
// Whoever finds the entry missing takes the lock for writing while it still has it for reading. Two at once wait for each
// other's reading to end, and one alone for its own.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int entry = 1;

static void *refresh(void *stale) {
    pthread_rwlock_rdlock(&lock);
    if (entry == *(int *)stale) {
        pthread_rwlock_wrlock(&lock); //~ error[deadlock]
        entry++;
        pthread_rwlock_unlock(&lock);
    }
    pthread_rwlock_unlock(&lock);
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
