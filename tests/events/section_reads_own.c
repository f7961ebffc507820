// events: --property assert
// In a section a read of what it has written itself is no event.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static int x, y;

static void *other(void *unused) {
    x = 5;
    assert(x + y != 9);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    __VERIFIER_atomic_begin();
    x = 1;
    y = x + 1;
    __VERIFIER_atomic_end();
    return 0;
}
