// check: --property race
// The section aborts the program, and what it wrote before that races with the first thread.
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static int x;

static void *fail(void *unused) {
    __VERIFIER_atomic_begin();
    x = 1;
    abort();
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, fail, NULL);
    x = 2; //~ error[race]
    pthread_join(thread, NULL);
    return 0;
}
