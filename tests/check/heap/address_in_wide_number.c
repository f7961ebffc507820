// check:
// The only address of some memory lies in a number that is longer than an address. It is not lost, but that is left open.
#include <stdint.h>
#include <stdlib.h>

static unsigned __int128 kept;

int main(void) {
    kept = (unsigned __int128)(uintptr_t)malloc(4) | (unsigned __int128)1 << 100;
    return 0;
}
