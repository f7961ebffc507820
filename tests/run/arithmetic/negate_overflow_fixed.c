// run: --runs 1
// The magnitude is computed as an unsigned number.
#include <limits.h>

static unsigned magnitude(int value) {
    if (value < 0)
        return 0u - (unsigned)value;
    return value;
}

int main(void) { return magnitude(INT_MIN) == 1; }
