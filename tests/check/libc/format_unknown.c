// check: --property memory
// A conversion that is not modelled takes an argument that is not known.
#include <stdio.h>

int main(void) {
    printf("%b %s\n", 5, "a"); //~ warning[unmodelled]
    return 0;
}
