// check: --property assert,reach-error,lock
// Each thread has its own, and so has main.
#include <assert.h>
#include <pthread.h>

static _Thread_local int depth;

static void *work(void *unused) {
    (void)unused;
    depth++;
    assert(depth == 1);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(depth == 0);
    return 0;
}
