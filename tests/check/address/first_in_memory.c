// check: --property assert
// Which of two objects comes first in memory is open: here a global and one of the heap.
#include <assert.h>
#include <stdlib.h>

static int global;

int main(void) {
    int *heap = malloc(sizeof *heap);
    assert((char *)&global < (char *)heap); //~ error[assert]
    free(heap);
    return 0;
}
