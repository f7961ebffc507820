// events: --property assert
// A compare-exchange writes only where it has read what it expects.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int y;

static void *other(void *unused) {
    x = 5;
    assert(x + y != 9);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    int expected = 0;
    y = atomic_compare_exchange_strong(&x, &expected, 1);
    return 0;
}
