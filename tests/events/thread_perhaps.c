// events: --property assert
// A thread that is started under a condition takes part only then.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static int x;

static void *other(void *unused) {
 x = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    if (__VERIFIER_nondet_int()) pthread_create(&t, 0, other, 0);

    assert(x != 9);
    return 0;
}
