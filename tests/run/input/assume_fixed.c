// run: --runs 100 --seed 1
// The assumption leaves seven out.
#include <threadproof.h>

int main(void) {
    unsigned digit = tp_input_uint("digit") % 10;
    tp_assume(digit != 7);
    tp_assert(digit != 7);
    return 0;
}
