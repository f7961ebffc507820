// run: --runs 1
// Both buffers are freed.
#include <stdlib.h>

int main(void) {
    char *buffer = malloc(10);
    free(buffer);
    buffer = malloc(20);
    free(buffer);
    return 0;
}
