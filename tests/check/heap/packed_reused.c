// check: --property assert
// A pointer and a mark in one number, compared as a number: the address may have been given out again. What is computed from such
// an address is not followed.
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static _Atomic uint64_t top;

static uint64_t packed(int *p) {
    return (uint64_t)(uintptr_t)p << 8 | 1;
}

int main(void) {
    int *p = malloc(4);
    top = packed(p);
    uint64_t expected = top;
    free(p);
    int *q = malloc(4); //~ warning[unsupported]
    top = packed(q);
    assert(!atomic_compare_exchange_strong(&top, &expected, 0));
    free(q);
    return 0;
}
