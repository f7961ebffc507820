// run: --runs 1 -- one "two words"
// What follows `--` on the command line are the arguments of main.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    assert(argc == 3);
    assert(strcmp(argv[1], "one") == 0);
    assert(strcmp(argv[2], "two words") == 0);
    assert(argv[3] == NULL);
    assert(getenv("A_VARIABLE_THAT_NOBODY_SETS") == NULL);
    return 0;
}
