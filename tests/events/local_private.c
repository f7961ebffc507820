// events: --property assert
// A local whose address nobody else has is no event.
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
    pthread_create(&t, 0, other, 0);
    int local = 1;
    int *p = &local;
    *p += 2;
    x = local;
    return 0;
}
