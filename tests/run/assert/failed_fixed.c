// run: --runs 1
// An assertion holds.
#include <assert.h>

static int twice(int x) { return x + x; }

int main(void) {
    assert(twice(2) == 4);
    return 0;
}
