// run: --runs 1
// The largest int plus one.
#include <limits.h>

int main(void) {
    int seconds = INT_MAX;
    int next = seconds + 1; //~ error[overflow]
    return next < 0;
}
