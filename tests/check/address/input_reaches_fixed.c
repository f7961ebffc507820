// check: --property assert
// Within its bounds an array is not at the address of another one.
#include <assert.h>
#include <threadproof.h>

static char a[8], b[8];

int main(void) {
    long i = tp_input_long("i");
    tp_assume(i >= 0 && i < 8);
    assert(a + i != b);
    return 0;
}
