// run: --runs 1
// The only pointer to the second buffer is overwritten.
#include <stdlib.h>

int main(void) {
    char *buffer = malloc(10);
    free(buffer);
    buffer = malloc(20); //~ error[memory]
    buffer = NULL;
    return buffer != NULL;
}
