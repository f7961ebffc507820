// check: --property assert
// The other way round.
#include <assert.h>
#include <stdlib.h>

static int global;

int main(void) {
    int *heap = malloc(sizeof *heap);
    assert((char *)&global > (char *)heap); //~ error[assert]
    free(heap);
    return 0;
}
