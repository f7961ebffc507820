// run: --runs 1
// A large double does not fit into an int.
#include <limits.h>

static int to_int(double value) {
    return (int)value; //~ error[arithmetic]
}

int main(void) { return to_int(3e9) == 1; }
