// events: --property assert
// A thread that is started by another one comes after the node that starts it.
#include <assert.h>
#include <pthread.h>

static int x;

static void *second(void *unused) {
    x = 2;
    return unused;
}

static void *first(void *unused) {
    pthread_t t;
    pthread_create(&t, 0, second, 0);
    x = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, first, 0);
    assert(x != 9);
    return 0;
}
