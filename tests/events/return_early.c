// events: --property assert
// What comes after a return has its condition.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *other(void *unused) {
    if (x) return 0;
    y = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    x = 1;
    assert(y != 9);
    return 0;
}
