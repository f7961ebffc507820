// run: --runs 1
// Comparing by subtraction overflows for large numbers of different sign.
#include <limits.h>

static int compare(int a, int b) {
    return a - b; //~ error[overflow]
}

int main(void) { return compare(INT_MIN, 1) > 0; }
