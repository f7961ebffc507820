// events: --property assert
// A loop whose end is decided goes round as often as it does, whatever the bound.
#include <assert.h>
#include <pthread.h>

static int x;

static void *other(void *unused) {
    x = 7;
    assert(x != 9);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    for (int i = 0; i < 3; i++) x = i;
    return 0;
}
