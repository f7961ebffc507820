// check: --property assert,reach-error,lock
// A weak exchange may fail for no reason: one attempt is not enough.
#include <assert.h>
#include <stdatomic.h>

static atomic_int slot;

int main(void) {
    int empty = 0;
    atomic_compare_exchange_weak(&slot, &empty, 1);
    assert(atomic_load(&slot) == 1); //~ error[assert]
    return 0;
}
