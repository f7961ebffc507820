// check: --property reach-error
// A division by zero comes first for one input.
#include <threadproof.h>

void reach_error(void);

int main(void) {
    int n = tp_input_int("n");
    if (100 / n > 100) //~ warning[undefined]
        reach_error();
    return 0;
}
