// check: --property assert
// What realloc makes smaller may stay where it is.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *p = malloc(100);
    char *q = realloc(p, 50);
    assert(q != p); //~ error[assert]
    free(q);
    return 0;
}
