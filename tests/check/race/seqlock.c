// check: --property race
// A sequence lock whose data are ordinary: the reader throws away what it read while a writer was there, but it has read.
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint version;
static int low, high;

static void *write_both(void *unused) {
    atomic_fetch_add(&version, 1);
    low = 1; //~ error[race]
    high = 1;
    atomic_fetch_add(&version, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, write_both, NULL);
    unsigned before = atomic_load(&version);
    if (before % 2 == 0) {
        int l = low, h = high;
        if (atomic_load(&version) == before && l != h)
            return 1;
    }
    pthread_join(thread, NULL);
    return 0;
}
