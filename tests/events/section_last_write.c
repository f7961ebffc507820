// events: --property assert
// Of two writes of a section to one cell the last one counts.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static int x;

static void *other(void *unused) {
    x = 5;
    assert(x != 9);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    __VERIFIER_atomic_begin();
    x = 1;
    x = 2;
    __VERIFIER_atomic_end();
    return 0;
}
