// events: --property assert
// A recursion whose end is decided is followed to its end.
#include <assert.h>
#include <pthread.h>

static int x;
static void down(int n) { x = n; if (n) down(n - 1); }

static void *other(void *unused) {
    x = 9;
    assert(x != 9);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    down(2);
    return 0;
}
