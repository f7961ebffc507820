// run: --runs 1
// There is no room for the terminating zero.
#include <stdlib.h>
#include <string.h>

int main(void) {
    const char *name = "threads";
    char *copy = malloc(strlen(name));
    strcpy(copy, name); //~ error[memory]
    free(copy);
    return 0;
}
