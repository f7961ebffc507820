// events: --property assert
// A local that two ways leave with different values is one value afterwards: one write.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *other(void *unused) {
    x = 1;
    assert(y != 9);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    int local = x ? 3 : 4;
    y = local;
    return 0;
}
