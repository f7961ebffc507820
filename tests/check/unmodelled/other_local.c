// check: --unmodelled pure
// The function has no way to get at the other variable.
#include <assert.h>

extern void fill(char *buffer, int size);

static int second(const int *values) {
    return values[1];
}

int main(void) {
    char buffer[4];
    int values[2] = {1, 2};
    fill(buffer, sizeof buffer);
    assert(second(values) == 1); //~ error[assert]
    return 0;
}
