// check:
// rand and random draw from one generator, as in the C library: a seed for one is a seed for the other.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    srand(5);
    srandom(7);
    long first = rand();
    srand(7);
    assert(random() == first);
    return 0;
}
