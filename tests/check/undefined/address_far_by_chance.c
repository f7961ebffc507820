// check: --property memory
// An address that is computed from what nobody has written.
#include <stdlib.h>

static int number, *pointer = &number;

int main(void) {
    char *start;
    if (start + 1000000 == (char *)pointer)
        *(int *)(start + 1000000) = 1; //~ warning[undefined]
    return 0;
}
