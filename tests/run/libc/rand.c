// run: --runs 100 --seed 1
// rand is an input: any value can come, also the unlucky one.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    srand(1);
    int value = rand();
    assert(value % 6 != 3); //~ error[assert]
    return 0;
}
