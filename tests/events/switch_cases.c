// events: --property assert
// Each case has its condition.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *other(void *unused) {
    x = 2;
    assert(y != 9);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    switch (x) { case 1: y = 1; break; case 2: y = 2; break; default: y = 3; }
    return 0;
}
