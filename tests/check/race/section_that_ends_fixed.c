// check: --property race
// Both writes are in sections.
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
    __VERIFIER_atomic_begin();
    x = 2;
    __VERIFIER_atomic_end();
    pthread_join(thread, NULL);
    return 0;
}
