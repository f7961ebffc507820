// events: --property assert
// To join a thread is a step that waits for its end.
#include <assert.h>
#include <pthread.h>

static int x;

static void *other(void *unused) {
    x = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    pthread_join(t, 0);
    x = 2;
    assert(x != 9);
    return 0;
}
