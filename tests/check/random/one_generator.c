// check:
// rand and random draw from one generator, as in the C library: a seed for one is a seed for the other.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    srand(5);
    srandom(7);
    int first = rand();
    srand(5);
    assert(rand() == first); //~ error[assert]
    return 0;
}
