// run: --runs 1
// Comparing by comparing does not overflow.
#include <limits.h>

static int compare(int a, int b) {
    return (a > b) - (a < b);
}

int main(void) { return compare(INT_MIN, 1) > 0; }
