// check: --property deadlock
// A thread waits in an atomic section that also has a local which is not always written, until it is let go on.
#include <pthread.h>

void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int ready, before;

static void *wait(void *unused) {
    __VERIFIER_atomic_begin();
    int seen;
    if (before)
        seen = 1;
    __VERIFIER_assume(ready == 1);
    if (before)
        before = seen;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t waiter;
    pthread_create(&waiter, NULL, wait, NULL);
    __VERIFIER_atomic_begin();
    ready = 1;
    __VERIFIER_atomic_end();
    pthread_join(waiter, NULL);
    return 0;
}
