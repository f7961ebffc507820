// check: --property assert,reach-error,lock
// While the handlers of exit run, other threads still do.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int closed;

static void *work(void *unused) {
    (void)unused;
    assert(!closed); //~ error[assert]
    return NULL;
}

static void close_all(void) { closed = 1; }

int main(void) {
    pthread_t a;
    atexit(close_all);
    pthread_create(&a, NULL, work, NULL);
    exit(0);
}
