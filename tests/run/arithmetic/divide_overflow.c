// run: --runs 1
// The smallest int divided by minus one does not fit.
#include <limits.h>

static int divide(int a, int b) {
    return a / b; //~ error[overflow]
}

int main(void) { return divide(INT_MIN, -1) == 1; }
