// check: --property race
// A sequence lock whose data are atomic, so that the reader may look at them while a writer is there.
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint version;
static atomic_int low, high;

static void *write_both(void *unused) {
    atomic_fetch_add(&version, 1);
    low = 1;
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
