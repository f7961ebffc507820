// run: --runs 100 --seed 1
// rand is an input, but never negative nor above RAND_MAX.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    srand(1);
    int value = rand();
    assert(value >= 0 && value <= RAND_MAX);
    return 0;
}
