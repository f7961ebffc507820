// check: --engine explore
// A compare-exchange on a variable that is defined elsewhere, so that it may hold any value: whether it stores and what it
// returns rest on the same value.
#include <assert.h>
#include <stdatomic.h>

extern _Atomic int x;

int main(void)
{
    int expected = 0;
    _Bool stored = atomic_compare_exchange_strong(&x, &expected, 7);
    if (stored)
        assert(x == 7);
    else
        assert(x == expected && expected != 0);
}
