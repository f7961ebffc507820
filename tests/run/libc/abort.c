// run: --runs 1
// abort ends the program at once; nothing after it is reached.
#include <assert.h>
#include <stdlib.h>

static int validate(int value) {
    if (value < 0)
        abort();
    return value;
}

int main(void) {
    validate(-1);
    assert(0 && "not reached");
    return 0;
}
