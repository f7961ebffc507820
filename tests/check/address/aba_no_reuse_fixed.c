// check: --property assert --no-reuse
// The same as aba.c, if memory is never given out again: the ledger says that this is assumed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) slot;
static atomic_int version;

static void *replace(void *unused) {
    int *old = atomic_exchange(&slot, 0);
    if (!old)
        return unused;
    free(old);
    int *other = malloc(sizeof *other);
    atomic_fetch_add(&version, 1);
    atomic_store(&slot, other);
    return unused;
}

int main(void) {
    atomic_store(&slot, malloc(sizeof(int)));
    pthread_t t;
    pthread_create(&t, 0, replace, 0);
    int before = atomic_load(&version);
    int *seen = atomic_load(&slot);
    if (seen && atomic_load(&version) == before && atomic_compare_exchange_strong(&slot, &seen, 0))
        assert(atomic_load(&version) == before);
    pthread_join(t, 0);
    return 0;
}
