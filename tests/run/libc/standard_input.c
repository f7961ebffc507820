// run: --runs 50 --seed 1
// Standard input is an input: there may be something to read, and it may be anything.
#include <assert.h>
#include <stdio.h>

int main(void) {
    char line[8];
    assert(fgets(line, sizeof line, stdin) == NULL); //~ error[assert]
    return 0;
}
