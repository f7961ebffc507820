// events: --property assert
// What a thread is given is known to it: no event.
#include <assert.h>
#include <pthread.h>

static int x;

static void *other(void *unused) {
    x = (int)(long)unused;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, (void *)5);

    assert(x != 9);
    return 0;
}
