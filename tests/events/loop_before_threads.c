// events: --property assert
// What comes before the first other thread is no event.
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
    for (int i = 0; i < 3; i++) x = i;
    pthread_create(&t, 0, other, 0);
    x = 2;
    return 0;
}
