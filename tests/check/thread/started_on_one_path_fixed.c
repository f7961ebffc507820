// check: --property assert,reach-error,lock
// `ready` is set whether or not the thread is started.
#include <assert.h>
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);

static int ready, seen;

static void *look(void *unused) {
    seen = ready;
    return unused;
}

int main(void) {
    ready = 1;
    if (__VERIFIER_nondet_bool()) {
        pthread_t thread;
        pthread_create(&thread, NULL, look, NULL);
    }
    assert(ready == 1);
    return 0;
}
