// check: --property assert
// How far apart two variables lie is not known: some input leads from one to the other.
#include <assert.h>
#include <threadproof.h>

static char a[8], b[8];

int main(void) {
    long i = tp_input_long("i");
    assert(a + i != b); //~ error[assert]
    return 0;
}
