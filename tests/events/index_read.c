// events: --property assert
// A read with an unknown index is one for each element; the value is that of the one that is meant.
#include <assert.h>
#include <pthread.h>

static int a[3], x;
static unsigned i;

static void *other(void *unused) {
    i = 2;
    a[2] = 4;
    assert(x != 9);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    unsigned k = i;
    if (k < 3) x = a[k];
    return 0;
}
