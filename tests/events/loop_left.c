// events: --property assert
// A loop that is left by a break: the rounds after it have its condition.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *other(void *unused) {
    x = 1;
    assert(y != 9);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    for (int i = 0; i < 2; i++) { if (x) break; y = i; }
    return 0;
}
