// run: --runs 1
// Only the start of an allocation can be freed.
#include <stdlib.h>

int main(void) {
    char *line = malloc(10);
    line++;
    free(line); //~ error[memory]
    return 0;
}
