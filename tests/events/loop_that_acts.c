// events: --property assert --unwind 2
// A loop that writes something is no await: each round is there.
#include <assert.h>
#include <pthread.h>

static int flag, tries;

static void *other(void *unused) {
    flag = 1;
    assert(tries != 9);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    while (!flag) tries++;
    return 0;
}
