// run: --runs 1
// An integer that is no address is used as a pointer.
#include <stdint.h>

int main(void) {
    int *device = (int *)(uintptr_t)0xdead0;
    return *device; //~ error[memory]
}
