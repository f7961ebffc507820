// run: --runs 1
// The string is freed after it was printed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *name = strdup("threadproof");
    printf("%s\n", name);
    free(name);
    return 0;
}
