// Two locks in opposite orders by threads that never run at the same time: the second is started when the first was
// joined.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void nested(pthread_mutex_t *first, pthread_mutex_t *second) {
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    sum++;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *ab(void *unused) {
    nested(&a, &b);
    return unused;
}

static void *ba(void *unused) {
    nested(&b, &a);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, ab, NULL);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, ba, NULL);
    pthread_join(thread, NULL);
    assert(sum == 2);
    return 0;
}
