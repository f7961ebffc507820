// run: --runs 1
// The smallest int has no positive counterpart.
#include <limits.h>

static int magnitude(int value) {
    if (value < 0)
        return -value; //~ error[overflow]
    return value;
}

int main(void) { return magnitude(INT_MIN) == 1; }
