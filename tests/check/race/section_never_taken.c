// check: --property race
// The section waits for something that never happens, so what it reads before that is never read.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
static int x, never;

static void *wait_for_ever(void *unused) {
    __VERIFIER_atomic_begin();
    int seen = x;
    __VERIFIER_assume(never);
    __VERIFIER_atomic_end();
    return seen ? unused : NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_ever, NULL);
    x = 1;
    return 0;
}
