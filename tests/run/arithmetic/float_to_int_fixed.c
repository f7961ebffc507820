// run: --runs 1
// A large double is cut to the range of int first.
#include <limits.h>

static int to_int(double value) {
    if (value > INT_MAX)
        return INT_MAX;
    return (int)value;
}

int main(void) { return to_int(3e9) == 1; }
