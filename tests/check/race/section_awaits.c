// check: --property race
// The section waits until the other thread has written, and nothing orders the two: they never stand before their
// accesses at the same moment, and race all the same.
#include <pthread.h>

void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int ready;

static void *waiter(void *unused) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(ready == 1);
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
    ready = 1; //~ error[race]
    pthread_join(t, NULL);
    return 0;
}
