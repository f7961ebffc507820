// events: --property assert
// Each round starts an instance of its own.
#include <assert.h>
#include <pthread.h>

static int x;

static void *other(void *unused) {
    x = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++)
        pthread_create(&t, 0, other, 0);
    assert(x != 9);
    return 0;
}
