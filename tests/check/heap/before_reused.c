// check: --property assert
// Memory that is given out again has the address of the old one; so have places beside it.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(4), *old = p;
    free(p);
    int *q = malloc(4);
    assert(q - 1 != old - 1); //~ error[assert]
    free(q);
    return 0;
}
