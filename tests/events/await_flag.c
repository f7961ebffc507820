// events: --property assert
// A loop that only waits is one step, which is passed when what it waits for holds.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int x;

static void *other(void *unused) {
    x = 1;
    flag = 1;
    assert(x != 9);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    while (!flag) { }
    x = 2;
    return 0;
}
