// run: --runs 1
// The pointer is cleared when the buffer is freed, and free(NULL) does nothing.
#include <stdlib.h>

int main(void) {
    char *buffer = malloc(10);
    int failed = 1;
    if (failed) {
        free(buffer);
        buffer = NULL;
    }
    free(buffer);
    return 0;
}
