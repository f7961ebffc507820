// check: --property assert,reach-error,lock
// An address as a number, and an input that leads from it to another object: where that lies is not for us to say.
#include <assert.h>
#include <stdint.h>
#include <threadproof.h>

static int from[4], to[4];

int main(void) {
    uintptr_t number = (uintptr_t)from + tp_input_uint("distance");
    if (number == (uintptr_t)to) {
        *(int *)number = 1; //~ error[unsupported]
        assert(to[0] == 0);
    }
    return 0;
}
