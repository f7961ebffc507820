// check: --property assert,reach-error,lock
// A counter that is meant for each thread, and shared by all.
#include <assert.h>
#include <pthread.h>

static int depth;

static void *work(void *unused) {
    (void)unused;
    depth++;
    assert(depth == 1); //~ error[assert]
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
