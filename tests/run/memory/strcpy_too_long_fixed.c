// run: --runs 1
// There is room for the terminating zero.
#include <stdlib.h>
#include <string.h>

int main(void) {
    const char *name = "threads";
    char *copy = malloc(strlen(name) + 1);
    strcpy(copy, name);
    free(copy);
    return 0;
}
