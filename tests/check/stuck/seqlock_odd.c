// check: --property stuck
// A sequence lock. A writer that finds nothing to do leaves the version odd, and the reader waits for it to be even.
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint version;
static atomic_int value;

static void *update(void *unused) {
    atomic_fetch_add(&version, 1);
    if (value == 1)
        return unused;
    value = 1;
    atomic_fetch_add(&version, 1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, update, NULL);
    pthread_join(a, NULL);
    pthread_create(&b, NULL, update, NULL);
    while (version % 2) //~ error[stuck]
        ;
    int seen = value;
    pthread_join(b, NULL);
    return !seen;
}
