// check: --unmodelled pure
// What is used before the function is called does not rest on it.
#include <assert.h>

extern void fill(char *buffer, int size);

int main(void) {
    char buffer[4] = {0};
    assert(buffer[1] != 0); //~ error[assert]
    fill(buffer, sizeof buffer);
    return 0;
}
