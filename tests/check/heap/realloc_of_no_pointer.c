// check: --property memory
// A number that is the address of nothing is handed to realloc, which asks for the size of what is there.
#include <stdlib.h>

int main(void) {
    void *p = realloc((void *)8, 8); //~ error[memory]
    free(p);
    return 0;
}
