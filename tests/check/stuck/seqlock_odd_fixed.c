// check: --property stuck
// A sequence lock. A writer looks whether there is something to do before it makes the version odd.
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint version;
static atomic_int value;

static void *update(void *unused) {
    if (value == 1)
        return unused;
    atomic_fetch_add(&version, 1);
    value = 1;
    atomic_fetch_add(&version, 1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, update, NULL);
    pthread_join(a, NULL);
    pthread_create(&b, NULL, update, NULL);
    while (version % 2)
        ;
    int seen = value;
    pthread_join(b, NULL);
    return !seen;
}
