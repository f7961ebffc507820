// events: --property assert
// Both ways write the same: two writes, of which one happens.
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
    if (x) y = 5; else y = 5;
    return 0;
}
