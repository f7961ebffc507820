// check: --unmodelled pure
// A function without arguments can still write the variables of the program.
#include <assert.h>

extern void start(void);

int is_started;

int main(void) {
    start();
    assert(is_started); //~ error[assert]
    return 0;
}
