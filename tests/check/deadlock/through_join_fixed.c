// check: --property deadlock
// The lock is given back before the thread is joined that wants it at its end.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int result;

static void *compute(void *unused) {
    pthread_mutex_lock(&lock);
    result = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, compute, NULL);
    pthread_mutex_lock(&lock);
    int seen = result;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return !seen && !result;
}
