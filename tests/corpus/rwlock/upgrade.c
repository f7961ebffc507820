// Two readers want to become writers without letting go: each waits for the other to stop reading. The lock is one that
// allows it, made of a mutex and a condition variable.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, value;

static void *increment(void *unused) {
    pthread_mutex_lock(&lock);
    readers++;
    pthread_mutex_unlock(&lock);

    pthread_mutex_lock(&lock);
    while (readers > 1)
        pthread_cond_wait(&changed, &lock);
    value++;
    readers--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, increment, NULL);
    pthread_create(&b, NULL, increment, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
