// check: --property assert,reach-error,lock
// The thread has ended before that.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int closed;

static void *work(void *unused) {
    (void)unused;
    assert(!closed);
    return NULL;
}

static void close_all(void) { closed = 1; }

int main(void) {
    pthread_t a;
    atexit(close_all);
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
    exit(0);
}
