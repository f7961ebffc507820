// events: --property assert
// A number that is also accessed by its halves has cells of that size.
#include <assert.h>
#include <pthread.h>

static union { int whole; short half[2]; } u;
static int x;

static void *other(void *unused) {
    u.half[1] = 1;
    assert(x != 9);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    x = u.whole;
    return 0;
}
