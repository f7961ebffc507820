// check: --property assert
// Nothing is freed while somebody may still compare: what was there is given back after the join.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) slot;
static atomic_int version;
static int *retired;

static void *replace(void *unused) {
    retired = atomic_exchange(&slot, 0);
    int *other = malloc(sizeof *other);
    atomic_fetch_add(&version, 1);
    atomic_store(&slot, other);
    return unused;
}

int main(void) {
    int *first = malloc(sizeof *first);
    atomic_store(&slot, first);
    pthread_t t;
    pthread_create(&t, 0, replace, 0);
    int *seen = first;
    if (atomic_compare_exchange_strong(&slot, &seen, 0))
        assert(seen == first);
    pthread_join(t, 0);
    free(retired);
    return 0;
}
