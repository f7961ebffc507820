// An atomic number of 64 bits: both halves change together, also where words have 32.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic uint64_t wide;

static void *fill(void *unused) {
    wide = UINT64_MAX;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, fill, NULL);
    uint64_t seen = wide;
    assert(seen == 0 || seen == UINT64_MAX);
    pthread_join(thread, NULL);
    return 0;
}
