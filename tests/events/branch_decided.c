// events: --property assert
// A branch that is decided has no condition, and what is behind the other one is not there.
#include <assert.h>
#include <pthread.h>

static int x;

static void *other(void *unused) {
    x = 1;
    assert(x != 9);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    int local = 3;
    if (local > 2) x = 2; else x = 3;
    return 0;
}
