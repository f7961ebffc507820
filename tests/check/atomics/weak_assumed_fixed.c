// check: --property assert,reach-error,lock --no-spurious-failures
// With --no-spurious-failures it is taken to succeed, and the ledger says so.
#include <assert.h>
#include <stdatomic.h>

static atomic_int slot;

int main(void) {
    int empty = 0;
    atomic_compare_exchange_weak(&slot, &empty, 1);
    assert(atomic_load(&slot) == 1);
    return 0;
}
