// events: --property assert
// A local that another thread can reach is read and written like a global.
#include <pthread.h>
#include <stdatomic.h>

static int *_Atomic p;

static void *other(void *unused) {
    int *q = p;
    if (q) *q = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    int local = 0;
    p = &local;
    p = 0;
    pthread_join(t, 0);
    return 0;
}
