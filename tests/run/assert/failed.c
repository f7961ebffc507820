// run: --runs 1
// An assertion does not hold.
#include <assert.h>

static int twice(int x) { return x + x; }

int main(void) {
    assert(twice(2) == 5); //~ error[assert]
    return 0;
}
