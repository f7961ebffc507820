// run: --runs 100 --seed 1
// Every source of random numbers is an input, random() as well.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    unsigned seed = 5;
    srandom(1);
    srand48(1);
    assert(random() % 10 != 9); //~ error[assert]
    assert(rand_r(&seed) >= 0);
    double d = drand48();
    assert(d >= 0.0 && d < 1.0);
    assert(lrand48() >= 0);
    return 0;
}
