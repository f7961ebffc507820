// check: --property reach-error
// It does not where that input is left out.
#include <threadproof.h>

void reach_error(void);

int main(void) {
    int n = tp_input_int("n");
    tp_assume(n != 0);
    if (100 / n > 100)
        reach_error();
    return 0;
}
