// events: --property assert
// An atomic section is one node with all its events.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static int x, y;

static void *other(void *unused) {
    y = x;
    assert(x + y != 9);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    __VERIFIER_atomic_begin();
    x = 1;
    y = 2;
    __VERIFIER_atomic_end();
    return 0;
}
