// events: --property assert
// Two ways that meet: each write has its condition, and one thread is left.
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
    if (x) y = 1; else y = 2;
    return 0;
}
