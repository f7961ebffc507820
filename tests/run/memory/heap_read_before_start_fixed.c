// run: --runs 1
// A backward scan stops at the first element.
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *path = malloc(8);
    strcpy(path, "file");
    char *slash = path + 4;
    while (slash > path && *slash != '/')
        slash--;
    free(path);
    return 0;
}
