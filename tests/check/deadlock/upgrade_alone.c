// check: --property deadlock
// A thread that reads wants to write as well, and waits for itself; main goes on.
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int beats;

static void *refresh(void *stale) {
    pthread_rwlock_rdlock(&lock);
    if (*(int *)stale)
        pthread_rwlock_wrlock(&lock); //~ error[deadlock]
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    static int stale = 1;
    pthread_t t;
    pthread_create(&t, NULL, refresh, &stale);
    for (;;)
        beats++;
}
