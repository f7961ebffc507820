// events: --property memory
// A local that others can reach ends: that is a write of whether it is there.
#include <pthread.h>
#include <stdatomic.h>

static int *_Atomic p;
static void give(void) { int local = 0; p = &local; }

static void *other(void *unused) {
    int *q = p;
    if (q) *q = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    give();
    return 0;
}
