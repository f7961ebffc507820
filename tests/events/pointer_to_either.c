// events: --property assert
// A pointer to one of two objects: a write to each, of which one happens.
#include <assert.h>
#include <pthread.h>

static int x, y, flag;

static void *other(void *unused) {
    flag = 1;
    assert(x + y != 9);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    int *p = flag ? &x : &y;
    *p = 1;
    return 0;
}
