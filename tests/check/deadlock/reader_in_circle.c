// check: --property deadlock
// A reader wants the mutex of somebody who waits to write. Another reader comes and goes, and main does not care.
#include <pthread.h>

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t log = PTHREAD_MUTEX_INITIALIZER;

static void *look(void *unused) {
    pthread_rwlock_rdlock(&table);
    pthread_mutex_lock(&log); //~ error[deadlock]
    pthread_mutex_unlock(&log);
    pthread_rwlock_unlock(&table);
    return unused;
}

static void *change(void *unused) {
    pthread_mutex_lock(&log);
    pthread_rwlock_wrlock(&table);
    pthread_rwlock_unlock(&table);
    pthread_mutex_unlock(&log);
    return unused;
}

static void *pass(void *unused) {
    pthread_rwlock_rdlock(&table);
    pthread_rwlock_unlock(&table);
    return unused;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, look, NULL);
    pthread_create(&b, NULL, change, NULL);
    pthread_create(&c, NULL, pass, NULL);
    return 0;
}
