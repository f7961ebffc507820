// check:
// Another seed, or another number of the same one, need not be equal; nor does it have to differ.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    srand(1);
    int first = rand();
    srand(2);
    int other = rand();
    srand(1);
    assert(rand() == first);
    assert(rand() != other); //~ error[assert]
    return 0;
}
