// events: --property assert
// A thread reads what it has written itself, unless another one may have written in between.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *other(void *unused) {
    y = 3;
    assert(x != 9);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    x = 1;
    y = x;
    return 0;
}
