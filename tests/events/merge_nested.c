// events: --property assert
// A way within a way has both conditions.
#include <assert.h>
#include <pthread.h>

static int x, y, z;

static void *other(void *unused) {
    x = 1;
    y = 1;
    assert(z != 9);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    if (x) { if (y) z = 1; }
    return 0;
}
