// events: --property assert
// An assertion is a claim with the condition under which it fails.
#include <pthread.h>
#include <assert.h>

static int x;

static void *other(void *unused) {
    x = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    assert(x == 0);
    return 0;
}
