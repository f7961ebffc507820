// check: --property assert,reach-error,lock
// An assumption in one thread about what another thread does: only executions in which it holds count.
#include <pthread.h>
#include <threadproof.h>

static int stage, seen;

static void *advance(void *unused) {
    (void)unused;
    stage = 1;
    stage = 2;
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, advance, NULL);
    tp_assume(stage == 1);
    seen = stage;
    tp_assert(seen == 1); //~ error[assert]
    return 0;
}
