// check: --property assert,reach-error,lock --all
// Two assertions that fail in a thread each. A third one fails only when one of them has failed before: the program has
// ended by then, so it is no finding.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stage;

static void *first(void *unused) {
    stage = 1;
    assert(stage != 1); //~ error[assert]
    return unused;
}

static void *second(void *unused) {
    assert(stage != 1); //~ error[assert]
    return unused;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, NULL, first, NULL);
    pthread_create(&t, NULL, second, NULL);
    pthread_join(s, NULL);
    assert(stage == 2);
    pthread_join(t, NULL);
    return 0;
}
