// run: --runs 1
// A local array was not allocated with malloc.
#include <stdlib.h>

static void release(char *buffer) {
    free(buffer); //~ error[memory]
}

int main(void) {
    char local[10] = "";
    release(local);
    return 0;
}
