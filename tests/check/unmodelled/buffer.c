// check: --unmodelled pure
// The function was to fill the buffer: what was in it before is what the assertion is about.
#include <assert.h>

extern int fill(char *buffer, int size);

int main(void) {
    char buffer[4] = {0};
    fill(buffer, sizeof buffer);
    assert(buffer[1] != 0); //~ error[assert]
    return 0;
}
