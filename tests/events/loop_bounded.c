// events: --property assert --unwind 2
// A loop whose end is not decided goes round within the bound; that it goes on is a limit.
#include <assert.h>
#include <pthread.h>

static int x, n;

static void *other(void *unused) {
    n = 3;
    assert(x != 9);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    for (int i = 0; i < n; i++) x = i;
    return 0;
}
