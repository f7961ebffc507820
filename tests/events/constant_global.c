// events: --property assert
// What nobody writes is read without an event.
#include <assert.h>
#include <pthread.h>

static const int limit = 3;
static int x;

static void *other(void *unused) {
    x = limit;
    assert(x != 9);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    x = limit + 1;
    return 0;
}
