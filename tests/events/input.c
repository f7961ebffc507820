// events: --property assert
// An input is an unknown, the same wherever it is used.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static int x, y;

static void *other(void *unused) {
    x = 1;
    assert(x + y != 9);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    int in = __VERIFIER_nondet_int();
    x = in;
    y = in + 1;
    return 0;
}
