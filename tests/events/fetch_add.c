// events: --property assert
// What an atomic addition writes is computed from what it reads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *other(void *unused) {
    x++;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    atomic_fetch_add(&x, 2);
    assert(x != 9);
    return 0;
}
