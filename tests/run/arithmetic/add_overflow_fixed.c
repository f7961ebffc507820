// run: --runs 1
// The sum is computed in a wider type.
#include <limits.h>

int main(void) {
    int seconds = INT_MAX;
    long long next = (long long)seconds + 1;
    return next < 0;
}
