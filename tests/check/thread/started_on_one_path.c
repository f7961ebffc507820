// check: --property assert,reach-error,lock
// Only where the thread is started has `ready` been set before; where the two ways meet again it may still be 0.
#include <assert.h>
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);

static int ready, seen;

static void *look(void *unused) {
    seen = ready;
    return unused;
}

int main(void) {
    if (__VERIFIER_nondet_bool()) {
        pthread_t thread;
        ready = 1;
        pthread_create(&thread, NULL, look, NULL);
    }
    assert(ready == 1); //~ error[assert]
    return 0;
}
