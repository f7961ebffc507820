// run: --runs 1
// printf reads its arguments: a freed string is found out.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *name = strdup("threadproof");
    free(name);
    printf("%s\n", name); //~ error[memory]
    return 0;
}
