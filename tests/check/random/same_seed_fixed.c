// check:
// The same seed gives the same numbers again; without one, they are those of the seed 1.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int first = rand(), second = rand();
    srand(1);
    assert(rand() == first);
    assert(rand() == second);
    srand(7);
    int other = rand();
    srand(1);
    assert(rand() == first);
    srand(7);
    assert(rand() == other);
    return 0;
}
