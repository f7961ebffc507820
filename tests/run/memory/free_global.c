// run: --runs 1
// A global variable was not allocated with malloc.
#include <stdlib.h>

static int counter;

int main(void) {
    int *p = &counter;
    free(p); //~ error[memory]
    return 0;
}
