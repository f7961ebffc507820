// events: --property assert
// A write with an unknown index: one for each element, of which one happens.
#include <assert.h>
#include <pthread.h>

static int a[3];
static unsigned i;

static void *other(void *unused) {
    i = 2;
    assert(a[0] + a[2] != 9);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    unsigned k = i;
    if (k < 3) a[k] = 7;
    return 0;
}
