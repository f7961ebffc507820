// run: --runs 1
// Both the error path and the common exit free the buffer.
#include <stdlib.h>

int main(void) {
    char *buffer = malloc(10);
    int failed = 1;
    if (failed)
        free(buffer);
    free(buffer); //~ error[memory]
    return 0;
}
