// run: --runs 100 --seed 1
// Every digit is possible, seven as well.
#include <threadproof.h>

int main(void) {
    unsigned digit = tp_input_uint("digit") % 10;
    tp_assert(digit != 7); //~ error[assert]
    return 0;
}
