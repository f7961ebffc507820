// events: --property memory
// That an index is in bounds is claimed, if memory errors are looked for.
#include <pthread.h>

static int a[2];
static unsigned i;

static void *other(void *unused) {
    i = 2;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    a[i] = 7;
    return 0;
}
