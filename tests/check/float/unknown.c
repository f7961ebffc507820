// check: --property assert,reach-error,lock
// A sum of unknown floating-point numbers cannot be decided yet: there is no verdict, and no guess.
#include <threadproof.h>

int main(void) {
    double x = tp_input_double("x");
    double y = x + 1.0; //~ error[unsupported]
    tp_assert(y > x);
    return 0;
}
