// run: --runs 1
// A buffer is written after it was given back.
#include <stdlib.h>

int main(void) {
    char *buffer = malloc(4);
    free(buffer);
    buffer[0] = 0; //~ error[memory]
    return 0;
}
