// Each thread looks at what the other leaves half done in a section of its own, under another lock.
#include <assert.h>
#include <pthread.h>
static int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static void *first(void *unused) {
    pthread_mutex_lock(&m);
    x = 1;
    int seen = y;
    x = 0;
    pthread_mutex_unlock(&m);
    assert(seen == 0);
    return unused;
}
static void *second(void *unused) {
    pthread_mutex_lock(&n);
    y = 1;
    int seen = x;
    y = 0;
    pthread_mutex_unlock(&n);
    assert(seen == 0);
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 0 && y == 0);
    return 0;
}
