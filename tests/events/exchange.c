// events: --property assert
// An atomic exchange is one node: a read and a write.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *other(void *unused) {
    x = 5;
    assert(x != 9);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    atomic_exchange(&x, 1);
    return 0;
}
