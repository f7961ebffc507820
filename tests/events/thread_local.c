// events: --property assert
// Each thread has its own: no events.
#include <assert.h>
#include <pthread.h>

static _Thread_local int own;
static int x;

static void *other(void *unused) {
    own = 2;
    x = own;
    assert(x != 9);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    own = 1;
    x = own;
    return 0;
}
