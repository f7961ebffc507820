// run: --runs 100 --seed 1
// The sources of random numbers keep to their ranges.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    unsigned seed = 5;
    srandom(1);
    srand48(1);
    assert(random() >= 0);
    assert(rand_r(&seed) >= 0);
    double d = drand48();
    assert(d >= 0.0 && d < 1.0);
    assert(lrand48() >= 0);
    return 0;
}
